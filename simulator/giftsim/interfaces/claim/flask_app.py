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
from giftsim.gateway.json_body import MAX_BYTES
from giftsim.gateway.problem import BodyTooLarge, InjectedFault
from giftsim.interfaces.claim.page_headers import page_headers
from giftsim.interfaces.claim.pages import log_outcome, show_claim, submit_claim
from giftsim.interfaces.claim.responses import error_body, html_response, is_form, json_response, wants_html
from giftsim.paths import CONTROL
from giftsim.problem import Problem
from giftsim.worlds.registry import Registry

TITLES = {"claim_used": "This gift was claimed already", "claim_expired": "This link has expired"}
OTHER_TITLE = "This does not work"
HTTP_CODES = {404: "not_found", 405: "method_not_allowed"}
TOO_LARGE = 413


def flask_app(registry: Registry, contracts: Mapping[str, Path]) -> Flask:
    """The application; `contracts` are published under `/openapi/{name}.json`."""
    app = Flask("giftsim.interfaces.claim", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES
    app.config["PROPAGATE_EXCEPTIONS"] = True  # a dropped connection is raised on to the server

    @app.get("/claim/<world_id>/<token>")
    def show(world_id: str, token: str) -> Response:
        return show_claim(registry.find(world_id), token)

    @app.post("/claim/<world_id>/<token>")
    def submit(world_id: str, token: str) -> Response:
        return submit_claim(registry.find(world_id), token)

    @app.get("/openapi/<name>.json")
    def contract(name: str) -> Response:
        if name not in contracts:
            return json_response(404, error_body("not_found", f"there are contracts for {', '.join(contracts)}"))
        return json_response(200, document(contracts[name]))

    @app.get("/")
    def index() -> Any:
        return redirect(f"{CONTROL}/health")

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


def _on_dropped_connection(dropped: ConnectionDropped) -> Response:
    log_outcome(NO_RESPONSE)
    raise dropped


def _on_problem(problem: Problem) -> Response:
    """A problem as its page or JSON; an injected fault has a status, a code and a `Retry-After` of its own."""
    retry_after: int | None = None
    status, code = problem.status, problem.code
    if isinstance(problem, InjectedFault):
        status, code, retry_after = problem.injected
    response = _problem_response(problem, status, code)
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response


def _problem_response(problem: Problem, status: int, code: str) -> Response:
    if request.path.startswith("/claim/") and (wants_html() or is_form()):
        text = f"{problem.message[:1].upper()}{problem.message[1:]}."
        return html_response(status, "message.html", title=TITLES.get(code, OTHER_TITLE), text=text)
    return json_response(status, error_body(code, problem.message, **problem.details))


def _on_http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if status == TOO_LARGE:
        return _on_problem(BodyTooLarge(f"the body is larger than {MAX_BYTES} bytes"))
    code = HTTP_CODES.get(status, f"status_{status}")
    return json_response(status, error_body(code, f"{request.method} {request.path[:200]}: {error.description}"))


def _on_bug(registry: Registry, error: Exception) -> Response:
    registry.runtime.log_bug(g.request_id, error)
    return json_response(500, error_body("internal_error", "the simulator failed; its log has the request id"))
