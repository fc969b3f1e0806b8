"""`giftsim now`, `advance` and `undo`, typed by a user."""

from __future__ import annotations

from tests.cli.remote.conftest import CommandLine
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.orders import address_recipients


def test_now_shows_the_time_and_what_is_due_next(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().create_order(recipients=address_recipients(1))
    output = command_line.output("now")
    assert output.startswith(f"{world.now}  world {world.id}, clock stopped")
    assert "team_order 1001 recipient 200001" in output
    assert command_line.json("now")["now"] == world.now


def test_advance_moves_the_clock_and_says_what_changed(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().create_order(recipients=address_recipients(1))
    output = command_line.output("advance", "10d")
    assert output.startswith("2027-01-04T09:00:00Z -> 2027-01-14T09:00:00Z\n4 events, 240 hourly runs; 0 webhook")
    assert "shipment.produce, shipment.label, shipment.ship, shipment.deliver" in output
    assert world.now == "2027-01-14T09:00:00Z"


def test_advance_takes_an_instant_next_and_idle(command_line: CommandLine) -> None:
    assert command_line.json("advance", "2027-01-05T00:00:00Z")["to"] == "2027-01-05T00:00:00Z"
    assert command_line.json("advance", "next")["to"] == "2027-01-05T01:00:00Z"
    assert command_line.json("advance", "idle")["fired_count"] == 0


def test_a_dry_run_shows_the_deliveries_and_changes_nothing(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().subscribe("team_order.shipped")
    world.partner().create_order(recipients=address_recipients(1))
    before = world.now
    output = command_line.output("advance", "10d", "--dry-run")
    assert "dry run: nothing was changed" in output
    assert "1 webhook attempts (1 delivered) would be sent" in output
    assert WEBHOOK_HOST in output
    assert world.now == before


def test_undo_takes_the_last_write_back(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().create_order()
    assert "/api/external/team-orders" in command_line.output("undo")
    assert world.rows("orders") == []
    assert "0 client writes to undo" in command_line.error("undo")


def test_a_wrong_goal_is_refused_in_words(command_line: CommandLine) -> None:
    assert "later" in command_line.error("advance", "later")
