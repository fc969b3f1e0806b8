"""Calls and webhooks as HAR 1.2: valid by the public schema, at the world's times, without secrets (G485)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from giftsim.workbench.har.reading import parse_har
from giftsim.workbench.har.writing import RealTime, entry_of_call, in_order, write_har
from tests.support.har_schema import problems
from tests.support.orders import RENO
from tests.support.secret_scanner import findings
from tests.support.worlds import World

ORIGIN = "http://127.0.0.1:8080"
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered")


@pytest.fixture
def rows(world: World) -> tuple[list[Any], list[Any]]:
    """The calls and the webhooks of a world in which an order lives through ten days."""
    partner = world.partner()
    partner.subscribe(*EVENTS)
    order = partner.create_order(idempotency_key="one").json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("10d")
    partner.get("/team-orders?limit=5&q=")
    partner.post("/team-orders", {"bad": True})
    world.add_fault({"drop": "after"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        partner.create_order(idempotency_key="lost")
    return world.rows("calls"), world.rows("deliveries")


def written(rows: tuple[list[Any], list[Any]]) -> Any:
    return json.loads(write_har(in_order(*rows, ORIGIN), "1"))


def test_a_written_file_is_valid_by_the_public_schema(rows: tuple[list[Any], list[Any]]) -> None:
    assert problems({"log": {"version": "1.2"}}) != []
    assert problems(written(rows)) == []


def test_ten_days_of_the_world_are_ten_days_in_the_file(rows: tuple[list[Any], list[Any]]) -> None:
    entries = written(rows)["log"]["entries"]
    kinds = [entry["_kind"] for entry in entries]
    assert kinds == ["call", "call", "webhook", "webhook", "webhook", "call", "call", "call"]
    assert entries[0]["startedDateTime"] == "2027-01-04T09:00:00.000Z"
    assert entries[-1]["startedDateTime"] == "2027-01-14T09:00:00.000Z"


def test_a_file_is_read_as_it_was_written(rows: tuple[list[Any], list[Any]]) -> None:
    har = parse_har(write_har(in_order(*rows, ORIGIN), "1"), "x.har")
    assert (har.creator, len(har.exchanges), har.others) == ("giftsim", 8, 0)
    created, lost = har.exchanges[1], har.exchanges[-1]
    assert created.origin == ORIGIN
    assert created.response is not None
    assert created.response.json()["team_order"]["status"] == "collecting_addresses"
    assert created.response.headers["content-type"] == "application/json"
    assert lost.response is None
    webhook = har.exchanges[2]
    assert (webhook.method, webhook.host) == ("POST", "hooks.partner.example")
    assert json.loads(webhook.body)["type"] == "team_order.claimed"


def test_a_file_has_no_secrets(rows: tuple[list[Any], list[Any]], world: World) -> None:
    text = json.dumps(written(rows))
    assert findings(text) == []
    assert "Bearer pk_live_***" in text
    assert "whsec_***" in text


def test_real_times_stand_beside_those_of_the_world(rows: tuple[list[Any], list[Any]]) -> None:
    entry = entry_of_call(rows[0][0], ORIGIN, RealTime(1_800_000_000_000, 3.5))
    assert (entry["startedDateTime"], entry["_realStarted"]) == ("2027-01-04T09:00:00.000Z", "2027-01-15T08:00:00.000Z")
    assert entry["time"] == sum(entry["timings"].values()) == 3.5
