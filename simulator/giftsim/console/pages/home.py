"""The home of a world: a first gift, what happened last, what is due next, and what waits for the user."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, g, redirect, request, url_for

from giftsim.console.control_client import WorldControl, current_control, current_world, new_name, real_call
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.figures import figures
from giftsim.console.filters import money, plural
from giftsim.console.flow import LOOKED_AT, flow
from giftsim.console.guide import guide
from giftsim.console.names import fetch_titles
from giftsim.console.page import IDLE_RUN, Place, act_and_return, if_refused, redirect_back, render_page
from giftsim.console.strip import DUE, PAST

BLUEPRINT = Blueprint("home", __name__)
PLACES = (Place("Home", "home.show", "h", "home", "", 1),)
DEMO = Path(__file__).parents[1] / "demo.yaml"
LISTED, UNPAID, NEWEST = 8, 3, 60
FIRST_GIFT = {
    "gift_sender": "Ada",
    "gift_message": "Welcome to the team!",
    "items": [{"sku_code": "MUG-01", "quantity": 1}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
# What can wait for the user: the list, its status, its singular and plural, the page to open and its query.
WAITING: tuple[tuple[str, str, str, str, str, dict[str, Any]], ...] = (
    ("approvals", "pending", "approval to decide", "approvals to decide", "inbox.show", {}),
    ("proofs", "in_review", "proof to review", "proofs to review", "inbox.show", {}),
    ("proofs", "ready_to_sign", "proof to sign", "proofs to sign", "inbox.show", {}),
    ("events", "dead", "webhook that was given up", "webhooks that were given up", "webhooks.show", {"status": "dead"}),
    (
        "events",
        "pending",
        "webhook not delivered yet",
        "webhooks not delivered yet",
        "webhooks.show",
        {"status": "pending"},
    ),
)
SENDER, PATH = "partner.prepaid", "/api/external/team-orders"


@BLUEPRINT.get("/")
def start() -> Response:
    """The home of the default world, for the address without a path."""
    return show()


@BLUEPRINT.get("/w/<world>/")
def show() -> Response:
    """The home of a world."""
    world = current_world()
    described = world.describe()
    due = due_next(world)
    fetch_titles(row["about"] for row in due)
    lately = world.get("changes", after=max(0, g.cursor - PAST), limit=PAST)["changes"]
    failures = request.args.get("flow") == "failures"
    return render_page(
        "home.html",
        world=described,
        due=due,
        flow=flow(lately[-LOOKED_AT:], failures=failures),
        figures=figures(described, lately),
        guide=guide(world),
        needs=needs(world, described["urls"]),
        call=first_call(described),
    )


def first_call(described: dict[str, Any]) -> str | None:
    """The command that sends a first gift; None in a world without gifts."""
    if SENDER not in described["credentials"]:
        return None
    url = described["urls"]["partner"] + "/team-orders"
    return with_key_line(curl_command("POST", url, first_gift(described), key=KEY), described["credentials"][SENDER])


@BLUEPRINT.get("/w/<world>")
def without_slash() -> Response:
    """The home of a world, whose path ends with a slash."""
    return redirect(url_for("home.show"), 301)  # type: ignore[return-value]


@BLUEPRINT.post("/w/<world>/first-gift")
def send_first_gift() -> Response:
    """Send a gift by the call that the page shows."""
    return act_and_return(
        "Send a gift",
        lambda world: real_call(world, SENDER, PATH, first_gift(world.describe()))["team_order"],
        said=lambda order: f"Sent: order {order['id']}. Bo has mail with a link to the claim page.",
        then=lambda order: url_for("orders.one", kind="order", record_id=order["id"]),
    )


@BLUEPRINT.post("/w/<world>/guide/hide")
def hide_guide() -> Response:
    """Hide the list of what to do in the demo."""
    return redirect_back("The list is hidden.")


@BLUEPRINT.post("/w/<world>/demo")
@if_refused("The demo was not played")
def play_demo() -> Response:
    """Play the demo in a world of its own and go there."""
    yaml = {"Content-Type": "application/yaml"}
    report = current_control().send("POST", "/scenarios/play", DEMO.read_text(), query={"keep": True}, headers=yaml)
    text = f"This is {report['world']}, a world in which the demo was played. It is yours: look around, go on."
    return redirect_back(text, to=url_for("home.show", world=report["world"]))


def first_gift(described: dict[str, Any]) -> dict[str, Any]:
    """The body of the call that sends a gift; its idempotency key is new for every call of the world's clients."""
    return {"idempotency_key": new_name(described), **FIRST_GIFT}


def due_next(world: WorldControl) -> list[dict[str, Any]]:
    """What is due next, without the hourly run if it has nothing to send."""
    timers = world.get("timers", limit=DUE)["timers"][:LISTED]
    return [timer for timer in timers if timer["because"] != IDLE_RUN]


OF_TEAMS = ("approvals", "proofs")
# The icon and the tone of what waits, by its kind.
LOOKS = {"approvals": ("flag", "wait"), "events": ("hook", "bad"), "orders": ("money", "bad")}


def needs(world: WorldControl, urls: Container[str]) -> list[dict[str, Any]]:
    """What waits for the user: unpaid orders, and how many of each other kind, with the paths of their pages."""
    waiting = _unpaid(world) if "partner" in urls else []
    for records, status, one, many, endpoint, query in WAITING:
        if records in OF_TEAMS and "team" not in urls:
            continue
        count = world.get(records, limit=1, counts=True)["counts"].get(status, 0)
        if count:
            waiting.append(_need(records, plural(count, one, many), url_for(endpoint, **query)))
    return waiting


def _need(kind: str, text: str, path: str, order: object = None) -> dict[str, Any]:
    icon, tone = LOOKS.get(kind, ("inbox", "wait"))
    return {"text": text, "path": path, "icon": icon, "tone": tone, "order": order}


def _unpaid(world: WorldControl) -> list[dict[str, Any]]:
    """Those of the newest orders whose payment failed. Older ones are not looked at: a page must not grow with them."""
    found = world.get("orders", order="newest", limit=NEWEST)["orders"]
    rows = [row for row in found if row["status"] == "unpaid"]
    waiting = [
        _need(
            "orders",
            f"{row['title']} was not paid: {money(row['total_cents'])}",
            url_for("orders.one", kind="order", record_id=row["id"]),
            row["id"],
        )
        for row in rows[:UNPAID]
    ]
    more = len(rows) - len(waiting)
    path = url_for("orders.orders", q="status:unpaid")
    return [*waiting, _need("orders", plural(more, "more unpaid order"), path)] if more else waiting
