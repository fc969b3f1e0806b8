"""A mail as its reader sees it, with its links checked; and what the claim page is filled in with."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, g, jsonify, make_response, render_template

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.listing import Listing
from giftsim.console.names import fetch_titles
from giftsim.console.page import act_and_return, choose_parameter, origin, render_page
from giftsim.engine.client.control import ControlRefused, quote_segment

BLUEPRINT = Blueprint("mail", __name__)
VIEWS = ("html", "text")
LETTER_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"


class Link(NamedTuple):
    """A link of a mail: its path on this server, "" if it leads elsewhere, and the claim link, None if unknown."""

    url: str
    path: str
    claim: dict[str, Any] | None


def show_mail(listing: Listing, seq: int) -> Response:
    """The page of one mail beside its list."""
    world = current_world()
    found = world.get(f"mail/{seq}")
    links = [_link(world, url) for url in found["links"]]
    fetch_titles([found["about"], *(link.claim["about"] for link in links if link.claim)])
    view = choose_parameter("view", VIEWS)
    return render_page("mail.html", listing=listing, mail=found, links=links, view=view)


@BLUEPRINT.get("/w/<world>/inbox/mail/<int:seq>/letter")
def letter(seq: int) -> Response:
    """The mail alone, as a mail program shows it: a page for a frame, which runs no scripts."""
    world = current_world()
    found = world.get(f"mail/{seq}")
    links = [_link(world, url) for url in found["links"]]
    response = make_response(render_template("inbox/letter.html", mail=found, lines=_lines(found, links)))
    response.headers["Content-Security-Policy"] = LETTER_POLICY
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@BLUEPRINT.post("/w/<world>/inbox/mail/<int:seq>/bounce")
def bounce(seq: int) -> Response:
    """Let a mail bounce."""
    return act_and_return(
        f"Let mail {seq} bounce",
        lambda world: world.post("simulate/mail", {"seq": seq, "event": "bounced"}),
        said=lambda mail: f"The mail to {mail['to']} bounced. Its link still works for whoever has it.",
    )


@BLUEPRINT.get("/w/<world>/claim/<token>")
def entry(token: str) -> Response:
    """What a recipient could enter on the page of a claim link."""
    found = current_world().get(f"claim_links/{quote_segment(token)}")
    if found["entry"] is None:
        abort(409, found["message"])
    return jsonify({**found["entry"], "recipient": found["recipient"]})


def _link(world: WorldControl, url: str) -> Link:
    start = f"{origin()}/claim/{quote_segment(g.world_id)}/"
    if not url.startswith(start):
        return Link(url, "", None)
    try:
        claim = world.get(f"claim_links/{quote_segment(url.removeprefix(start))}")
    except ControlRefused:
        claim = None
    return Link(url, url.removeprefix(origin()), claim)


def _lines(mail: dict[str, Any], links: list[Link]) -> list[tuple[str, str]]:
    """The lines of a mail, each with the path of the claim page that it is a link to."""
    own = {link.url: link.path for link in links}
    return [(line, own.get(line, "")) for line in mail["text"].splitlines() if line]
