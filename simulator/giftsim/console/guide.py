"""The guided start: a list of five things to do in the demo's world, each ticked once it is done.

What was done stands in a cookie of the world, because an undo takes it back in the world and not in the list.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from flask import Response, g, request, url_for

from giftsim.console.control_client import WorldControl

COOKIE, HIDDEN = "giftsim-guide", "hidden"
KEPT_S = 30 * 24 * 3600
MARK = "demo-addressed"  # the idempotency key of the demo's first order
# The endpoint of the console by which each step is done.
DONE_BY: Final = {
    "webhooks.event": "see",
    "webhooks.delivery": "see",
    "webhooks.resend": "resend",
    "webhooks.resend_all": "resend",
    "orders.retry": "fund",
    "moments.undo": "undo",
    "compare.fork": "branch",
    "worlds.fork": "branch",
    "home.hide_guide": HIDDEN,
}

# Each step: its name, its title, what it is about, and the text of its button.
STEPS: Final = (
    (
        "see",
        "See an outage stop your webhooks",
        "The app gets 503. The event says when it is sent again.",
        "Open the event",
    ),
    ("resend", "Resend what failed", "End the outage, and send the webhook again.", "Mend the event"),
    ("fund", "Pay for an order that failed", "Fay’s order got a 402. Fund the wallet and retry.", "Open Fay’s order"),
    ("undo", "Undo it, and see the 402 come back", "Undo takes back what was done last.", "Open Fay’s order to undo"),
    ("branch", "Branch this world and compare", "Two continuations of one past, side by side.", "Compare worlds"),
)


class Step(NamedTuple):
    """A thing to do: what it is called, what it is about, and a button to the page where it is done."""

    name: str
    title: str
    text: str
    button: str
    path: str
    done: bool


def guide(world: WorldControl) -> list[Step]:
    """The steps in the demo's world; none in another one, or once they were hidden."""
    done = _done()
    if HIDDEN in done or not _is_demo(world):
        return []
    events = world.get("events", q="team_order.shipped", order="newest", limit=1)["events"]
    hook = url_for("webhooks.event", event_id=events[0]["id"]) if events else url_for("webhooks.show")
    found = world.get("orders", q="fay@example.com", order="newest", limit=1)["orders"]
    page = url_for("orders.one", kind="order", record_id=found[0]["id"]) if found else url_for("orders.orders")
    paths = {"see": hook, "resend": hook, "fund": page, "undo": page, "branch": url_for("compare.show")}
    return [Step(*each, paths[each[0]], each[0] in done) for each in STEPS]


def tick_finished_step(response: Response) -> Response:
    """Tick the step that a request has done, unless it was refused."""
    step = DONE_BY.get(request.endpoint or "")
    if step and response.status_code < 400 and not g.get("refused") and step not in (done := _done()):
        response.set_cookie(_cookie(), ":".join((*done, step)), max_age=KEPT_S, httponly=True, samesite="Strict")
    return response


def _done() -> list[str]:
    return [step for step in request.cookies.get(_cookie(), "").split(":") if step]


def _cookie() -> str:
    """The name of the cookie: a browser can have several demos, each in a world of its own."""
    return f"{COOKIE}-{g.world_id}"


def _is_demo(world: WorldControl) -> bool:
    calls: list[dict[str, Any]] = world.get("calls", limit=2)["calls"]
    return any(MARK in (call["request"]["body"] or "") for call in calls)
