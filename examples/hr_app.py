"""An HR app in FastAPI that sends gifts over the team API, with four bugs to switch on: an app for `explore`.

    python examples/hr_app.py PORT [--bug NAME]...
    giftsim explore --app http://127.0.0.1:PORT --seeds 200

It needs FastAPI and uvicorn, and is correct unless a bug is switched on. It sends gifts to employees, has rules for
their birthdays, books what an approved gift costs to the budget of its month in Los Angeles, and closes the books of
each day at midnight there. The endpoints under /giftsim/ are for tests: a real app would have them in its test setup
only.
"""

import argparse
import hashlib
import hmac
import json
import threading
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import uvicorn
from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

BUGS = {
    "utc-month": "a gift counts in its month in UTC, and the budget is for a month in Los Angeles",
    "day-twice": "the next closing is always 24 hours later, so that the day of 25 hours is closed in the middle",
    "decided-twice": "a decision is booked although the gift was booked when it was sent",
    "superseded-paid": "the amount of an approval is booked although a new price has replaced it",
}
HOME = ZoneInfo("America/Los_Angeles")
PATIENCE = 60  # calls until the app gives up for now
MUG = 101
SENT = ("sent", "claimed", "shipped", "delivered")
PAGE = 10


class Unavailable(Exception):
    """The service does not answer now."""


class Service:
    """The team API. Calls are repeated until they are answered: all of them may be."""

    def __init__(self, origin, key):
        self.address = urlsplit(origin).netloc
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def once(self, method, path, body, headers):
        """Make one call; its status, JSON and Retry-After. Raises OSError or HTTPException without an answer."""
        connection = HTTPConnection(self.address, timeout=10)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, f"/api/teams/v1{path}", content, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null"), int(response.headers.get("Retry-After", 0))
        finally:
            connection.close()

    def call(self, method, path, body=None, key=None):
        """Make a call until it is answered; its JSON. Raises Unavailable."""
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        for _ in range(PATIENCE):
            try:
                status, answer, wait_s = self.once(method, path, body, headers)
            except (OSError, HTTPException):
                continue
            if status < 400:
                return answer
            if status not in (409, 429, 503):
                raise ValueError(f"{method} {path} answered {status}: {answer}")
            time.sleep(wait_s)
        raise Unavailable

    def gift(self, gift_id):
        """One gift."""
        return self.call("GET", f"/gifts/{gift_id}")

    def gifts(self):
        """All gifts."""
        found, cursor = [], ""
        while cursor is not None:
            page = self.call("GET", f"/gifts?limit={PAGE}" + (f"&cursor={cursor}" if cursor else ""))
            found += page["data"]
            cursor = page["next_cursor"]
        return found


class HrApp:
    """The app's records, and what it does."""

    def __init__(self, bugs=()):
        self.bugs, self.lock, self.receiving = frozenset(bugs), threading.Lock(), threading.Lock()
        self.start("http://127.0.0.1", "", "", "2027-01-04T09:00:00Z")

    def start(self, simulator, key, secret, now):
        """Delete all records and use this service."""
        with self.lock, self.receiving:
            self.service, self.secret = Service(simulator, key), secret
            self.ordered = {}  # the id of the gift of each reference
            self.rules = {}  # the id of the rule of each reference
            self.status = {}  # by gift
            self.booked = {}  # by gift: (month, cents), for each time that it was booked
            self.seen = set()
            self.closed = []  # the days whose books are closed
            self.next_closing = self.midnight_after(instant(now))

    # What people ask for.

    def gift(self, reference, recipient, item):
        """Send a gift to an employee. A known reference means the same gift again."""
        if reference not in self.ordered:
            body = {"recipients": [recipient], "gift": {"item_slug": item}, "message": "Thank you!"}
            self.ordered[reference] = self.service.call("POST", "/gifts", body, f"gift-{reference}")["id"]

    def rule(self, reference, name, kind, person, budget_cents):
        """Send a mug to an employee on each birthday."""
        if reference in self.rules:
            return
        employee = {
            "work_email": person["email"],
            "first_name": person["first_name"],
            "birthday": person["birthday"],
        }
        self.service.call("POST", "/people", {"people": [employee]})
        rule = {
            "kind": "hr",
            "name": name,
            "trigger_type": kind,
            "bundle": {"items": [{"merchant_product_id": MUG, "quantity": 1}]},
            "gift_sender": "Everybody at the office",
            "budget_per_send_cents": budget_cents,
        }
        self.rules[reference] = self.service.call("POST", "/rules", rule, f"rule-{reference}")["id"]

    def clock(self, reference, now):
        """It is this instant: close the books of the days that have ended."""
        while self.next_closing <= instant(now):
            self.closed.append((self.next_closing.astimezone(HOME) - timedelta(days=1)).date())
            if "day-twice" in self.bugs:
                self.next_closing += timedelta(hours=24)
            else:
                self.next_closing = self.midnight_after(self.next_closing)

    def midnight_after(self, moment):
        """The next midnight in Los Angeles."""
        tomorrow = moment.astimezone(HOME).date() + timedelta(days=1)
        return datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=HOME).astimezone(UTC)

    # Webhooks.

    def receive(self, event):
        """Process a webhook once."""
        if event["id"] in self.seen:
            return
        kind, data = event["type"], event["data"]
        if kind == "approval.decided" and data["resource_type"] == "gift":
            self.decided(data)
        elif kind.startswith("gift.") and "gift_id" in data:
            self.changed(data["gift_id"])
        self.seen.add(event["id"])

    def decided(self, data):
        """A person has decided on a gift. What was approved is paid, unless a new price needs another approval."""
        if data["status"] != "approved":
            return
        approval = self.service.call("GET", f"/approvals/{data['approval_id']}")
        if approval["status"] != "approved" and "superseded-paid" not in self.bugs:
            return
        if data["resource_id"] not in self.booked or "decided-twice" in self.bugs:
            self.book(self.service.gift(data["resource_id"]), approval["amount_cents"])

    def changed(self, gift_id):
        """Something has happened to a gift. One that was sent is paid, even if the decision is still to come."""
        gift = self.service.gift(gift_id)
        self.status[gift_id] = gift["status"]
        if gift["payment_status"] == "paid" and gift_id not in self.booked:
            self.book(gift, gift["totals"]["total_cents"])

    def book(self, gift, cents):
        """Book what a gift costs to the budget of the month in which it was asked for."""
        month = gift["created_at"][:7] if "utc-month" in self.bugs else month_of(gift["created_at"])
        self.booked.setdefault(gift["id"], []).append((month, cents))

    def is_genuine(self, signature, body):
        """Whether a webhook was signed with our secret."""
        fields = dict(field.partition("=")[::2] for field in (signature or "").split(","))
        signed = fields.get("t", "").encode() + b"." + body
        return hmac.compare_digest(
            hmac.new(self.secret.encode(), signed, hashlib.sha256).hexdigest(), fields.get("v1", "")
        )

    # What the tests ask.

    def errors(self, ended):
        """Yield what is wrong in our records; `ended` is whether nothing more is to come."""
        theirs = self.service.gifts()
        spent, ours = Counter(), Counter()
        for gift in theirs:
            if gift["payment_status"] == "paid":
                spent[month_of(gift["created_at"])] += gift["totals"]["total_cents"]
        for bookings in self.booked.values():
            for month, cents in bookings:
                ours[month] += cents
        for month in sorted(spent | ours):
            if ours[month] > spent[month] or (ended and ours[month] != spent[month]):
                yield f"{spent[month]} were spent in {month}, and our books say {ours[month]}"
        for day, times in Counter(self.closed).items():
            if times > 1:
                yield f"{day} was closed {times} times"
        if ended:
            yield from self.status_errors(theirs)

    def status_errors(self, theirs):
        """Yield what is wrong in our records of gifts."""
        for reference, gift_id in self.ordered.items():
            if gift_id not in [gift["id"] for gift in theirs]:
                yield f"{reference} is not in the list of gifts"
        for gift in theirs:
            if gift["status"] in SENT and gift["status"] != self.status.get(gift["id"]):
                yield f"a gift is {gift['status']}, and our records say {self.status.get(gift['id'])}"


def instant(text):
    """The instant that a text names."""
    return datetime.fromisoformat(text)


def month_of(text):
    """The month of an instant in Los Angeles."""
    return f"{instant(text).astimezone(HOME):%Y-%m}"


class Start(BaseModel):
    """What we are told at the start of a test."""

    simulator: str
    team_key: str
    team_secret: str
    now: str


class Act(BaseModel):
    """What we are asked for, with its members."""

    model_config = ConfigDict(extra="allow")
    action: str
    reference: str


ACTIONS = {"gift": HrApp.gift, "rule": HrApp.rule, "clock": HrApp.clock}


def create_app(bugs=()):
    """The app's web server."""
    app, hr = FastAPI(), HrApp(bugs)

    @app.post("/giftsim/start")
    def start(body: Start):
        hr.start(body.simulator, body.team_key, body.team_secret, body.now)
        return {"actions": list(ACTIONS), "cheap_check": True}

    @app.post("/giftsim/do")
    def do(act: Act):
        with hr.lock:
            ACTIONS[act.action](hr, **act.model_dump(exclude={"action"}))
        return {"ok": True}

    @app.post("/giftsim/webhooks")
    async def webhooks(request: Request):
        raw = await request.body()
        if not hr.is_genuine(request.headers.get("X-Service-Signature"), raw):
            return JSONResponse({"error": "not signed by the service"}, 400)
        return await run_in_threadpool(receive, json.loads(raw))

    def receive(event):
        try:
            with hr.receiving:  # one after the other, so that each sees what the one before it has done
                hr.receive(event)
        except Unavailable:
            return JSONResponse({"error": "try again later"}, 503)
        return {"ok": True}

    @app.get("/giftsim/check")
    def check(step: int | None = None):
        errors = list(hr.errors(ended=step is None))
        return {"wrong": errors} if errors else {"ok": True}

    return app


def main():
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("--bug", action="append", default=[], choices=BUGS, help="a mistake to make; repeatable")
    options = parser.parse_args()
    uvicorn.run(create_app(options.bug), host="127.0.0.1", port=options.port, log_level="error")


if __name__ == "__main__":
    main()
