"""Responses of the Flask application: JSON for programs, HTML for people in a browser, with the look of its sender.

Text keeps a contrast of 4.5 to 1 in every color (G165).
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from flask import Response, g, render_template, request
from markupsafe import Markup

from giftsim.engine.gateway.json_body import finish_json, take_pretty

Rgb = tuple[int, int, int]

LEAST_CONTRAST = 4.5
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
LIGHT_PAPERS = ("#ffffff", "#f6f7f8")  # card and page, as in page.css
DARK_PAPERS = ("#15181b", "#0e1012")
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
_LETTER = re.compile(r"[^\W_]")


class Theme(NamedTuple):
    """Who a page is from: a name, and a color written #RRGGBB; None is giftsim's own look. `sheets` are its styles."""

    name: str | None = None
    color: str | None = None
    sheets: tuple[str, ...] = ("page.css",)

    @property
    def initials(self) -> str:
        """The first letters of the first two words of the name."""
        words = [match[0] for match in map(_LETTER.search, (self.name or "").split()) if match]
        return "".join(words[:2]).upper()

    @property
    def css(self) -> str:
        """The variables of the style sheet that depend on the color."""
        return _css(self.color) if self.color and _COLOR.fullmatch(self.color) else ""


PLAIN = Theme()


def contrast(one: str, other: str) -> float:
    """The contrast of two colors as the Web Content Accessibility Guidelines define it, from 1 to 21."""
    dark, light = sorted((_luminance(_rgb(one)), _luminance(_rgb(other))))
    return (light + 0.05) / (dark + 0.05)


def readable(color: str, papers: tuple[str, ...], toward: Rgb) -> str:
    """The color itself if text in it can be read on all papers, else mixed with black or white until it can."""
    red, green, blue = _rgb(color)
    for share in range(0, 101, 4):
        mixed = _text(tuple(round(a + (b - a) * share / 100) for a, b in zip((red, green, blue), toward, strict=True)))
        if all(contrast(mixed, paper) >= LEAST_CONTRAST for paper in papers):
            return mixed
    return _text(toward)


@lru_cache(maxsize=256)
def _css(color: str) -> str:
    on_brand = "#ffffff" if contrast(color, "#ffffff") >= LEAST_CONTRAST else "#000000"
    light, dark = readable(color, LIGHT_PAPERS, BLACK), readable(color, DARK_PAPERS, WHITE)
    return (
        f":root {{ --brand: {color.lower()}; --on-brand: {on_brand}; --accent: {light}; }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ --accent: {dark}; }} }}\n"
    )


def _rgb(color: str) -> Rgb:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue


def _text(rgb: tuple[int, ...]) -> str:
    return f"#{bytes(rgb).hex()}"


def _luminance(rgb: Rgb) -> float:
    red, green, blue = (_linear(value / 255) for value in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)


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
