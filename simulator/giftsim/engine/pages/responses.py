"""Responses of the Flask application: JSON for programs, HTML for people in a browser."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec
from flask import Response, g, render_template, request
from markupsafe import Markup

from giftsim.engine.gateway.json_body import finish_json, take_pretty
from giftsim.engine.pages.theme import PLAIN, Theme

POLICY = "Content-Security-Policy"
NO_FRAMES, OWN_FRAMES = "frame-ancestors 'none'", "frame-ancestors 'self'"
EVERY = {"X-Content-Type-Options": "nosniff"}
HTML = {
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}


def add_headers(response: Response) -> Response:
    """Add the headers that a response lacks. A page that needs more than its style sets its own policy."""
    html = HTML | {POLICY: content_policy("")}
    for name, value in (EVERY | (html if response.mimetype == "text/html" else {})).items():
        response.headers.setdefault(name, value)
    return response


def framed(response: Response) -> Response:
    """Let pages of this origin show a page in a frame, as the console does (G91)."""
    if response.mimetype == "text/html":
        policy = response.headers.get(POLICY) or content_policy("")
        response.headers[POLICY] = policy.replace(NO_FRAMES, OWN_FRAMES)
        response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@lru_cache(maxsize=256)
def content_policy(style: str) -> str:
    """The policy of a page: it may load nothing and run nothing, and only its own style, known by its hash, applies."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; base-uri 'none'; {NO_FRAMES}"


FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


def json_response(status: int, body: object) -> Response:
    """A JSON response."""
    _, pretty = take_pretty(request.query_string.decode("latin-1"))
    return Response(finish_json(msgspec.json.encode(body), pretty=pretty), status, mimetype="application/json")


def html_response(status: int, template: str, **values: Any) -> Response:
    """A page made from a template, in the look of `g.theme`, with a content policy for its style."""
    theme: Theme = g.get("theme", PLAIN)
    style = "".join(map(render_template, theme.sheets)) + theme.css
    page = render_template(template, theme=theme, style=Markup(style), **values)  # no text of others
    return Response(page, status, {POLICY: content_policy(style)}, mimetype="text/html")


def error_body(code: str, message: str, **details: Any) -> dict[str, Any]:
    """The body of an error, with the request id and the details beside `error`."""
    return {"error": {"code": code, "message": message, "request_id": g.request_id}, **details}


def wants_html() -> bool:
    """Whether the client prefers HTML to JSON."""
    best = request.accept_mimetypes.best_match(["application/json", "text/html"])
    return best == "text/html"


def is_form() -> bool:
    """Whether the request carries a form, as browsers send it."""
    return request.mimetype in FORM_TYPES
