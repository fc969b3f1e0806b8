"""An app without a shop behind it: what it is asked goes to a few methods, and it knows what it was asked before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

ALL = ("order", "cancel", "pay", "settle", "read", "secrets", "break", "mend", "gift", "campaign", "rule", "ticket")
TIMEOUT_S = 10


class BareApp:
    """Does nothing, and says that all is well. `begun` has the body of the start, `asked` those of the actions.

    `heard` has the signature and the bytes of each webhook.
    """

    actions: tuple[str, ...] = ALL

    def __init__(self) -> None:
        self.begun: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []
        self.heard: list[tuple[str, bytes]] = []

    def start(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Begin anew."""
        self.begun, self.asked, self.heard = body, [], []
        return 200, {"actions": list(self.actions)}

    def do(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Say that it is done."""
        self.asked.append(body)
        return 200, {"state": "placed", "settled_cents": 0, "orders": []}

    def webhook(self, signature: str, raw: bytes) -> tuple[int, Any]:
        """Say yes to any bytes."""
        self.heard.append((signature, raw))
        return 200, {"ok": True}

    def check(self) -> tuple[int, Any]:
        """Say that all is well."""
        return 200, {"ok": True, "orders": {}}

    # What cheats have in common.

    def get(self, target: str, **headers: str) -> Any:
        """The JSON at a path of the simulator, or None."""
        status, body = self.call("GET", target, None, headers)
        return body if status == 200 else None

    def call(self, method: str, target: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Any]:
        """Call the simulator once; 0 and None without an answer in JSON."""
        connection = HTTPConnection(urlsplit(self.begun["simulator"]).netloc, timeout=TIMEOUT_S)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, target, content, {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")
        except (OSError, HTTPException, ValueError):
            return 0, None
        finally:
            connection.close()

    def partner(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Call the partner interface once."""
        key = {"Authorization": f"Bearer {self.begun['key']}"}
        return self.call(method, f"/api/external{path}", body, {**key, **headers})

    def place(self, order: Mapping[str, Any], key: str = "", **headers: str) -> tuple[int, Any]:
        """Send an order that was asked for, once."""
        members = ("reference", "items", "gift_sender", "recipients")
        body = {name: order[name] for name in members if name in order}
        return self.partner(
            "POST", "/team-orders", {"idempotency_key": key or f"o-{order['reference']}", **body}, **headers
        )


class Handler(BaseHTTPRequestHandler):
    """The endpoints of the protocol."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """A check."""
        self._answer(*self._app.check())

    def do_POST(self) -> None:
        """A start, an action or a webhook."""
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/giftsim/webhooks":
            self._answer(*self._app.webhook(self.headers["X-Service-Signature"] or "", raw))
        else:
            ask = self._app.start if self.path == "/giftsim/start" else self._app.do
            self._answer(*ask(json.loads(raw)))

    @property
    def _app(self) -> BareApp:
        app: BareApp = self.server.app  # type: ignore[attr-defined]
        return app

    def _answer(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Write no log."""


def serve(app: BareApp, port: int) -> None:
    """Serve an app at a port of this machine until the process ends."""
    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        server.app = app  # type: ignore[attr-defined]
        server.serve_forever()
