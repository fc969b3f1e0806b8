"""An application under test, as the testing package sees it: its calls to a world and its webhook endpoint."""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from giftsim.testing import Giftsim
from tests.support.orders import order_body

GIFT = {
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    "gift": {"collection_slug": "welcome-kit"},
    "message": "Welcome!",
}


def create_order(sim: Giftsim, **members: Any) -> Any:
    """The response to a partner's order, which must be created."""
    response = sim.call("POST", "/api/external/team-orders", order_body(**members), credential="partner.prepaid")
    assert response.status == 201, response.text
    return response


def send_gift(sim: Giftsim, key: str = "gift") -> Any:
    """The response to a team's gift, which must be created and awaits approval."""
    headers = {"Idempotency-Key": key}
    response = sim.call("POST", "/api/teams/v1/gifts", GIFT, credential="team.live_approver", headers=headers)
    assert response.status == 201, response.text
    return response


class WebhookApp:
    """A WSGI application whose endpoint checks signatures with its own code; `received` are the event types."""

    def __init__(self, secret: str) -> None:
        self.secret = secret.encode()
        self.received: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        parts = dict(part.split("=", 1) for part in environ["HTTP_X_SERVICE_SIGNATURE"].split(","))
        expected = hmac.new(self.secret, f"{parts['t']}.".encode() + body, hashlib.sha256).hexdigest()
        valid = hmac.compare_digest(expected, parts["v1"]) and environ["PATH_INFO"] == "/gifts"
        self.received.append(environ["HTTP_X_SERVICE_EVENT"])
        start_response("204 No Content" if valid else "400 Bad Request", [])
        return [b""]


class QuietHandler(WSGIRequestHandler):
    """A handler that logs nothing."""

    def log_message(self, *args: object) -> None:
        """Do nothing."""


@contextmanager
def serve_wsgi(app: Any) -> Iterator[str]:
    """Serve a WSGI application on loopback; its origin."""
    with make_server("127.0.0.1", 0, app, handler_class=QuietHandler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
