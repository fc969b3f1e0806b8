"""The Flask application beside the contract routes: claim pages, published contracts, and errors for other paths."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from giftsim.event_log.log import NO_RESPONSE
from giftsim.gateway.call import ConnectionDropped
from giftsim.gateway.contract import Contract, in_order, path_templates
from giftsim.gateway.nearest_route import INDEX_HINT, nearest_route
from giftsim.gateway.problem import BodyTooLarge, InjectedFault
from giftsim.interfaces.claim.index import OTHERS, as_json, contract_addresses
from giftsim.interfaces.claim.messages import ELSEWHERE, NOWHERE, OTHER, WAYS, sentence
from giftsim.interfaces.claim.page_headers import page_headers
from giftsim.interfaces.claim.pages import log_outcome, show_claim, submit_claim
from giftsim.interfaces.claim.published import published_document
from giftsim.interfaces.claim.responses import error_body, html_response, is_form, json_response, wants_html
from giftsim.kernel.url_passwords import hide_url_passwords
from giftsim.problem import Problem
from giftsim.worlds.registry import Registry

ABOUT = "A sandbox of a corporate-gifting service, with a clock that you control. This is what it has, and where."
CONTRACTS = "Every interface with its operations, as a document of OpenAPI 3.1."
PLACEHOLDER = re.compile(r"<(?:\w+:)?(\w+)>")
TOO_LARGE = 413
MAX_CLAIM_BYTES = 64 * 1024  # anyone may post a claim; its members have at most 200 characters each (G85)
ICON = (  # a parcel with a bow
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#0b6e4f" stroke-width="1.2">'
    '<rect x="1" y="4" width="14" height="11" rx="2" fill="#0b6e4f"/><path d="M8 4v11M1 8h14" stroke="#fff"/>'
    '<path d="M8 4C5-1 1 3 8 4c7-1 3-5 0 0"/></svg>'
)


def flask_app(registry: Registry, contracts: Mapping[str, Contract], version: str) -> Flask:
    """The application; `contracts` are published under `/openapi/{name}.json`, and indexed at `/` and `/openapi`."""
    app = Flask("giftsim.interfaces.claim", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_CLAIM_BYTES
    app.config["PROPAGATE_EXCEPTIONS"] = True  # a dropped connection is raised on to the server
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False  # `_on_http_error` answers them

    _add_claim_pages(app, registry)
    _add_indexes(app, registry, contracts, version)

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
    app.register_error_handler(NotFound, lambda _: _on_not_found(contracts))
    app.register_error_handler(HTTPException, _on_http_error)
    app.register_error_handler(Exception, lambda error: _on_bug(registry, error))
    return app


def _add_claim_pages(app: Flask, registry: Registry) -> None:
    @app.get("/claim/<world>/<token>")
    def show(world: str, token: str) -> Response:
        return show_claim(registry.find(world), token)

    @app.post("/claim/<world>/<token>")
    def submit(world: str, token: str) -> Response:
        return submit_claim(registry.find(world), token)


def _add_indexes(app: Flask, registry: Registry, contracts: Mapping[str, Contract], version: str) -> None:
    described = contract_addresses(contracts)

    @app.get("/")
    def index() -> Response:
        origin, addresses = registry.runtime.origin, (*described, *OTHERS)
        if wants_html():
            title = f"giftsim {version}"
            return html_response(200, "index.html", title=title, text=ABOUT, addresses=addresses, origin=origin)
        return json_response(200, {"name": "giftsim", "version": version, "addresses": as_json(addresses, origin)})

    @app.get("/openapi")
    def contract_index() -> Response:
        origin = registry.runtime.origin
        if wants_html():
            title = "OpenAPI descriptions"
            return html_response(200, "index.html", title=title, text=CONTRACTS, addresses=described, origin=origin)
        return json_response(200, {"contracts": as_json(described, origin)})

    @app.get("/openapi/<name>.json")
    def contract(name: str) -> Response:
        if name not in contracts:
            raise NotFound
        return json_response(200, published_document(name, contracts[name], registry.runtime.origin))

    @app.get("/favicon.ico")
    def icon() -> Response:
        return Response(ICON, mimetype="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


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
    """An error as a page for a person in a browser, as JSON for all others."""
    on_claim_page = request.path.startswith("/claim/")
    if not (wants_html() or (on_claim_page and is_form())):
        return json_response(status, error_body(code, message, **details))
    way = WAYS.get(code, OTHER) if on_claim_page else NOWHERE if status == 404 else ELSEWHERE
    text = sentence(message)
    return html_response(
        status, "message.html", title=way.title, text="" if text == f"{way.title}." else text, way=way.text,
        label=way.label, link=(request.path if on_claim_page else "/") if way.label else None,
    )  # fmt: skip


def _on_http_error(error: HTTPException) -> Response:
    """An error that the framework found, in the simulator's own words."""
    status = error.code or 500
    if isinstance(error, MethodNotAllowed):
        return _on_method_not_allowed(in_order({*(error.valid_methods or ()), "OPTIONS"}))
    if status == TOO_LARGE:
        return _on_problem(BodyTooLarge(f"the body is larger than {MAX_CLAIM_BYTES} bytes"))
    return _error(status, f"status_{status}", f"{request.method} {_path()}: {HTTPStatus(status).phrase.lower()}")


def _on_not_found(contracts: Mapping[str, Contract]) -> Response:
    pages = [PLACEHOLDER.sub(r"{\1}", rule.rule) for rule in current_app.url_map.iter_rules()]
    templates = [template for contract in contracts.values() for template in path_templates(contract)]
    near = nearest_route(request.path, [*templates, *pages, *(f"/openapi/{name}.json" for name in contracts), "/mcp"])
    way = f"did you mean {near}?" if near else INDEX_HINT
    return _error(404, "not_found", f"there is nothing at {_path()}; {way}")


def _on_method_not_allowed(methods: Sequence[str]) -> Response:
    """Say which methods a page takes: as an error, and to OPTIONS as the answer."""
    allow = ", ".join(methods)
    if request.method == "OPTIONS":
        response = Response(status=204)
        del response.headers["Content-Type"]
    else:
        response = _error(405, "method_not_allowed", f"{_path()} has {allow}, not {request.method}")
    response.headers["Allow"] = allow
    return response


def _path() -> str:
    return hide_url_passwords(request.path)[:200]


def _on_bug(registry: Registry, error: Exception) -> Response:
    registry.runtime.log_bug(g.request_id, error)
    return _error(500, "internal_error", "the simulator failed; its log has the request id")
