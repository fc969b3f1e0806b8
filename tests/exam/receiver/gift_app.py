"""A downstream app with a webhook endpoint that is right, or has one planted fault; and what it should believe."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from flask import Flask, Response, request
from starlette.applications import Starlette
from starlette.requests import Request as AsgiRequest
from starlette.responses import Response as AsgiResponse
from starlette.routing import Route

from giftsim import verify
from giftsim.workbench.exam.receiver.probe_runner import Expected

SECRET = "whsec_right"
STAGES = {"claimed": 1, "shipped": 2, "delivered": 3}
HOUR_S = 3600
OK, REFUSED, TOO_LONG, BROKE = 204, 400, 413, 500


class GiftApp:
    """Counts events once and keeps the latest stage of each parcel. `fault` is a mistake that real apps make."""

    def __init__(self, fault: str = "", secrets: tuple[str, ...] = (SECRET,)) -> None:
        self.fault, self.secrets = fault, secrets
        self.seen: dict[str, float] = {}
        self.counted: dict[str, int] = {}
        self.stages: dict[Any, int] = {}
        self.is_broken = False
        self.lock = threading.Lock()
        self.barrier = threading.Barrier(2)

    def receive(self, headers: Mapping[str, str], body: bytes) -> int:
        """Handle a request with headers in lower case; the status of the answer."""
        signature = headers.get("x-service-signature")
        if self.fault == "long" and len(body) > 16 * 1024:
            return TOO_LONG
        if self.fault == "remembers first" and self._is_known(self._event(body).get("id", "")):
            return OK
        if not self._is_genuine(body, signature):
            return REFUSED
        return self._process(headers, self._event(body))

    def _event(self, body: bytes) -> dict[str, Any]:
        try:
            event: dict[str, Any] = json.loads(body)
        except ValueError:
            return {}
        return event

    def _is_genuine(self, body: bytes, header: str | None) -> bool:
        if self.fault == "verifies nothing":
            return True
        if self.fault == "writes again":
            body = json.dumps(self._event(body), ensure_ascii=False, separators=(",", ":")).encode()
        if check := OWN_VERIFIERS.get(self.fault):
            return check(body, header or "")
        secrets = (*self.secrets, SECRET.removeprefix("whsec_")) if self.fault == "short key" else self.secrets
        tolerance = {"no age": 1e9, "tight age": 60}.get(self.fault, 300)
        for secret in secrets:
            try:
                verify.webhook(body, header, secret, tolerance=tolerance)
            except verify.TooNew:
                return self.fault == "one-sided age"
            except verify.InvalidSignature:
                continue
            return True
        return False

    def _process(self, headers: Mapping[str, str], event: dict[str, Any]) -> int:
        kind = headers["x-service-event"] if self.fault == "believes header" else event["type"]
        if (self.fault == "unknown type" and kind == "team_order.returned") or self._cannot_read(event):
            return REFUSED
        key = headers["x-service-event-id"] if self.fault == "id of header" else event["id"]
        if self.is_broken:
            if self.fault == "stores id first":
                self.seen[key] = now_s()
            return OK if self.fault == "hides failure" else BROKE
        if self.fault == "race":
            was_known = key in self.seen
            self.barrier.wait(10)
            self.seen[key] = now_s()
            return OK if was_known else self._count(event, kind)
        with self.lock:
            is_new = self.fault == "remembers first" or not self._is_known(key)
            return self._count(event, kind) if is_new else OK

    def _is_known(self, key: str) -> bool:
        """Whether the app has seen this id; from now on it has."""
        now = now_s()
        if self.fault == "forgets" and now - self.seen.get(key, now) > HOUR_S:
            del self.seen[key]
        was_known = key in self.seen and self.fault != "no duplicates"
        self.seen.setdefault(key, now)
        return was_known

    def _cannot_read(self, event: dict[str, Any]) -> bool:
        text = json.dumps(event, ensure_ascii=False)
        return (
            (self.fault == "strict members" and "added_later" in event)
            or (self.fault == "needs members" and "claimed" in event["type"] and "selection" not in text)
            or (self.fault == "utf8mb3" and any(ord(letter) > 0xFFFF for letter in text))
        )

    def _count(self, event: dict[str, Any], kind: str) -> int:
        self.counted[event["id"]] = self.counted.get(event["id"], 0) + 1
        parcel, stage = parcel_of(event), stage_of(kind)
        latest = stage if self.fault == "order" else max(stage, self.stages.get(parcel, 0))
        self.stages[parcel] = latest
        return OK

    def check(self, expected: Expected) -> str | None:
        """What the app believes wrongly about these events."""
        for event in expected.events:
            if self.counted.get(event["id"]) != 1:
                return f"{event['id']} counts {self.counted.get(event['id'], 0)} times"
            stage = max(stage_of(each["type"]) for each in expected.events if parcel_of(each) == parcel_of(event))
            if self.stages[parcel_of(event)] != stage:
                return f"parcel {parcel_of(event)} is at stage {self.stages[parcel_of(event)]}, not {stage}"
        return next((f"{event['id']} was forged" for event in expected.forged if event["id"] in self.counted), None)

    @contextmanager
    def broken(self) -> Iterator[None]:
        """Inside the block the app cannot do its work."""
        self.is_broken = True
        try:
            yield
        finally:
            self.is_broken = False


def stage_of(kind: str) -> int:
    """How far an event of this type says that a parcel has come."""
    return STAGES.get(kind.rpartition(".")[2], 0)


def parcel_of(event: Mapping[str, Any]) -> Any:
    """What an event is about."""
    data = event["data"]
    shipment = data.get("shipment") or {}
    return shipment.get("order_id") or data.get("recipient_id") or data.get("team_order_id") or event["id"]


def now_s() -> float:
    """The time of the app."""
    return time.time()  # noqa: TID251 - an app has its own clock, which the check holds


def _fields(header: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (part.partition("=") for part in header.split(","))]


def _is_digest(body: bytes, t: str, given: str) -> bool:
    expected = hmac.new(SECRET.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), given.encode())


def _is_recent(t: str) -> bool:
    return t.isdecimal() and abs(now_s() - int(t)) <= 300


def dictionary(body: bytes, header: str) -> bool:
    """Reads the header into a dictionary, which keeps the last `v1`."""
    fields = dict(_fields(header))
    return _is_recent(fields.get("t", "")) and _is_digest(body, fields["t"], fields.get("v1", ""))


def positions(body: bytes, header: str) -> bool:
    """Takes the first field for the time and the others for digests."""
    (_, t), *others = _fields(header)
    return _is_recent(t) and any(_is_digest(body, t, value) for name, value in others if name == "v1")


def prefix(body: bytes, header: str) -> bool:
    """Compares as many digits as were sent."""
    times = [value for name, value in _fields(header) if name == "t"]
    given = [value for name, value in _fields(header) if name == "v1" and value]
    if len(times) != 1 or not _is_recent(times[0]):
        return False
    expected = hmac.new(SECRET.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(expected.startswith(value) for value in given)


def two_times(body: bytes, header: str) -> bool:
    """Checks the age of the first `t`, and the digest of the last."""
    times = [value for name, value in _fields(header) if name == "t"]
    given = [value for name, value in _fields(header) if name == "v1"]
    return bool(times) and _is_recent(times[0]) and any(_is_digest(body, times[-1], value) for value in given)


OWN_VERIFIERS = {"dictionary": dictionary, "positions": positions, "prefix": prefix, "two times": two_times}


def flask_app(app: GiftApp) -> Flask:
    """The app's endpoint in Flask."""
    server = Flask("gifts")

    @server.post("/gifts")
    def receive() -> Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        return Response(status=app.receive(headers, request.get_data()))

    return server


def starlette_app(app: GiftApp) -> Starlette:
    """The app's endpoint in Starlette, which FastAPI is made of."""

    async def receive(request: AsgiRequest) -> AsgiResponse:
        return AsgiResponse(status_code=app.receive(request.headers, await request.body()))

    return Starlette(routes=[Route("/gifts", receive, methods=["POST"])])


@contextmanager
def served(app: GiftApp, *, hangs: bool = False, status: int | None = None) -> Iterator[str]:
    """The address of the app on this machine; one that `hangs` answers nobody, one with a `status` only with that."""
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if hangs:
                ended.wait(10)
            answer = status or app.receive({name.lower(): value for name, value in self.headers.items()}, body)
            self.send_response(answer)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/gifts"
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
