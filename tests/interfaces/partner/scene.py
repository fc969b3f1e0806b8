"""What tests of the partner say again and again: refusals by code, catalogue entries, dates from the world's now."""

from __future__ import annotations

import csv
import io
from typing import Any

from giftsim.gateway.in_process_client import Answer
from giftsim.kernel.instants import DAY, format_instant, parse_duration, parse_instant, utc_date
from tests.harness import Face, World, order_body

# Products of the fixture `empty`: a mug without variations, and a tee in sizes (1021) and colours (1022).
MUG, TEE = 101, 102
SIZE, COLOUR = 1021, 1022
SMALL, MEDIUM = 10211, 10212
BLACK, NAVY = 10221, 10222
MUG_CENTS, TEE_CENTS, PEN_CENTS = 1800, 2500, 600
MUG_LINE = {"sku_code": "MUG-01", "quantity": 1}
TEE_LINE = {"merchant_product_id": TEE, "fixed_options": {str(SIZE): SMALL}, "choice_variation_ids": [COLOUR]}

# One good address in each of the nine countries.
ADDRESSES: dict[str, dict[str, Any]] = {
    "US": {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"},
    "CA": {"address1": "80 Wellington St", "city": "Ottawa", "state": "ON", "zip": "K1A 0B1", "country": "CA"},
    "GB": {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"},
    "AU": {"address1": "1 Macquarie St", "city": "Sydney", "state": "NSW", "zip": "2000", "country": "AU"},
    "DE": {"address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country": "DE"},
    "FR": {"address1": "1 rue de Rivoli", "city": "Paris", "zip": "75001", "country": "FR"},
    "NL": {"address1": "Dam 1", "city": "Amsterdam", "zip": "1012 JS", "country": "NL"},
    "IT": {"address1": "Via Appia 1", "city": "Roma", "zip": "00184", "country": "IT"},
    "ES": {"address1": "Gran Via 1", "city": "Madrid", "zip": "28013", "country": "ES"},
}


def made(answer: Answer) -> Any:
    """The JSON of a create that must have succeeded."""
    assert answer.status == 201, answer.text
    return answer.json()


def order_id(order: Any) -> int:
    """The id of an order in an answer's JSON."""
    return int(order["team_order"]["id"])


def code(answer: Answer, status: int = 400) -> str:
    """The code of a refusal, which must have that status and name its request."""
    assert answer.status == status, answer.text
    error = answer.json()["error"]
    assert error["message"]
    assert error["request_id"] == answer.headers["x-request-id"]
    return str(error["code"])


def bad_fields(answer: Answer) -> dict[int, list[str]]:
    """The fields that a 422 finds wrong, by the place of the recipient."""
    assert code(answer, 422) == "invalid_recipients"
    rows = answer.json()["errors"]
    assert all(error["message"] for row in rows for error in row["errors"])
    return {row["recipient_index"]: sorted({error["field"] for error in row["errors"]}) for row in rows}


def later(instant: str, duration: str) -> str:
    """The instant that much later; `-2d` is earlier."""
    sign, span = (-1, duration[1:]) if duration.startswith("-") else (1, duration)
    return format_instant(parse_instant(instant) + sign * parse_duration(span))


def date(world: World, days: int) -> str:
    """The UTC date so many days from the world's present one."""
    return utc_date(parse_instant(world.now) + days * DAY)


def refused(world: World, partner: Face, status: int = 400, **members: Any) -> str:
    """The code by which an order is refused; it must leave nothing behind, and its key free for a corrected body."""
    with world.unchanged():
        answer = partner.order(**members)
    said = code(answer, status)
    assert made(partner.post("/team-orders", order_body())), "the key is not free"
    return said


def manifest(partner: Face, order: Any) -> list[dict[str, str]]:
    """The manifest's rows."""
    answer = partner.get(f"/team-orders/{order_id(order)}/manifest.csv")
    assert answer.status == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def wallet(world: World, label: str = "prepaid") -> int:
    """What is in an account's wallet, in cents."""
    accounts = world.ask("GET", "/accounts")["accounts"]
    return next(int(row["wallet_cents"]) for row in accounts if row["label"] == label)


def charges(world: World) -> list[Any]:
    """The ledger's entries of kind charge."""
    return [entry for entry in world.ask("GET", "/ledger?limit=1000")["ledger"] if entry["kind"] == "charge"]


def statuses(partner: Face, order: Any) -> list[str]:
    """The status of each recipient's shipment."""
    return [row["shipment"]["status"] for row in partner.read(order_id(order))["recipients"]]
