"""Commands that show records of a world: `orders`, `mail` and `deliveries`; `order` and `claim` are former names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from giftsim.cli.options import WholeNumber, refuse_unused
from giftsim.cli.remote.output import Column, Row, member_column, money, print_json, print_newest, print_table
from giftsim.cli.remote.simulator_connection import RemoteWorld, complete_orders, with_world

LIMIT = click.option(
    "--limit", default=20, show_default=True, type=WholeNumber(1), help="Show at most NUMBER, newest first."
)
STEPS = ("delivered_at", "shipped_at", "labeled_at", "produced_at", "claimed_at")
ORDERS = (
    member_column("id"),
    member_column("created_at"),
    member_column("status"),
    ("total", lambda row: money(row["total_cents"])),
    ("title", lambda row: f"{row['title']} ({row['reference']})" if row["reference"] else row["title"]),
    ("parcels", lambda row: _summary(row["summary"])),
)
PARCELS = (
    member_column("recipient_id"),
    ("recipient", lambda row: row["name"] or row["email"]),
    member_column("status"),
    ("since", lambda row: next((row[step] for step in STEPS if row[step]), None)),
    member_column("claim_link"),
)
JOURNEY = (member_column("at"), ("what happens", lambda row: row["what"]), ("how", lambda row: row["how"]))
MAIL = (
    member_column("at"),
    member_column("to"),
    member_column("kind"),
    member_column("subject"),
    ("links", lambda row: " ".join(row["links"])),
)
DELIVERIES = (
    member_column("seq"),
    member_column("at"),
    member_column("type"),
    member_column("url"),
    member_column("attempt"),
    ("outcome", lambda row: row["outcome"] if row["status"] is None else f"{row['outcome']} ({row['status']})"),
    ("next attempt", lambda row: row["next_attempt_at"]),
)


def _list_command(name: str, columns: Sequence[Column], what: str, empty: str) -> click.Command:
    @click.command(name, help=f"List {what}, newest last.")
    @LIMIT
    @with_world
    def command(sim: RemoteWorld, limit: int, as_json: bool) -> None:
        print_newest(sim.listed(name), limit, columns, empty, as_json)

    return command


mail = _list_command("mail", MAIL, "the mail that the service would have sent", "no mail was sent in this world")
deliveries = _list_command(
    "deliveries",
    DELIVERIES,
    "the attempts to deliver webhooks",
    "no webhook was sent: subscribe an endpoint first, then let something happen",
)


@click.command()
@click.argument("order_id", metavar="[ID]", required=False, shell_complete=complete_orders)
@LIMIT
@with_world
def orders(sim: RemoteWorld, order_id: str | None, limit: int, as_json: bool) -> None:
    """List the orders of the world, newest last.

    With an ID, show that order: its money, its recipients with their parcels, what happened to it, and what is still
    to come.
    """
    if order_id is None:
        print_newest(sim.listed("orders"), limit, ORDERS, "this world has no orders", as_json)
        return
    refuse_unused(("limit",), "an order is shown whole")
    _show_order(sim, order_id, as_json)


@click.command()
@click.argument("order_id")
@with_world
def order(sim: RemoteWorld, order_id: str, as_json: bool) -> None:
    """Show an order: its money, its recipients with their parcels, what happened to it, and what is still to come."""
    _show_order(sim, order_id, as_json)


def _show_order(sim: RemoteWorld, order_id: str, as_json: bool) -> None:
    found = _find_order(sim, order_id)
    parcels = sim.listed("parcels", team_order_id=order_id)
    journey = sim.send("GET", "/journey", query={"about": f"order:{order_id}"})
    if as_json:
        print_json({"order": found, "parcels": parcels, "journey": journey})
        return
    owner = f"account {found['account_id']}" if found["account_id"] is not None else f"team {found['team_id']}"
    click.echo(f"order {found['id']} of {owner}: {found['status']}, created {found['created_at']}")
    paid = f"paid {found['paid_at']}" if found["paid_at"] else "not paid"
    click.echo(
        f"total {money(found['total_cents'])}, charged {money(found['charged_cents'])}, "
        f"refunded {money(found['refunded_cents'])}; {paid}"
    )
    print_table(parcels, PARCELS, "no recipients yet")
    print_table(list(_told(journey)), JOURNEY, "")


def _told(journey: Row) -> Iterator[Row]:
    """What happened with its effects, now, and what is to come with its condition."""
    for moment in journey["story"]:
        yield {"at": moment["at"], "what": moment["what"], "how": None}
        for effect in moment["effects"]:
            answered = f" ({effect['answered']})" if effect["answered"] is not None else ""
            yield {"at": None, "what": f"- {effect['what']}", "how": f"{effect['status'] or ''}{answered}"}
    yield {"at": journey["now"], "what": "now", "how": None}
    for step in journey["ahead"]:
        many = f" ({step['count']} parcels)" if step["count"] > 1 else ""
        yield {
            "at": step["at"],
            "what": f"{step['what']}{many}",
            "how": f"if {step['if']['what']}" if step["if"] else None,
        }


@click.command()
@click.argument("order_id", shell_complete=complete_orders)
@click.option("--recipient", type=WholeNumber(0), help="The recipient's position in the order, from 0.")
@with_world
def claim(sim: RemoteWorld, order_id: str, recipient: int | None, as_json: bool) -> None:
    """Claim a gift of an order as its recipient would, with an address that is made up."""
    body: dict[str, Any] = {"team_order_id": int(order_id) if order_id.isdecimal() else order_id}
    body["recipient"] = _only_recipient(sim, order_id) if recipient is None else recipient
    parcel = sim.send("POST", "/simulate/claim", body)
    if as_json:
        print_json(parcel)
        return
    print_table([parcel], PARCELS, "")


def _find_order(sim: RemoteWorld, order_id: str) -> Row:
    found = sim.listed("orders")
    for row in found:
        if str(row["id"]) == order_id:
            return row
    newest = ", ".join(str(row["id"]) for row in found[-5:]) or "none"
    raise click.ClickException(f"world {sim.id} has no order {order_id}; the newest are {newest}")


def _only_recipient(sim: RemoteWorld, order_id: str) -> int:
    """The position of the one recipient of an order; of several, one has to be named."""
    parcels = sim.listed("parcels", team_order_id=order_id)
    if len(parcels) > 1:
        names = ", ".join(f"{i} {row['name'] or row['email']}" for i, row in enumerate(parcels[:10]))
        raise click.UsageError(f"order {order_id} has {len(parcels)} recipients: name one with --recipient ({names})")
    return 0


def _summary(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)
