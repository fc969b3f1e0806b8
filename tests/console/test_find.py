"""What the palette finds in a world."""

from __future__ import annotations

from typing import Any

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.worlds import World


def found(console: Console, text: str) -> list[tuple[str, str, str]]:
    """What has a text: group, title and hint; each path leads to a page."""
    answer = console.client.call("GET", f"/w/{console.world}/find?q={text}", headers={"Host": "localhost:8080"})
    rows: list[dict[str, Any]] = answer.json()["found"]
    for row in rows:
        if row["path"].startswith("/"):
            console.open(row["path"])
            assert console.status == 200
    return [(row["group"], row["title"], row["hint"]) for row in rows]


def test_orders_events_and_settings_are_found(console: Console, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    order = partner.create_order(recipients=[{"name": "Fay", "email": "fay@example.com"}]).json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    mug = ("Orders", "Fay’s stoneware mug #1001", "in progress")
    event = ("Events", "team_order.claimed, Fay’s stoneware mug", "waiting")
    assert mug in found(console, "fay")
    assert mug in found(console, "1001")
    assert event in found(console, "claimed")
    assert ("Endpoints", "https://hooks.partner.example/gifts", "partner.prepaid") in found(console, "hooks.partner")
    assert ("People", "Fay", "fay@example.com") in found(console, "fay@example")
    assert ("Settings", "museum.open", "setting") in found(console, "museum.open")
    assert found(console, "zyxwvut") == found(console, "") == []


def test_orders_are_found_by_their_title_and_calls_and_events_by_fields(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order(recipients=[{"name": "Fay", "email": "fay@example.com"}])
    world.partner("partner.no_funds").create_order()
    assert ("Orders", "Fay’s stoneware mug #1001", "collecting addresses") in found(console, "stoneware")
    assert [row[0] for row in found(console, "status:unpaid") if row[0] != "Docs"] == ["Orders"]
    assert [row for row in found(console, "status:402") if row[0] != "Docs"] == [
        ("Calls", "createTeamOrder #2", "answered 402")
    ]
    answer = console.client.call("GET", f"/w/{console.world}/find?q=colour:red", headers={"Host": "localhost:8080"})
    assert "an order has no field colour" in answer.json()["refused"]


def test_routes_verbs_errors_and_what_the_documents_say_are_found(console: Console, world: World) -> None:
    assert ("Errors", "402 insufficient_funds", "partner") in found(console, "insufficient_funds")
    assert "Verbs" in {group for group, _, _ in found(console, "simulate")}
    assert "Rules" in {group for group, _, _ in found(console, "webhook")}
    assert any(hint.startswith("POST /api/external/team-orders") for _, _, hint in found(console, "createTeamOrder"))


def test_pages_of_the_documentation_are_found_by_title_part_and_answer(console: Console) -> None:
    docs = [row for row in found(console, "undo calls") if row[0] == "Docs"]
    assert docs[0] == ("Docs", "Undo", "How-to: Worlds, snapshots and undo")
    part = ("Docs", "Find out why a webhook failed", "How-to: Use the console")
    assert part in found(console, "webhook failed")
    held = ("Docs", "Hold a delivery", "How-to: Receive webhooks, and make a receiver fail")
    assert held in found(console, "hold a delivery")
    assert held in found(console, "pause a webhook")
