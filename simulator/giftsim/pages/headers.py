"""Headers by which a browser keeps a page from harm: its content policy, no sniffing, no frames (G91)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256

from flask import Flask, Response

STYLE = "page.css"
EVERY = {"X-Content-Type-Options": "nosniff"}


def page_headers(app: Flask) -> Callable[[Response], Response]:
    """A function that adds the headers to a response of the application.

    A page may load nothing and run nothing, and only its own style sheet, known by its hash, applies. A page that needs
    more sets a `Content-Security-Policy` of its own.
    """
    style = app.jinja_env.get_template(STYLE).render().encode()
    digest = b64encode(sha256(style).digest()).decode()
    html = {
        "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
    }

    def add(response: Response) -> Response:
        for name, value in (EVERY | (html if response.mimetype == "text/html" else {})).items():
            response.headers.setdefault(name, value)
        return response

    return add
