"""`giftsim serve --verbose` and `--log-json`: a line for every call and delivery, as a terminal shows them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.api_clients import WEBHOOK_HOST
from tests.support.served_simulator import PythonProcess, ServedSimulator
from tests.support.worlds import World

TOKEN = "0123456789abcdef0123"


@pytest.fixture(scope="module", name="logged")
def _logged() -> Callable[[str], list[str]]:
    """The lines that a server with an option logs for the same calls and deliveries, once for each option."""
    lines: dict[str, list[str]] = {}

    def run(option: str) -> list[str]:
        if option not in lines:
            process = PythonProcess("run_sim.py", "--port", "0", "--json", option)
            make_calls(ServedSimulator(process))
            status, errors = process.end()
            assert status == 0
            lines[option] = errors.splitlines()
        return lines[option]

    return run


def make_calls(served: ServedSimulator) -> None:
    """An order, a fault, a refused credential, a claim whose webhook fails once, and a page."""
    world: World = served.world(id="w1")
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    world.set_receiver(script=[{"status": 503}])
    partner.create_order()
    world.call_control("POST", "/faults", {"id": "down", "effect": {"status": 503}, "when": {"first": 1}})
    partner.get("/team-orders?limit=1")
    world.partner(key="pk_live_w1_wrong").get("/team-orders")
    partner.get("/skus/1%0Aforged%1B[1A%E2%80%A8%E2%80%AE")
    served.client.call("GET", f"/claim/w1/{TOKEN}")
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance("2h")


def test_a_call_is_shown_with_its_credential_status_and_what_it_caused(logged: Callable[[str], list[str]]) -> None:
    line = next(line for line in logged("--verbose") if "POST /api/external/team-orders" in line)
    assert line.split("  ") == [
        "2027-01-04T09:00:00Z", "w1", "POST /api/external/team-orders", "201", "partner.prepaid",
        "team_order 1001, 1 mail, charged 26.00",
    ]  # fmt: skip


def test_a_fault_and_an_unknown_credential_are_named(logged: Callable[[str], list[str]]) -> None:
    gets = [line.split("  ")[2:] for line in logged("--verbose") if "GET /api/external/team-orders" in line]
    assert gets == [
        ["GET /api/external/team-orders?limit=1", "503", "partner.prepaid", "fault down"],
        ["GET /api/external/team-orders", "401", "an unknown credential"],
    ]


def test_a_delivery_is_shown_with_its_outcome_and_the_next_attempt(logged: Callable[[str], list[str]]) -> None:
    deliveries = [line.split("  ") for line in logged("--verbose") if " -> " in line]
    assert [line[3:] for line in deliveries] == [
        ["503", "team_order.claimed attempt 1, next at 2027-01-04T10:05:00Z"],
        ["200", "team_order.claimed attempt 2"],
    ]
    assert all(WEBHOOK_HOST in line[2] for line in deliveries)


def test_no_line_shows_a_secret_or_a_colour_code(logged: Callable[[str], list[str]]) -> None:
    text = "\n".join([*logged("--verbose"), *logged("--log-json")])
    assert "/claim/w1/***" in text
    for secret in (TOKEN, "pk_live_w1_prepaid", "\x1b"):
        assert secret not in text


def test_a_path_forges_no_line(logged: Callable[[str], list[str]]) -> None:
    """The lines are split where any program might: at U+2028 too."""
    (line,) = (line for line in logged("--verbose") if "forged" in line)
    assert "GET /api/external/skus/1\\nforged\\x1b[1A\\u2028\\u202e  404  partner.prepaid" in line
    paths = [json.loads(line)["path"] for line in logged("--log-json") if "forged" in line]
    assert paths == ["/api/external/skus/1\nforged\x1b[1A\u2028\u202e"]


def test_every_line_for_machines_is_one_json_object(logged: Callable[[str], list[str]]) -> None:
    rows: list[dict[str, Any]] = [json.loads(line) for line in logged("--log-json")]
    order = next(row for row in rows if row.get("operation") == "createTeamOrder")
    assert (order["world"], order["credential"], order["status"]) == ("w1", "partner.prepaid", 201)
    assert (order["orders"], order["mail"], order["charged_cents"]) == (["team_order 1001"], 1, 2600)
    assert [(row["attempt"], row["status"]) for row in rows if row["kind"] == "delivery"] == [(1, 503), (2, 200)]
    assert [row["fault"] for row in rows if row.get("fault")] == ["down"]
