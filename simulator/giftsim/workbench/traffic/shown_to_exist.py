"""The fixture of a recording: what the empty one has, and the products and money that the recording shows (G481)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from giftsim.services.fixture_loader import read_fixture
from giftsim.services.gifting.domain.money.money_errors import REFUSALS
from giftsim.workbench.traffic.call_judge import body_json, json_of
from giftsim.workbench.traffic.recorded_traffic import RecordedCall, Traffic

BASE: Final = "empty"
CREDENTIALS: Final = "bare"  # the fixture that has the accounts
FIRST_ERROR: Final = 400
PAYMENT_REQUIRED: Final = 402
_FIRST_ID: Final = 7001  # of a product whose own id the recording does not show
_LAST_ID: Final = 99_999_999


def fixture_of(traffic: Traffic) -> str | dict[str, Any]:
    """The fixture of a world in which the calls of a recording find what they name."""
    base = read_fixture(BASE)
    codes = {str(each["code"]) for each in base["products"]}
    ids = {int(each["id"]) for each in base["products"]}
    products: dict[str, dict[str, Any]] = {}
    for item in (item for call in traffic.calls for item in _listed(call)):
        _add(products, codes, ids, item)
    for call in traffic.calls:
        for code, price in _ordered(call).items():
            if not _is_known(code, codes) and code not in products:
                number = next(n for n in range(_FIRST_ID, _LAST_ID) if n not in ids)
                ids.add(number)
                products[code] = {"id": number, "code": code, "name": code, "price_cents": price}
    shown: dict[str, Any] = {"products": list(products.values())} if products else {}
    wallet = _wallet_cents(traffic)
    if wallet not in (None, read_fixture(CREDENTIALS)["accounts"]["prepaid"]["wallet_cents"]):
        shown["accounts"] = {"prepaid": {"wallet_cents": wallet, "card": "good"}}
    return {"extends": BASE, **shown} if shown else BASE


def _wallet_cents(traffic: Traffic) -> int | None:
    """The money that a prepaid account had before its first charge; None if the recording shows none."""
    for call in traffic.calls:
        recorded = call.exchange.response
        if call.called.interface != "partner" or recorded is None or recorded.status >= FIRST_ERROR:
            continue
        data = json_of(recorded)
        charge = data.get("billing") if isinstance(data, dict) else None
        if isinstance(charge, dict) and charge.get("billing_mode") == "prepaid":
            left, spent = charge.get("new_cash_balance_cents"), charge.get("wallet_cash_cents")
            if type(left) is int and type(spent) is int and min(left, spent) >= 0:
                return left + spent
    return None


def decline_of(call: RecordedCall) -> str:
    """The code with which a charge was refused; "" if none was."""
    recorded = call.exchange.response
    if call.called.operation is None or recorded is None or recorded.status != PAYMENT_REQUIRED:
        return ""
    data = json_of(recorded)
    error = data.get("error") if isinstance(data, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    is_known = (
        isinstance(code, str)
        and code in REFUSALS
        and str(PAYMENT_REQUIRED) in call.called.operation.node.get("responses", {})
    )
    return str(code) if is_known else ""


def _add(products: dict[str, dict[str, Any]], codes: set[str], ids: set[int], item: Mapping[str, Any]) -> None:
    """Add an item of the catalogue, unless the empty fixture has it."""
    slug, number, price = item.get("slug"), item.get("id"), item.get("price_cents")
    if not isinstance(slug, str) or type(number) is not int or type(price) is not int or not 1 <= number <= _LAST_ID:
        return
    code = slug.upper()
    if not _is_known(code, codes) and code not in products and number not in ids:
        ids.add(number)
        name = str(item.get("name") or code)
        products[code] = {"id": number, "code": code, "slug": slug, "name": name, "price_cents": price}


def _is_known(code: str, codes: set[str]) -> bool:
    """Whether a fixture has a SKU: its product's code, with its options behind it."""
    return any(code == each or code.startswith(f"{each}-") for each in codes)


def _listed(call: RecordedCall) -> Iterator[Mapping[str, Any]]:
    """The items that an answer lists."""
    recorded = call.exchange.response
    if call.called.name != "listItems" or recorded is None or recorded.status >= FIRST_ERROR:
        return
    data = json_of(recorded)
    rows = data.get("data") if isinstance(data, dict) else None
    yield from (row for row in rows or () if isinstance(row, dict))


def _ordered(call: RecordedCall) -> dict[str, int]:
    """The SKUs of an accepted order with their prices, as far as its subtotal tells them: with one kind of item."""
    recorded, data = call.exchange.response, body_json(call.exchange.body)
    if call.called.name != "createTeamOrder" or call.called.interface != "partner" or recorded is None:
        return {}
    if recorded.status >= FIRST_ERROR or not isinstance(data, dict) or not isinstance(data.get("items"), list):
        return {}
    items = [item for item in data["items"] if isinstance(item, dict) and isinstance(item.get("sku_code"), str)]
    answer = json_of(recorded)
    totals = answer.get("totals") if isinstance(answer, dict) else None
    subtotal = totals.get("subtotal_cents") if isinstance(totals, dict) else None
    order = answer.get("team_order") if isinstance(answer, dict) else None
    people = order.get("recipient_count") if isinstance(order, dict) else None
    price = 0
    quantity = items[0].get("quantity", 1) if len(items) == 1 else None
    if type(subtotal) is type(people) is type(quantity) is int and min(subtotal, people, quantity) > 0:
        price = subtotal // (people * quantity)
    return {item["sku_code"]: price for item in items}
