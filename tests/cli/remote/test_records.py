"""`giftsim orders`, `order`, `claim`, `mail` and `deliveries`, typed by a user."""

from __future__ import annotations

from tests.cli.remote.conftest import CommandLine
from tests.support.orders import email_recipients


def test_orders_lists_the_newest_last(command_line: CommandLine) -> None:
    assert command_line.output("orders") == "this world has no orders\n"
    for name in ("first", "second", "third"):
        command_line.world.partner().create_order(idempotency_key=name, reference=name)
    output = command_line.output("orders", "--limit", "2")
    assert output.startswith("the newest 2 of 3; --limit shows more\n")
    assert [line.split()[0] for line in output.splitlines()[3:]] == ["1002", "1003"]
    assert [row["reference"] for row in command_line.json("orders")] == ["first", "second", "third"]


def test_order_shows_money_recipients_and_events(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().create_order(recipients=email_recipients(2))
    command_line.output("claim", "1001", "--recipient", "1")
    output = command_line.output("order", "1001")
    assert output.startswith("order 1001 of account ")
    assert "Person 0" in output
    assert "submitted" in output
    assert "team_order.claimed" in output
    data = command_line.json("order", "1001")
    assert [parcel["status"] for parcel in data["parcels"]] == ["awaiting", "submitted"]


def test_claim_of_one_of_several_recipients_needs_a_choice(command_line: CommandLine) -> None:
    command_line.world.partner().create_order(recipients=email_recipients(2))
    assert command_line.error("claim", "1001").endswith(
        "order 1001 has 2 recipients: name one with --recipient (0 Person 0, 1 Person 1)"
    )


def test_an_unknown_order_is_named_with_the_newest(command_line: CommandLine) -> None:
    command_line.world.partner().create_order()
    assert command_line.error("order", "7") == (
        f"world {command_line.world.id} has no order 7; the newest are 1001"
    )  # fmt: skip


def test_mail_and_deliveries_are_listed(command_line: CommandLine) -> None:
    world = command_line.world
    assert "no webhook was sent" in command_line.output("deliveries")
    world.partner().subscribe("team_order.claimed")
    world.partner().create_order()
    assert "claim_link" in command_line.output("mail")
    command_line.output("claim", "1001")
    world.advance("2h")
    assert "delivered (200)" in command_line.output("deliveries")
    assert command_line.json("deliveries")[0]["type"] == "team_order.claimed"


def test_markup_and_control_characters_are_shown_as_text(command_line: CommandLine) -> None:
    command_line.world.partner().create_order(reference="[red]x[/red]")
    assert "[red]x[/red]" in command_line.output("orders")
