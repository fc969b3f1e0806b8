"""The claim page: show a gift, and take the recipient's address and choices (B17, B52)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Response, g, request

from giftsim.engine.gateway import json_body
from giftsim.engine.gateway.call import ConnectionDropped
from giftsim.engine.gateway.cors import is_same_origin
from giftsim.engine.gateway.faults import page_faults
from giftsim.engine.gateway.faults.effects import draw_delay
from giftsim.engine.gateway.problem import InvalidJson
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import ClientCall
from giftsim.engine.log.log import NO_RESPONSE
from giftsim.engine.log.segment import CallOutcome
from giftsim.engine.pages.responses import Theme, framed, is_form, json_response, wants_html
from giftsim.engine.problem import Problem
from giftsim.engine.worlds.registry import Registry
from giftsim.engine.worlds.world import World
from giftsim.services.gifting.domain.fulfilment.claim import (
    claim_by_token,
    claim_receipt,
    find_order_of_link,
    read_claim_page,
    read_claimed,
    taken_seat,
)
from giftsim.services.gifting.domain.fulfilment.fulfilment import TeamFulfilment
from giftsim.services.gifting.domain.fulfilment.order_errors import InvalidClaim
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.team.design.branding import branding_of
from giftsim.services.gifting.domain.team.orders.team_fulfilment import FULFILLED_OWNER
from giftsim.services.gifting.domain.team.tenant import tenant_of_owner
from giftsim.services.gifting.interfaces.claim import CLAIM
from giftsim.services.gifting.interfaces.claim.form_fields import CHOOSE_COUNTRY, COUNTRY, claim_of, misplaced_state
from giftsim.services.gifting.interfaces.claim.form_page import claim_json, form_page, form_with_errors, thanks_page

SHEETS = ("page.css", "claim.css")
NO_BRAND = Theme(sheets=SHEETS)


def brand_of_link(state: State, token: str) -> Theme:
    """The theme of a link's page, even if the link cannot be used. A partner's order has a sender but no color."""
    order = find_order_of_link(state, token)
    if order is None:
        return NO_BRAND
    if not isinstance(order, TeamFulfilment):
        return Theme(order.gift_sender, sheets=SHEETS)
    tenant = tenant_of_owner(state, state.handler_of(FULFILLED_OWNER, order.resource)(state, order.subject))
    return Theme(order.gift_sender, branding_of(state, tenant).primary_color, SHEETS)


LOGGED_HEADERS = ("Accept", "Content-Type")  # the headers that a response depends on
SEE_OTHER = 303
SAME_SITE = (None, "none")  # the browser does not send it, or the user opened the page directly


class ForeignOrigin(Problem, status=403, code="foreign_origin"):
    """A page of another site tried to post a claim (G20)."""


def show_claim(world: World, token: str) -> Response:
    """Show the gift, and the form to claim it."""
    with world.locked() as state:
        world.clock.catch_up()
        g.theme = brand_of_link(state, token)
        page = read_claim_page(state, token)
    if not wants_html():
        return json_response(200, claim_json(page))
    return form_page(200, page, {}, {})


def form_for_country(world: World, token: str, country: str) -> Response:
    """The form again, with all that was entered, for an address in another country. Nothing is claimed."""
    with world.locked() as state:
        world.clock.catch_up()
        g.theme = brand_of_link(state, token)
        page = read_claim_page(state, token)
    return form_page(200, page, {**request.form, COUNTRY: country}, {}, country_chosen=True)


def submit_claim(world: World, token: str) -> Response:
    """Claim the gift. A form with errors is shown again; JSON with errors is a 422."""
    _check_origin()
    content = request.get_data()  # before the form is read, because reading consumes the body
    if is_form() and CHOOSE_COUNTRY in request.form:
        return form_for_country(world, token, request.form[CHOOSE_COUNTRY])
    claim = claim_of(request.form) if is_form() else _json_claim()
    delay_s, effect = 0.0, page_faults.NO_EFFECT
    try:
        with world.locked() as state:
            world.clock.catch_up()
            g.theme = brand_of_link(state, token)
            call = _client_call(world, content)
            world.add_event(call)
            effect = page_faults.choose_effect(state, CLAIM)
            try:
                with _logged_failure(world, call):
                    delay_s = _inject_on_entry(world, token, effect)
                    taken = taken_seat(state, token, claim.get("email"))
                    recipient = taken or _claim(state, token, claim)
            except InvalidClaim as problem:
                if not is_form():
                    raise
                return form_with_errors(read_claim_page(state, token), problem)
            receipt = claim_receipt(state, recipient)
            status = NO_RESPONSE if effect.get("drop") == "after" else SEE_OTHER if is_form() else None
            world.event_log.set_outcome(call.n, CallOutcome(wrote=taken is None, status=status))
            if taken is None:
                world.note(CLAIM, recipient.n)
        world.deliveries.send_in_background()
    finally:
        if delay_s:
            world.calls.delay(delay_s)
    if effect.get("drop") == "after":
        raise ConnectionDropped("fault drop: after")
    return _see_receipt(token, receipt) if is_form() else json_response(200, {"status": "submitted"})


def _claim(state: State, token: str, claim: Mapping[str, Any]) -> Recipient:
    with state.transaction():
        recipient = claim_by_token(state, token, claim)
        if is_form() and (errors := misplaced_state(request.form)):
            raise InvalidClaim(errors[0]["message"], errors=errors)
        return recipient


def _see_receipt(token: str, receipt: str) -> Response:
    """Send the browser to the page after the claim, so that a reload asks for that page and claims nothing (G370)."""
    return Response(status=SEE_OTHER, headers={"Location": f"{token}/{receipt}"})


def show_receipt(world: World, token: str, receipt: str) -> Response:
    """Show what was claimed, and where it goes."""
    with world.locked() as state:
        world.clock.catch_up()
        g.theme = brand_of_link(state, token)
        page, recipient = read_claimed(state, token, receipt)
    if not wants_html():
        return json_response(200, {"status": "submitted"})
    return thanks_page(page, recipient)


@contextmanager
def _logged_failure(world: World, call: ClientCall) -> Iterator[None]:
    """Log how the claim fails in the block, before an undo can take the call out of the log."""
    try:
        yield
    except ConnectionDropped:
        world.event_log.set_outcome(call.n, CallOutcome(status=NO_RESPONSE))
        raise
    except Problem as problem:
        world.event_log.set_outcome(call.n, CallOutcome(status=problem.status))
        raise


def _check_origin() -> None:
    """Refuse what a page of another site sends.

    A browser says so in `Sec-Fetch-Site`, which no page can forge. Where it does not, the `Origin` must be this host.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site == "same-origin":
        return
    own = origin is None or is_same_origin(origin, request.host)
    if site not in SAME_SITE or not own:
        raise ForeignOrigin("a claim is entered on its own page, and this one came from another site")


def _json_claim() -> Mapping[str, Any]:
    body = json_body.parse(request.get_data() or b"{}")
    if not isinstance(body, dict):
        raise InvalidJson("a claim is a JSON object: {address, selection?, name?, email?}")
    return body


def _client_call(world: World, content: bytes) -> ClientCall:
    """The recipient's call as an event of the world, without the headers that depend on this machine."""
    headers = tuple((name, value) for name, value in request.headers.items() if name in LOGGED_HEADERS)
    path = request.full_path.removesuffix("?")
    return ClientCall(
        at_ms=world.state.now_ms,
        method=request.method,
        path=path,
        headers=headers,
        body=content,
        during=world.clock.waits_for,
    )


def _inject_on_entry(world: World, token: str, effect: Mapping[str, Any]) -> float:
    """Apply a fault that acts when the call arrives; returns the delay of the response in seconds."""
    if effect.get("drop") == "before":
        raise ConnectionDropped("fault drop: before")
    page_faults.inject_status(effect)
    delay_s = draw_delay(world.state.seed, f"delay of claim {token}", effect.get("delay_s", 0))
    if delay_s:
        world.runtime.waiters.reserve()
    return delay_s


def claim_page(registry: Registry) -> Blueprint:
    """The claim page as a blueprint for the Flask application."""
    routes = Blueprint("claim", __name__, template_folder="templates")

    @routes.get("/claim/<world>/<token>")
    def show(world: str, token: str) -> Response:
        return show_claim(registry.find(world), token)

    @routes.get("/claim/<world>/<token>/<receipt>")
    def receipt(world: str, token: str, receipt: str) -> Response:
        return show_receipt(registry.find(world), token, receipt)

    @routes.post("/claim/<world>/<token>")
    def submit(world: str, token: str) -> Response:
        return submit_claim(registry.find(world), token)

    routes.after_request(framed)
    routes.register_error_handler(ConnectionDropped, _pass_on)
    return routes


def _pass_on(dropped: ConnectionDropped) -> Response:
    """Leave it to the server, which closes the connection: it is not an internal error."""
    raise dropped
