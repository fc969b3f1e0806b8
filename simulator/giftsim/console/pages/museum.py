"""The museum: a month of its hours and events, tickets with their QR codes, and a form that buys one."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from typing import Any

from flask import Blueprint, Response, request, url_for
from markupsafe import Markup

from giftsim.console.control_client import WorldControl, current_world, real_call
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.page import Place, act_and_return, query_members, redirect_back, render_page
from giftsim.engine.client.control import quote_segment

QUIET_MODULES = 4


def qr_svg(text: str, title: str) -> Markup:
    """The QR code of a text as an `<svg>` of dark modules on a light ground, also where the page is dark."""
    import segno  # only who looks at a ticket pays for it

    code = segno.make_qr(text, error="m")
    size = code.symbol_size(border=QUIET_MODULES)[0]
    rows = enumerate(code.matrix_iter(border=QUIET_MODULES))
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in rows for x, dark in enumerate(row) if dark)
    return Markup(
        '<svg class="qr" role="img" aria-label="{title}" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        '<rect class="qr-light" width="{size}" height="{size}"/><path class="qr-dark" d="{path}"/></svg>'
    ).format(title=title, size=size, path=path)


BLUEPRINT = Blueprint("museum", __name__)
PLACES = (Place("Museum", "museum.show", "u", "museum", "World", 3, of="museum"),)
BUY, BUYER = "/v1.1/tickets", "museum"
LISTED = 50
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@BLUEPRINT.get("/w/<world>/museum")
def show() -> Response:
    """A month of the museum, its events of that month, the form for a ticket, and the newest tickets."""
    world = current_world()
    described = world.describe()
    first = _month(request.args.get("month"), described["now"])
    days = world.get("museum/days", **{"from": first.isoformat()}, limit=monthrange(first.year, first.month)[1])["days"]
    ticket = _ticket(request.args.to_dict(), described["now"][:10])
    return render_page(
        "museum.html",
        first=first,
        weeks=_weeks(days, first),
        today=described["now"][:10],
        around=_around(first),
        events=_events(world, days),
        chosen=ticket,
        tickets=world.get("museum/tickets", order="newest", limit=LISTED, **query_members("q", "before")),
        weekdays=WEEKDAYS,
        call=_command(described, ticket),
    )


@BLUEPRINT.get("/w/<world>/museum/tickets/<id>")
def ticket(id: str) -> Response:  # noqa: A002 (the name of the path's parameter)
    """One ticket with its QR code."""
    found = current_world().get(f"museum/tickets/{quote_segment(id)}")
    return render_page(
        "ticket.html", ticket=found, qr=qr_svg(found["qr_text"], f"QR code of the ticket {found['ticket_id']}")
    )


@BLUEPRINT.post("/w/<world>/museum/tickets")
def buy() -> Response:
    """Buy a ticket by a real call of the museum, and go to it."""
    body = _ticket(request.form.to_dict(), "")
    if body["ticketType"] == "event" and "eventId" not in body:
        return redirect_back("A ticket for an event needs one: choose it.", failed=True)
    return act_and_return(
        "Buy a ticket",
        lambda world: real_call(world, BUYER, BUY, body),
        said=lambda sold: f"{sold['message']}: {sold['confirmationCode']}.",
        then=lambda sold: url_for(".ticket", id=sold["ticketId"]),
    )


def _ticket(fields: dict[str, str], today: str) -> dict[str, str]:
    """The body of a purchase from the fields of a form or a query."""
    event_id = fields.get("event", "").strip()
    body = {
        "ticketType": "event" if event_id else "general",
        "ticketDate": fields.get("date", "").strip() or today,
        "email": fields.get("email", "ada@example.com").strip(),
    }
    return {**body, "eventId": event_id} if event_id else body


def _month(text: str | None, now: str) -> date:
    """The first day of a month written `YYYY-MM`, else of the world's current month."""
    try:
        return date.fromisoformat(f"{text or now[:7]}-01")
    except ValueError:
        return date.fromisoformat(f"{now[:7]}-01")


def _around(first: date) -> list[tuple[str, str]]:
    """The month before and the one after, with their names."""
    months = [first.year * 12 + first.month - 1 + step for step in (-1, 1)]
    found = [date(month // 12, month % 12 + 1, 1) for month in months if 12 <= month <= 9999 * 12 + 11]
    return [(f"{month:%Y-%m}", f"{month:%B %Y}") for month in found]


def _weeks(days: list[dict[str, Any]], first: date) -> list[list[dict[str, Any] | None]]:
    """The days in weeks from Monday, with None for days of other months."""
    cells: list[dict[str, Any] | None] = [None] * first.weekday() + list(days)
    cells += [None] * (-len(cells) % 7)
    return [cells[start : start + 7] for start in range(0, len(cells), 7)]


def _events(world: WorldControl, days: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The special events of a month, in order of their days."""
    ids = list(dict.fromkeys(each["event_id"] for day in days for each in day["events"]))
    found = {event["event_id"]: event for event in world.get("museum/events", order="newest", limit=1000)["events"]}
    return [found[each] for each in ids[:LISTED] if each in found]


def _command(described: dict[str, Any], body: dict[str, str]) -> str:
    call = curl_command("POST", f"{described['urls']['museum']}/tickets", body, user=KEY)
    return with_key_line(call, described["credentials"][BUYER])
