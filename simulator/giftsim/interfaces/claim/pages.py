"""The Flask application behind the contract routes: claim pages, published contracts, and errors for all the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from flask import Flask, Response, g, redirect, render_template, request
from werkzeug.exceptions import HTTPException

from giftsim.domain.fulfilment.claim import ClaimPage, claim_by_token, read_claim_page
from giftsim.domain.fulfilment.problem import InvalidClaim
from giftsim.event_log.events import ClientCall
from giftsim.event_log.log import NO_RESPONSE, CallOutcome
from giftsim.gateway import json_body
from giftsim.gateway.call import ConnectionDropped
from giftsim.gateway.contract import document
from giftsim.gateway.faults import claim_page as faults
from giftsim.gateway.faults.connection import draw_delay
from giftsim.gateway.problem import InjectedFault, InvalidJson
from giftsim.interfaces.claim.form import entry_of
from giftsim.kernel.instants import instant_or_null
from giftsim.paths import CONTROL
from giftsim.problem import Problem
from giftsim.worlds import held_calls
from giftsim.worlds.registry import Registry
from giftsim.worlds.sending import send_in_background
from giftsim.worlds.world import World

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
KEPT = ("Accept", "Content-Type")  # what an answer depends on
TITLES = {"claim_used": "This gift was claimed already", "claim_expired": "This link has expired"}
THANKS = "Thank you. Your gift is on its way to you soon."


class ForeignOrigin(Problem):
    """A page of another site tried to post a claim (G20)."""

    status = 403
    code = "foreign_origin"


def pages(registry: Registry, contracts: Mapping[str, Path]) -> Flask:
    """The application; `contracts` are published under `/openapi/{name}.json`."""
    app = Flask("giftsim.interfaces.claim", static_folder=None)
    app.config["PROPAGATE_EXCEPTIONS"] = True  # a dropped connection goes up to the server

    @app.get("/claim/<world_id>/<token>")
    def show(world_id: str, token: str) -> Response:
        return _shown(registry.find(world_id), token)

    @app.post("/claim/<world_id>/<token>")
    def enter(world_id: str, token: str) -> Response:
        _own_origin()
        return _entered(registry.find(world_id), token)

    @app.get("/openapi/<name>.json")
    def contract(name: str) -> Response:
        if name not in contracts:
            return _json(404, _error("not_found", f"there are contracts for {', '.join(contracts)}"))
        return _json(200, document(contracts[name]))

    @app.get("/")
    def front() -> Any:
        return redirect(f"{CONTROL}/health")

    @app.before_request
    def name() -> None:
        g.request_id = registry.next_request_id()

    @app.after_request
    def named(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        _see(response.status_code)
        return response

    app.register_error_handler(ConnectionDropped, _gone)
    app.register_error_handler(Problem, _refused)
    app.register_error_handler(HTTPException, _unrouted)
    app.register_error_handler(Exception, lambda error: _broken(registry, error))
    return app


def _shown(world: World, token: str) -> Response:
    with world.locked() as state:
        world.catch_up()
        page = read_claim_page(state, token)
    if not _wants_html():
        return _json(200, _view(page))
    return Response(render_template("claim.html", gift=_view(page), given={}, errors={}), mimetype="text/html")


def _entered(world: World, token: str) -> Response:
    sent = request.get_data()  # before the form, which would leave nothing of it
    form = request.mimetype in FORMS
    entry = entry_of(request.form) if form else _body()
    late_s, effect = 0.0, faults.NO_EFFECT
    try:
        with world.locked() as state:
            world.catch_up()
            came = _came(world, sent)
            world.event_log.add(came)
            g.came = world, came.n
            effect = faults.choose_effect(state)
            late_s = _met(world, token, effect)
            page = read_claim_page(state, token)
            try:
                with state.transaction():
                    claim_by_token(state, token, entry)
                world.event_log.set_outcome(came.n, CallOutcome(wrote=True))
            except InvalidClaim as problem:
                if not form:
                    raise
                return _asked_again(page, problem)
        send_in_background(world)
    finally:
        if late_s:
            held_calls.delay(world.runtime, world, late_s)
    if effect.get("drop") == "after":
        raise ConnectionDropped("fault drop: after")
    return _said(200, "Thank you", THANKS) if form else _json(200, {"status": "submitted"})


def _met(world: World, token: str, effect: Mapping[str, Any]) -> float:
    """Let a fault of the claim act that acts on entry; by how many seconds the answer is late."""
    if effect.get("drop") == "before":
        raise ConnectionDropped("fault drop: before")
    faults.inject_status(effect)
    late_s = draw_delay(world.state.seed, f"delay of claim {token}", effect.get("delay_s", 0))
    if late_s:
        world.runtime.waiters.reserve()
    return late_s


def _came(world: World, sent: bytes) -> ClientCall:
    """The guest's call as an input of the world; where it comes from is left out, since that is this machine."""
    kept = tuple((name, value) for name, value in request.headers.items() if name in KEPT)
    path = request.full_path.removesuffix("?")
    return ClientCall(
        at_ms=world.state.now_ms, method=request.method, path=path, headers=kept, body=sent,
        during=world.current_delivery,
    )  # fmt: skip


def _asked_again(page: ClaimPage, problem: InvalidClaim) -> Response:
    listed = cast("list[dict[str, str]]", problem.details["errors"])
    errors = {error["field"]: error["message"] for error in listed}
    shown = render_template("claim.html", gift=_view(page), given=request.form, errors=errors)
    return Response(shown, 422, mimetype="text/html")


def _body() -> Mapping[str, Any]:
    body, _ = json_body.parse(request.get_data() or b"{}")
    if not isinstance(body, dict):
        raise InvalidJson("a claim is a JSON object: {address, selection?, name?, email?}")
    return body


def _view(page: ClaimPage) -> dict[str, Any]:
    return {
        "status": page.status,
        "gift_sender": page.gift_sender,
        "message": page.message,
        "items": [{"name": item.name, "quantity": item.quantity} for item in page.items],
        "choices": [
            {
                "variation_id": choice.variation_id, "name": choice.name, "item": choice.product,
                "options": [{"option_id": option.id, "name": option.name} for option in choice.options],
            }
            for choice in page.choices
        ],
        "countries": list(page.countries),
        "expires_at": instant_or_null(page.expires_at_ms),
        "shared": page.shared,
    }  # fmt: skip


def _own_origin() -> None:
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.host.lower():
        raise ForeignOrigin("a claim is entered on its own page; this one came from another site")


def _wants_html() -> bool:
    best = request.accept_mimetypes.best_match(["application/json", "text/html"])
    return best == "text/html"


def _see(status: int) -> None:
    """Remember what a guest's call was answered where that was no success."""
    if "came" in g and status != 200:
        world, n = g.came
        world.event_log.set_outcome(n, CallOutcome(status=status))


def _gone(dropped: ConnectionDropped) -> Response:
    _see(NO_RESPONSE)
    raise dropped


def _refused(problem: Problem) -> Response:
    status, code, wait_s = _said_by(problem)
    answer = _refusal(problem, status, code)
    if wait_s is not None:
        answer.headers["Retry-After"] = str(wait_s)
    return answer


def _said_by(problem: Problem) -> tuple[int, str, int | None]:
    """Status, code and `Retry-After`: a fault's own, where the refusal is injected."""
    return problem.injected if isinstance(problem, InjectedFault) else (problem.status, problem.code, None)


def _refusal(problem: Problem, status: int, code: str) -> Response:
    if request.path.startswith("/claim/") and (_wants_html() or request.mimetype in FORMS):
        title = TITLES.get(code, "This does not work")
        return _said(status, title, f"{problem.message[:1].upper()}{problem.message[1:]}.")
    return _json(status, _error(code, problem.message, **problem.details))


def _unrouted(error: HTTPException) -> Response:
    status = error.code or 500
    code = {404: "not_found", 405: "method_not_allowed"}.get(status, f"status_{status}")
    return _json(status, _error(code, f"{request.method} {request.path[:200]}: {error.description}"))


def _broken(registry: Registry, error: Exception) -> Response:
    registry.runtime.log_bug(g.request_id, error)
    return _json(500, _error("internal_error", "the simulator failed; its log has the request id"))


def _error(code: str, message: str, **details: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "request_id": g.request_id}, **details}


def _said(status: int, title: str, text: str) -> Response:
    return Response(render_template("message.html", title=title, text=text), status, mimetype="text/html")


def _json(status: int, body: object) -> Response:
    return Response(json.dumps(body), status, mimetype="application/json")
