"""A small app that keeps its data in a file, so that it may be restarted and may run twice, with three mistakes.

python tests/explore/durable_shop.py PORT FILE [--bug in-memory|stale|saved-late|none-but-locks]: `in-memory` keeps the
keys of its orders in memory only, `stale` reads the file at its start only, and `saved-late` saves a key after the
order was placed. `none-but-locks` has no mistake, and places one order at a time.
"""

import fcntl
import json
import os
import sys
from contextlib import nullcontext
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PORT, FILE, BUG = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[-1]
MEMORY: dict[str, Any] = {}


def load() -> dict[str, Any]:
    """What the file keeps."""
    if BUG == "stale" and MEMORY:
        return MEMORY
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    if BUG == "in-memory":
        data["keys"] = MEMORY.get("keys", {})
    if BUG == "stale":
        MEMORY.update(data)
    return data


def save(data: dict[str, Any]) -> None:
    """Keep it."""
    FILE.write_text(json.dumps(data), encoding="utf-8")
    MEMORY.update(data)


def order(data: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Place an order with the key that it had before, if it was placed."""
    key = data["keys"].setdefault(wanted["reference"], f"{wanted['reference']} of {os.getpid()}")
    if BUG != "saved-late":
        save(data)
    recipients = wanted.get("recipients") or [wanted["recipient"]]
    body = {
        "idempotency_key": key,
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": recipients,
    }
    connection = HTTPConnection(urlsplit(data["simulator"]).netloc, timeout=60)
    headers = {"Authorization": f"Bearer {data['key']}", "Content-Type": "application/json"}
    connection.request("POST", "/api/external/team-orders", json.dumps(body), headers)
    connection.getresponse().read()
    save(data)


class Handler(BaseHTTPRequestHandler):
    """The endpoints for explore."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/giftsim/start":
            save({"keys": {}, **{name: body[name] for name in ("simulator", "key")}})
            self.answer({"actions": ["order", "restart", "instance"]})
            return
        if self.path == "/giftsim/do":
            with FILE.with_suffix(".lock").open("w") if BUG == "none-but-locks" else nullcontext() as lock:
                if lock is not None:
                    fcntl.flock(lock, fcntl.LOCK_EX)
                order(load(), body)
        self.answer({"ok": True})

    def do_GET(self) -> None:
        self.answer({"ok": True})

    def answer(self, data: object) -> None:
        """Answer with JSON."""
        content = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Write nothing."""


if __name__ == "__main__":
    load()
    HTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
