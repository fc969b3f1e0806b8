"""An HR app in FastAPI that uses the team API and the partner API, with four bugs to switch on.

    python examples/hr_app.py PORT [--bug NAME]...
    giftsim exam --app http://127.0.0.1:PORT
    giftsim explore --app http://127.0.0.1:PORT --seeds 200

It needs FastAPI and uvicorn, and is correct unless a bug is switched on. It sends gifts to employees, has rules for
their birthdays, books what an approved gift costs to the budget of its month in Los Angeles, and closes the books of
each day at midnight there. Orders for many people go over the partner API (`hr_orders.py`). The endpoints under
/giftsim/ are for tests: a real app would have them in its test setup only.
"""

import argparse
import json
import threading
import time
import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from inspect import signature
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import uvicorn
from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from hr_orders import Orders, Unavailable, is_genuine
from pydantic import BaseModel, ConfigDict

BUGS = {
    "utc-month": "a gift counts in its month in UTC, and the budget is for a month in Los Angeles",
    "day-twice": "the next closing is always 24 hours later, so that the day of 25 hours is closed in the middle",
    "decided-twice": "a decision is booked although the gift was booked when it was sent",
    "superseded-paid": "the amount of an approval is booked although a new price has replaced it",
}
HOME = ZoneInfo("America/Los_Angeles")
ANSWER_S = 3  # how long the app waits for an answer
PATIENCE = 60  # calls until the app gives up for now
PATIENCE_S = 4  # and how long it waits at most: a webhook has to be answered within 10 seconds
PAUSE_S = 0.05  # before it tries again, if the service does not say
MUG = 101
STATUS_EVENTS = ("gift.sent", "gift.claimed", "gift.shipped", "gift.delivered")
STATES = {"awaiting_approval": "waiting", "rejected": "rejected", "canceled": "canceled"}  # of gifts that are not sent
SENT = ("sent", "claimed", "shipped", "delivered")
PAGE = 10


class Service:
    """The team API. Calls are repeated until they are answered: all of them may be."""

    def __init__(self, origin, key):
        self.address = urlsplit(origin).netloc
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def once(self, method, path, body, headers):
        """Make one call; its status, JSON and Retry-After. Raises OSError or HTTPException without an answer."""
        connection = HTTPConnection(self.address, timeout=ANSWER_S)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, f"/api/teams/v1{path}", content, headers)
            response = connection.getresponse()
            wait = response.headers.get("Retry-After", "")
            answer = json.loads(response.read() or b"null") if response.status < 500 else None
            return response.status, answer, int(wait) if wait.isdecimal() else PAUSE_S
        finally:
            connection.close()

    def call(self, method, path, body=None, key=None):
        """Make a call until it is answered; its JSON. Raises Unavailable."""
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        until = time.monotonic() + PATIENCE_S
        for _ in range(PATIENCE):
            try:
                status, answer, wait_s = self.once(method, path, body, headers)
            except (OSError, HTTPException, ValueError):
                wait_s = PAUSE_S
            else:
                if status < 400:
                    return answer
                if status not in (409, 429) and status < 500:
                    raise ValueError(f"{method} {path} answered {status}: {answer}")
            if time.monotonic() + wait_s > until:
                break
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
            cursor = page.get("next_cursor")
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
            who = {"name": recipient["name"], "email": recipient["email"]}
            body = {"recipients": [who], "gift": {"item_slug": item}, "message": "Thank you!"}
            self.ordered[reference] = self.service.call("POST", "/gifts", body, key_of("gift", reference))["id"]

    def rule(self, reference, name, kind, person, budget_cents, merchant_product_id=MUG):
        """Send an employee a gift on each birthday: a mug, unless we are told what."""
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
            "bundle": {"items": [{"merchant_product_id": merchant_product_id, "quantity": 1}]},
            "gift_sender": "Everybody at the office",
            "budget_per_send_cents": budget_cents,
        }
        self.rules[reference] = self.service.call("POST", "/rules", rule, key_of("rule", reference))["id"]

    def clock(self, now):
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
        """Process a webhook once, one after the other, so that each sees what the one before it has done."""
        with self.receiving:
            if event["id"] in self.seen:
                return
            kind, data = event["type"], event.get("data")
            if kind == "approval.decided" and data["resource_type"] == "gift":
                self.decided(data)
            elif kind in STATUS_EVENTS:
                self.changed(data["gift_id"])
            self.seen.add(event["id"])

    def decided(self, data):
        """A person has decided on a gift. A yes may pay it, unless a new price needs another approval."""
        if data["status"] != "approved":
            return
        gift = self.service.gift(data["resource_id"])
        if gift["payment_status"] != "paid" and "superseded-paid" not in self.bugs:
            return
        if gift["id"] not in self.booked or "decided-twice" in self.bugs:
            approval = self.service.call("GET", f"/approvals/{data['approval_id']}")
            self.book(gift, approval["amount_cents"])

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

    # What the tests ask.

    def errors(self, theirs, ended):
        """Yield what is wrong in our records; `ended` is whether nothing more is to come."""
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

    def known(self, theirs):
        """What became of each gift that we were asked for, by reference."""
        states = {gift["id"]: STATES.get(gift["status"], "sent") for gift in theirs}
        return {reference: {"state": states[gift]} for reference, gift in self.ordered.items() if gift in states}

    def status_errors(self, theirs):
        """Yield what is wrong in our records of gifts."""
        for reference, gift_id in self.ordered.items():
            if gift_id not in [gift["id"] for gift in theirs]:
                yield f"{reference} is not in the list of gifts"
        for gift in theirs:
            if gift["status"] in SENT and gift["status"] != self.status.get(gift["id"]):
                yield f"a gift is {gift['status']}, and our records say {self.status.get(gift['id'])}"


def key_of(kind, reference):
    """The idempotency key of an intent: the same each time, and printable whatever the reference is."""
    return f"{kind}-{uuid.uuid5(uuid.NAMESPACE_URL, reference)}"


def instant(text):
    """The instant that a text names."""
    return datetime.fromisoformat(text)


def month_of(text):
    """The month of an instant in Los Angeles."""
    return f"{instant(text).astimezone(HOME):%Y-%m}"


class Start(BaseModel):
    """What we are told at the start of a test."""

    simulator: str
    key: str
    secret: str
    team_key: str = ""
    team_secret: str = ""
    now: str = "2027-01-04T09:00:00Z"


class Act(BaseModel):
    """What we are asked for, with its members."""

    model_config = ConfigDict(extra="allow")
    action: str


OF_TEAM = {"gift": HrApp.gift, "rule": HrApp.rule, "clock": HrApp.clock}
OF_PARTNER = {
    "order": Orders.order,
    "cancel": Orders.cancel,
    "pay": Orders.pay,
    "settle": Orders.settle,
    "read": Orders.read,
    "secrets": Orders.use_secrets,
    "break": Orders.break_down,
    "mend": Orders.mend,
}


def create_app(bugs=()):
    """The app's web server."""
    app, hr, orders = FastAPI(), HrApp(bugs), Orders()

    @app.post("/giftsim/start")
    def start(body: Start):
        hr.start(body.simulator, body.team_key, body.team_secret, body.now)
        orders.start(body.simulator, body.key, body.secret)
        return {"actions": [*OF_TEAM, *OF_PARTNER], "cheap_check": True}

    @app.post("/giftsim/do")
    def do(act: Act):
        action = OF_PARTNER.get(act.action) or OF_TEAM.get(act.action)
        if action is None:
            return JSONResponse({"error": f"we do not {act.action}"}, 501)
        members = {name: value for name, value in act.model_extra.items() if name in signature(action).parameters}
        try:
            if act.action in OF_PARTNER:
                return action(orders, **members)
            with hr.lock:
                action(hr, **members)
        except Unavailable:  # whoever asked will ask again, and the key is the same then
            return {"state": "unknown"}
        return {"ok": True}

    @app.post("/giftsim/webhooks")
    async def webhooks(request: Request):
        raw = await request.body()
        secrets = {hr: [hr.secret], orders: orders.secrets}
        header = request.headers.get("X-Service-Signature")
        signed_for = [each for each in secrets if is_genuine(header, raw, secrets[each])]
        if not signed_for:
            return JSONResponse({"error": "not signed by the service"}, 400)
        return await run_in_threadpool(receive, signed_for, json.loads(raw))

    def receive(signed_for, event):
        try:
            for each in signed_for:
                each.receive(event)
        except Unavailable:
            return JSONResponse({"error": "try again later"}, 503)
        return {"ok": True}

    @app.get("/giftsim/check")
    def check(step: int | None = None):
        known = {"orders": orders.known()}
        try:
            theirs = hr.service.gifts()
        except (Unavailable, ValueError):  # or we have no key of a team
            return {"ok": True, **known}
        errors = list(hr.errors(theirs, ended=step is None))
        return {**({"wrong": errors} if errors else {"ok": True}), **known, "gifts": hr.known(theirs)}

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
