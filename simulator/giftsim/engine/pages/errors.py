"""Errors of the Flask application: as a page for a person in a browser, as JSON for all others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from giftsim.engine.gateway.contract import Contract, in_order, path_templates
from giftsim.engine.gateway.nearest_route import INDEX_HINT, extra_slashes, nearest_route
from giftsim.engine.gateway.problem import BodyTooLarge, InjectedFault
from giftsim.engine.kernel.url_passwords import hide_url_passwords
from giftsim.engine.pages.responses import error_body, html_response, is_form, json_response, wants_html
from giftsim.engine.problem import Problem
from giftsim.engine.url_paths import as_utf8
from giftsim.engine.worlds.runtime import Runtime


class Way(NamedTuple):
    """The title of an error's page, what the reader can do next, and the label of a link if one helps."""

    title: str
    text: str
    label: str | None = None


class ErrorWords(NamedTuple):
    """The words for errors at the paths that begin with `prefix`, by code. Links lead to the same page again."""

    prefix: str
    ways: Mapping[str, Way]
    other: Way


ELSEWHERE: Final = Way("This does not work", "The console shows what this simulator has.", "Open the console")
NOWHERE: Final = ELSEWHERE._replace(title="There is nothing here")


def sentence(message: str) -> str:
    """A message as a sentence."""
    return f"{message[:1].upper()}{message[1:]}."


PLACEHOLDER = re.compile(r"<(?:\w+:)?(\w+)>")
TOO_LARGE = 413
MAX_BODY_BYTES = 64 * 1024  # anyone may post a form; its members have at most 200 characters each (G85)


class Errors:
    """Makes the responses of errors. `contracts` are searched for a path near one that does not exist.

    A page below the prefix of one of `words` has its own words for people, and answers every form with a page.
    """

    def __init__(self, runtime: Runtime, contracts: Mapping[str, Contract], words: Sequence[ErrorWords]) -> None:
        self._runtime, self._contracts, self._words = runtime, contracts, words

    def register(self, app: Flask) -> None:
        """Answer all errors of the application."""
        app.register_error_handler(Problem, self._on_problem)
        app.register_error_handler(NotFound, self._on_not_found)
        app.register_error_handler(HTTPException, self._on_http_error)
        app.register_error_handler(Exception, self._on_bug)

    def _on_problem(self, problem: Problem) -> Response:
        """A problem as its page or JSON; an injected fault has a status, a code and a `Retry-After` of its own."""
        retry_after: int | None = None
        status, code = problem.status, problem.code
        if isinstance(problem, InjectedFault):
            status, code, retry_after = problem.injected
        response = self._error(status, code, problem.message, **problem.details)
        if retry_after is not None:
            response.headers["Retry-After"] = str(retry_after)
        return response

    def _error(self, status: int, code: str, message: str, **details: Any) -> Response:
        own = next((each for each in self._words if request.path.startswith(each.prefix)), None)
        if not (wants_html() or (own and is_form())):
            return json_response(status, error_body(code, message, **details))
        way = own.ways.get(code, own.other) if own else NOWHERE if status == 404 else ELSEWHERE
        text = sentence(message)
        return html_response(
            status,
            "message.html",
            title=way.title,
            text="" if text == f"{way.title}." else text,
            way=way.text,
            label=way.label,
            link=(request.path if own else "/") if way.label else None,
        )

    def _on_http_error(self, error: HTTPException) -> Response:
        """An error that the framework found, in the simulator's own words."""
        status = error.code or 500
        if isinstance(error, MethodNotAllowed):
            return self._on_method_not_allowed(in_order({*(error.valid_methods or ()), "OPTIONS"}))
        if status == TOO_LARGE:
            return self._on_problem(BodyTooLarge(f"the body is larger than {MAX_BODY_BYTES} bytes"))
        phrase = HTTPStatus(status).phrase.lower()
        return self._error(status, f"status_{status}", f"{request.method} {_path()[:200]}: {phrase}")

    def _on_not_found(self, _error: NotFound) -> Response:
        pages = [PLACEHOLDER.sub(r"{\1}", rule.rule) for rule in current_app.url_map.iter_rules()]
        templates = [template for contract in self._contracts.values() for template in path_templates(contract)]
        documents = [f"/openapi/{name}.json" for name in self._contracts]
        near = nearest_route(request.path, [*templates, *pages, *documents, "/mcp"])
        way = f"did you mean {near}?" if near else INDEX_HINT
        path = _path()
        return self._error(404, "not_found", f"there is nothing at {path[:200]}; {extra_slashes(path)}{way}")

    def _on_method_not_allowed(self, methods: Sequence[str]) -> Response:
        """Say which methods a page takes: as an error, and to OPTIONS as the answer."""
        allow = ", ".join(methods)
        if request.method == "OPTIONS":
            response = Response(status=204)
            del response.headers["Content-Type"]
        else:
            response = self._error(405, "method_not_allowed", f"{_path()[:200]} has {allow}, not {request.method}")
        response.headers["Allow"] = allow
        return response

    def _on_bug(self, error: Exception) -> Response:
        self._runtime.log_bug(g.request_id, error)
        return self._error(500, "internal_error", "the simulator failed; its log has the request id")


def _path() -> str:
    """The path as it was sent, decoded; `request.path` has one slash at its beginning, however many were sent."""
    return hide_url_passwords(as_utf8(request.environ["PATH_INFO"]))
