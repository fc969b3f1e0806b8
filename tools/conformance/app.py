"""The application behind each server: it answers what it saw of a request, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

STATUSES = {"/204": "204 No Content", "/304": "304 Not Modified"}
MOST_BYTES = 4 * 1024 * 1024
JSON = ("Content-Type", "application/json")


def wsgi(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """For servers of WSGI."""
    path = environ["PATH_INFO"]
    if path in STATUSES:
        start(STATUSES[path], [])
        return ()
    body = environ["wsgi.input"].read()
    host, field = environ.get("HTTP_HOST", ""), environ.get("HTTP_X_SEEN", "")
    content = _content(environ["REQUEST_METHOD"], path, host, body, field)
    if path == "/stream":
        start("200 OK", [JSON])
        return iter((content[:5], content[5:]))
    status = "200 OK" if len(body) <= MOST_BYTES else "413 Content Too Large"
    start(status, [JSON, ("Content-Length", str(len(content)))])
    return (content,)


def _content(method: str, path: str, host: str, body: bytes, field: str) -> bytes:
    seen = {"method": method, "path": path, "host": host, "body": body[:5_000].decode("latin-1"), "field": field}
    return json.dumps(seen).encode()


async def asgi(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """For servers of ASGI."""
    if scope["type"] != "http":
        return
    fields: dict[str, str] = {}
    for name, value in ((each.decode("latin-1") for each in pair) for pair in scope["headers"]):
        fields[name] = f"{fields[name]}, {value}" if name in fields else value
    path, body, more = scope["path"], b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message.get("body", b""), message.get("more_body", False)
    status = int(STATUSES.get(path, "200")[:3])
    content = _content(scope["method"], path, fields.get("host", ""), body, fields.get("x-seen", ""))
    headers = [(b"content-type", b"application/json")]
    if path != "/stream" and status == 200:
        headers.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers if status == 200 else []})
    await send({"type": "http.response.body", "body": content if status == 200 else b""})
