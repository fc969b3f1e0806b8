"""The home of a world: what needs the user, what happens next, what it cost, and how one starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Blueprint, Response, g, redirect, request, url_for

from giftsim.console.ahead import arrivals, due_next, next_steps
from giftsim.console.control_client import current_control, current_world, new_name, real_call
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.figures import figures
from giftsim.console.flow import LOOKED_AT, flow
from giftsim.console.guide import guide
from giftsim.console.needs import read_needs
from giftsim.console.page import Place, act_and_return, if_refused, redirect_back, render_page
from giftsim.console.start import keep_start, read_start
from giftsim.console.strip import DUE, PAST

BLUEPRINT = Blueprint("home", __name__)
PLACES = (Place("Home", "home.show", "h", "home", "", 1),)
DEMO = Path(__file__).parents[1] / "demo.yaml"
LISTED = 5
FIRST_GIFT = {
    "gift_sender": "Ada",
    "gift_message": "Welcome to the team!",
    "items": [{"sku_code": "MUG-01", "quantity": 1}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
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
    lately = world.get("changes", after=max(0, g.cursor - PAST), limit=PAST)["changes"]
    failures = request.args.get("flow") == "failures"
    is_new, due = world.get("attention")["is_new"], due_next(world)
    own = read_start(world, described, due, is_new=is_new)
    page = render_page(
        "home.html",
        world=described,
        ahead=next_steps(due, LISTED, complete=len(due) < DUE - 1),
        arrivals=arrivals(world) if "partner" in described["urls"] else [],
        flow=flow(lately[-LOOKED_AT:], failures=failures),
        figures=figures(described, lately),
        guide=guide(world),
        needs=read_needs(world),
        spending=world.get("spending") if "partner" in described["urls"] else None,
        start=own,
        call=first_call(described) if is_new or (own and own.shown and not own.has_ordered) else None,
    )
    return keep_start(page, own)


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
