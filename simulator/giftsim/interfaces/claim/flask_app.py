"""The Flask application beside the contract routes: claim pages, published contracts, and errors for other paths."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask, Response, g, redirect, request
from werkzeug.exceptions import HTTPException

from giftsim.event_log.log import NO_RESPONSE
from giftsim.gateway.call import ConnectionDropped
from giftsim.gateway.contract import document
from giftsim.gateway.problem import BodyTooLarge, InjectedFault
from giftsim.interfaces.claim.messages import OTHER, WAYS, sentence
from giftsim.interfaces.claim.page_headers import page_headers
from giftsim.interfaces.claim.pages import log_outcome, show_claim, submit_claim
from giftsim.interfaces.claim.responses import error_body, html_response, is_form, json_response, wants_html
from giftsim.paths import CONTROL
from giftsim.problem import Problem
from giftsim.worlds.registry import Registry

HTTP_CODES = {404: "not_found", 405: "method_not_allowed"}
TOO_LARGE = 413
MAX_CLAIM_BYTES = 64 * 1024  # anyone may post a claim; its members have at most 200 characters each (G85)
ICON = (  # a parcel with a bow
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#0b6e4f" stroke-width="1.2">'
    '<rect x="1" y="4" width="14" height="11" rx="2" fill="#0b6e4f"/><path d="M8 4v11M1 8h14" stroke="#fff"/>'
    '<path d="M8 4C5-1 1 3 8 4c7-1 3-5 0 0"/></svg>'
)


def flask_app(registry: Registry, contracts: Mapping[str, Path]) -> Flask:
    """The application; `contracts` are published under `/openapi/{name}.json`."""
    app = Flask("giftsim.interfaces.claim", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_CLAIM_BYTES
    app.config["PROPAGATE_EXCEPTIONS"] = True  # a dropped connection is raised on to the server

    _add_claim_pages(app, registry)
    _add_contracts(app, contracts)

    @app.before_request
    def choose_request_id() -> None:
        g.request_id = registry.next_request_id()

    @app.after_request
    def add_request_id(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        log_outcome(response.status_code)
        return response

    app.after_request(page_headers(app))
    app.register_error_handler(ConnectionDropped, _on_dropped_connection)
    app.register_error_handler(Problem, _on_problem)
    app.register_error_handler(HTTPException, _on_http_error)
    app.register_error_handler(Exception, lambda error: _on_bug(registry, error))
    return app


def _add_claim_pages(app: Flask, registry: Registry) -> None:
    @app.get("/claim/<world_id>/<token>")
    def show(world_id: str, token: str) -> Response:
        return show_claim(registry.find(world_id), token)

    @app.post("/claim/<world_id>/<token>")
    def submit(world_id: str, token: str) -> Response:
        return submit_claim(registry.find(world_id), token)


def _add_contracts(app: Flask, contracts: Mapping[str, Path]) -> None:
    @app.get("/openapi/<name>.json")
    def contract(name: str) -> Response:
        if name not in contracts:
            return json_response(404, error_body("not_found", f"there are contracts for {', '.join(contracts)}"))
        return json_response(200, document(contracts[name]))

    @app.get("/favicon.ico")
    def icon() -> Response:
        return Response(ICON, mimetype="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.get("/")
    def index() -> Any:
        return redirect(f"{CONTROL}/health")


def _on_dropped_connection(dropped: ConnectionDropped) -> Response:
    log_outcome(NO_RESPONSE)
    raise dropped


def _on_problem(problem: Problem) -> Response:
    """A problem as its page or JSON; an injected fault has a status, a code and a `Retry-After` of its own."""
    retry_after: int | None = None
    status, code = problem.status, problem.code
    if isinstance(problem, InjectedFault):
        status, code, retry_after = problem.injected
    response = _error(status, code, problem.message, **problem.details)
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response


def _error(status: int, code: str, message: str, **details: Any) -> Response:
    """An error as a page for a person who opened or sent a claim page, as JSON for all others."""
    if not (request.path.startswith("/claim/") and (wants_html() or is_form())):
        return json_response(status, error_body(code, message, **details))
    way = WAYS.get(code, OTHER)
    text = sentence(message)
    return html_response(
        status, "message.html", title=way.title, text="" if text == f"{way.title}." else text, way=way.text,
        label=way.label, link=request.path if way.label else None,
    )  # fmt: skip


def _on_http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if status == TOO_LARGE:
        return _on_problem(BodyTooLarge(f"the body is larger than {MAX_CLAIM_BYTES} bytes"))
    code = HTTP_CODES.get(status, f"status_{status}")
    return _error(status, code, f"{request.method} {request.path[:200]}: {error.description}")


def _on_bug(registry: Registry, error: Exception) -> Response:
    registry.runtime.log_bug(g.request_id, error)
    return _error(500, "internal_error", "the simulator failed; its log has the request id")
