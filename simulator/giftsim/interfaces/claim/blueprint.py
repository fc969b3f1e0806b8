"""The routes of the claim page, and what the event log keeps of an unsuccessful claim."""

from __future__ import annotations

from flask import Blueprint, Response

from giftsim.event_log.log import NO_RESPONSE
from giftsim.gateway.call import ConnectionDropped
from giftsim.interfaces.claim.pages import log_outcome, show_claim, submit_claim
from giftsim.worlds.registry import Registry


def claim_page(registry: Registry) -> Blueprint:
    """The claim page as a blueprint for the Flask application."""
    routes = Blueprint("claim", __name__, template_folder="templates")

    @routes.get("/claim/<world>/<token>")
    def show(world: str, token: str) -> Response:
        return show_claim(registry.find(world), token)

    @routes.post("/claim/<world>/<token>")
    def submit(world: str, token: str) -> Response:
        return submit_claim(registry.find(world), token)

    @routes.after_request
    def log_status(response: Response) -> Response:
        log_outcome(response.status_code)
        return response

    routes.register_error_handler(ConnectionDropped, _on_dropped_connection)
    return routes


def _on_dropped_connection(dropped: ConnectionDropped) -> Response:
    log_outcome(NO_RESPONSE)
    raise dropped
