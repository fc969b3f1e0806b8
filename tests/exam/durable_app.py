"""A small app that keeps its data in a file, so that it may be restarted and may run twice.

python tests/exam/durable_app.py PORT FILE [--bug BUG]: `remembers-events` knows in its memory
only what it was told, `saves-late` keeps the key of an order when it was answered, and `ends` ends at its third start.
`forgets-start` and `fails-without-start` keep the start in memory: without it, the former refuses webhooks and orders
nothing, and the latter fails.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PORT, FILE, BUG = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[-1]
TABLES = """
create table if not exists start (body text);
create table if not exists starts (one integer);
create table if not exists orders (reference text primary key, body text, answer text);
create table if not exists events (id text, body text, number integer primary key);
"""
STAGES = {"team_order.claimed": "claimed", "team_order.shipped": "shipped", "team_order.delivered": "delivered"}
REASONS = {"claim_link_expired": "expired", "shipment_rejected": "rejected"}
SEEN: set[str] = set()
STARTED: dict[str, Any] = {}
FORGETS = BUG in ("forgets-start", "fails-without-start")
TRIES, TIMEOUT_S = 3, 5


def opened() -> sqlite3.Connection:
    """The file, in a transaction of its own for each statement."""
    data = sqlite3.connect(FILE, isolation_level=None, timeout=30)
    data.executescript(TABLES)
    return data


def start(data: sqlite3.Connection, body: dict[str, Any]) -> dict[str, Any]:
    """Begin anew."""
    data.execute("insert into starts values (1)")
    if BUG == "ends" and data.execute("select count(*) from starts").fetchone() == (3,):
        os._exit(1)
    for table in ("start", "orders", "events"):
        data.execute(f"delete from {table}")  # names of this module
    data.execute("insert into start values (?)", [json.dumps(body)])
    STARTED.update(body)
    SEEN.clear()
    return {"actions": ["order", "restart", "instance"]}


def order(data: sqlite3.Connection, wanted: dict[str, Any]) -> dict[str, Any]:
    """Place an order with the key that it had before."""
    reference = wanted["reference"]
    key = f"{reference} of {os.getpid()}" if BUG == "saves-late" else reference
    body = {
        "idempotency_key": key,
        **{each: wanted[each] for each in ("reference", "items", "gift_sender", "recipients")},
    }
    if BUG != "saves-late":
        data.execute("insert or ignore into orders values (?, ?, null)", [reference, json.dumps(body)])
    row = data.execute("select body, answer from orders where reference = ?", [reference]).fetchone()
    if row is None or row[1] is None:
        sent = json.dumps(body) if row is None else row[0]
        answer = placed(data, sent)
        if answer is not None:
            data.execute("insert or replace into orders values (?, ?, ?)", [reference, sent, answer])
    return {"state": state(data, reference)}


def placed(data: sqlite3.Connection, body: str) -> str | None:
    """What the service answers to an order; None if it stays unknown."""
    begun = STARTED if FORGETS else json.loads(data.execute("select body from start").fetchone()[0])
    if not begun and BUG == "forgets-start":
        return None
    headers = {"Authorization": f"Bearer {begun['key']}", "Content-Type": "application/json"}
    for _ in range(TRIES):
        connection = HTTPConnection(urlsplit(begun["simulator"]).netloc, timeout=TIMEOUT_S)
        try:
            connection.request("POST", "/api/external/team-orders", body, headers)
            response = connection.getresponse()
            text = response.read().decode()
        except (OSError, HTTPException):
            continue
        finally:
            connection.close()
        if response.status in (200, 201):
            return text
    return None


def state(data: sqlite3.Connection, reference: str) -> str:
    """The state of an order."""
    row = data.execute("select answer from orders where reference = ?", [reference]).fetchone()
    return "unknown" if row is None or row[0] is None else "placed"


def told(data: sqlite3.Connection, event: dict[str, Any]) -> dict[str, Any]:
    """Book an event once."""
    if BUG == "remembers-events":
        known = event["id"] in SEEN
        SEEN.add(event["id"])
    else:
        known = data.execute("select 1 from events where id = ?", [event["id"]]).fetchone() is not None
    if not known:
        data.execute("insert into events (id, body) values (?, ?)", [event["id"], json.dumps(event)])
    return {}


def check(data: sqlite3.Connection) -> dict[str, Any]:
    """What the app knows."""
    rows = data.execute("select reference, body, answer from orders").fetchall()
    events = [json.loads(body) for (body,) in data.execute("select body from events order by number")]
    return {"ok": True, "orders": {name: known(body, answer, events) for name, body, answer in rows}}


def known(body: str, answer: str | None, events: list[dict[str, Any]]) -> dict[str, Any]:
    """An order as the check tells it."""
    charged = json.loads(answer)["totals"]["charged_cents"] if answer else 0
    emails = [each["email"] for each in json.loads(body)["recipients"]]
    people = {email: person(email, events) for email in emails}
    return {"state": "placed" if answer else "unknown", "charged_cents": charged, "recipients": people}


def person(email: str, events: list[dict[str, Any]]) -> dict[str, Any]:
    """A recipient as the check tells it: the latest that happened, and how often each event was booked."""
    own = [each for each in events if (each["data"].get("recipient") or {}).get("email") == email]
    stages = [(each, STAGES.get(each["type"]) or REASONS.get(each["data"].get("reason", ""))) for each in own]
    happened = [(each["data"]["occurred_at"], stage) for each, stage in stages if stage]
    since, stage = max(happened, key=lambda each: each[0], default=("", "ordered"))
    types = [each["type"] for each in own]
    return {"stage": stage, "since": since, "booked": {each: types.count(each) for each in types}}


class Handler(BaseHTTPRequestHandler):
    """The endpoints of the protocol."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = opened()
        does = {"/giftsim/start": start, "/giftsim/do": order, "/giftsim/webhooks": told}
        if FORGETS and not STARTED and self.path == "/giftsim/webhooks":
            self.answer({"error": "no secret"}, 400)
        else:
            try:
                self.answer(does[self.path](data, body))
            except KeyError as error:
                self.answer({"error": f"unknown: {error}"}, 500)
        data.close()

    def do_GET(self) -> None:
        self.answer(check(opened()))

    def answer(self, content: dict[str, Any], status: int = 200) -> None:
        """Answer with JSON."""
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        """Write nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
