"""Responses of the Flask application: JSON for programs, HTML for people in a browser."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, g, render_template, request
from markupsafe import Markup

from giftsim.gateway.json_output import finish_json, take_pretty
from giftsim.pages.headers import POLICY, content_policy
from giftsim.pages.theme import PLAIN, Theme

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
