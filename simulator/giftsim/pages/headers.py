"""Headers by which a browser keeps a page from harm: its content policy, no sniffing, no frames (G91)."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from hashlib import sha256

from flask import Response

POLICY = "Content-Security-Policy"
EVERY = {"X-Content-Type-Options": "nosniff"}
HTML = {
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}


def add_headers(response: Response) -> Response:
    """Add the headers that a response lacks. A page that needs more than its style sets a policy of its own."""
    html = HTML | {POLICY: content_policy("")}
    for name, value in (EVERY | (html if response.mimetype == "text/html" else {})).items():
        response.headers.setdefault(name, value)
    return response


@lru_cache(maxsize=256)
def content_policy(style: str) -> str:
    """The policy of a page: it may load nothing and run nothing, and only its own style, known by its hash, applies."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
