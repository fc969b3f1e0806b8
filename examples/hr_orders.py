"""Orders of the HR app over the partner API, with their webhooks: a part of `hr_app.py`.

What it rests on: an order keeps its idempotency key for ever, so it may be sent again while its fate is unknown. Of
a parcel only the latest event counts, by when that happened. Money is what the service says, in cents.
"""

import hashlib
import hmac
import json
import re
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from urllib.parse import quote, urlsplit

ANSWER_S = 3  # how long we wait for an answer
PATIENCE_S = 8  # how long those who ask us wait
PAUSES_S = (0.05, 0.1, 0.2, 0.4, 0.4, 0)  # before we try again, where the service does not say how long to wait
TOLERANCE_S = 300  # how old or early a signature may be
PAGE = 100
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
STAGES = {"team_order.claimed": "claimed", "team_order.shipped": "shipped", "team_order.delivered": "delivered"}
REASONS = {"claim_link_expired": "expired", "shipment_rejected": "rejected"}  # of team_order.needs_attention
RANKS = ("ordered", "expired", "claimed", "rejected", "shipped", "delivered")  # of stages of one instant
LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Unavailable(Exception):
    """The service does not answer now, so we do not know what it did."""


class PartnerApi:
    """The partner API."""

    def __init__(self, origin, key):
        self.address = urlsplit(origin).netloc
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def once(self, method, path, body, timeout_s):
        """Make one call; its status, JSON and Retry-After, which may be None. Raises an exception without an answer."""
        connection = HTTPConnection(self.address, timeout=timeout_s)
        try:
            connection.request(method, f"/api/external{path}", body and json.dumps(body), self.headers)
            response = connection.getresponse()
            wait, raw = response.headers.get("Retry-After", ""), response.read()
            answer = {} if response.status >= 500 else json.loads(raw)
            return response.status, answer, int(wait) if wait.isdecimal() else None
        finally:
            connection.close()

    def call(self, method, path, body=None):
        """Make a call until it has a final answer; its status and JSON. Raises Unavailable.

        All calls may be made again: an order has its key, a second cancellation finds nothing left to cancel.
        """
        until, uncertain = time.monotonic() + PATIENCE_S, False
        for pause_s in PAUSES_S:
            wait_s, left_s = None, until - time.monotonic()
            try:
                status, answer, wait_s = self.once(method, path, body, min(ANSWER_S, left_s))
            except (OSError, HTTPException, ValueError):
                uncertain = True
            else:
                if is_final(status, answer) and not (uncertain and status in (401, 403)):
                    return status, answer
            pause_s = pause_s if wait_s is None else wait_s
            if time.monotonic() + pause_s >= until:
                break
            time.sleep(pause_s)
        raise Unavailable(f"{method} {path}")

    def read(self, path):
        """Return what a GET answers. Raises Unavailable if that is an error too."""
        status, answer = self.call("GET", path)
        if status != 200:
            raise Unavailable(f"{path} answered {status}")
        return answer

    def orders(self, query="", size=PAGE):
        """Return all orders of the account by id, newest first, without their recipients."""
        found, offset = {}, 0
        while page := self.read(f"/team-orders?{query}limit={size}&offset={offset}")["team_orders"]:
            found |= {row["id"]: row for row in page}
            offset += len(page)
        return found


def is_final(status, answer):
    """Whether the same call would be answered in the same way a moment later."""
    return status < 500 and status not in (408, 429) and code_of(answer) != "idempotency_outcome_unknown"


def code_of(answer):
    """The code of an error: it is in `error`, or beside the message at the top."""
    error = answer.get("error", answer)
    return error.get("code") if isinstance(error, dict) else None


@dataclass
class Parcel:
    """What we know of one recipient's gift, and how often we acted on each type of event."""

    stage: str = "ordered"
    since: str = ""
    booked: Counter = field(default_factory=Counter)

    def happened(self):
        """When the stage began, and which of two stages of one instant is the later one."""
        return instant(self.since) if self.since else LONG_AGO, RANKS.index(self.stage)


@dataclass
class Order:
    """An order: what we send for it, and what became of it."""

    body: dict
    state: str = "unknown"
    asked: bool = False  # whether the service may have got it
    id: int | None = None
    charged_cents: int | None = None  # None while that is not known
    refunds: dict = field(default_factory=dict)  # cents by recipient id
    parcels: dict = field(default_factory=dict)  # by email


class Orders:
    """The orders of the app, by reference. All calls may come at the same time."""

    def __init__(self):
        self.lock = threading.RLock()
        self.start("http://127.0.0.1", "", "")

    def start(self, simulator, key, secret):
        """Delete all records and use this service."""
        with self.lock:
            self.api, self.secrets = PartnerApi(simulator, key), [secret]
            self.orders, self.seen, self.broken = {}, set(), False
            self.settlement = None  # the key of a settlement of which we do not know what became of it

    # What people ask for.

    def order(self, reference, items=None, gift_sender=None, recipients=None, recipient=None):
        """Place an order. A known reference means the same order again, corrected if it was refused."""
        body = {
            "idempotency_key": f"hr-{reference}",
            "reference": reference,
            "gift_sender": gift_sender or "Everybody at the office",
            "items": items or [{"sku_code": "MUG-01", "quantity": 1}],
            "recipients": recipients or [recipient],
        }
        with self.lock:
            order = self.orders.get(reference)
            if order is None or order.state == "refused":  # nothing was made of it
                order = self.orders[reference] = new_order(body)
        if order.state in ("unknown", "unpaid"):
            self.place(order)
        return {"state": order.state}

    def pay(self, reference):
        """There is money now: pay the order, which is placed already but for that."""
        order = self.orders.get(reference)
        if order is not None and order.state in ("unknown", "unpaid"):
            self.place(order)
        return {"state": order.state if order else "unknown"}

    def place(self, order):
        """Send an order until the service has answered it; its state stays unknown if that takes too long."""
        was_asked, order.asked = order.asked, True
        try:
            status, answer = self.api.call("POST", "/team-orders", order.body)
        except Unavailable:
            if order.state != "placed":  # a webhook may have told us
                order.state = "unknown"
            return
        code = code_of(answer)
        if status < 300:
            self.placed(order, answer)
        elif status == 402:
            self.belongs(order, answer["team_order_id"])
            order.state = "unpaid"
        elif code == "idempotency_payload_mismatch":  # we have ordered this before, and forgot it
            self.find(order)
        elif status in (401, 403) and was_asked:  # this says nothing of the attempt before it
            return
        else:
            order.state = "refused"

    def placed(self, order, answer):
        """Keep what the service answered to an order."""
        with self.lock:
            made = answer["team_order"]
            self.belongs(order, made["id"])
            order.charged_cents = answer["totals"]["charged_cents"]
            if order.state != "canceled":
                order.state = made["status"] if made["status"] in ("canceled", "unpaid") else "placed"

    def cancel(self, reference, recipients=None):
        """Cancel the parcels of the recipients with these emails, or all of the order."""
        order = self.orders.get(reference)
        if order is None or order.state in ("refused", "canceled"):
            return {"state": order.state if order else "unknown"}
        try:
            rows = self.refresh(order)
            ids = [row["recipient_id"] for row in rows if recipients is None or row["email"] in recipients]
            if ids:
                body = {"recipient_ids": ids, "reason": "nobody needs it any more"}
                _, answer = self.api.call("POST", f"/team-orders/{order.id}/cancel", body)
                for row in answer.get("canceled", ()):  # those that were skipped go on
                    order.refunds[row["recipient_id"]] = row["refund"]["total_cents"]
                self.refresh(order)  # has the refunds too if the first answer was lost
        except Unavailable:
            pass  # the next check finds out
        return {"state": order.state}

    def settle(self):
        """Pay what is owed on net terms."""
        self.settlement = self.settlement or f"hr-{uuid.uuid4()}"
        try:
            _, answer = self.api.call("POST", "/billing/settle", {"idempotency_key": self.settlement})
        except Unavailable:
            return {"settled_cents": 0, "state": "unknown"}
        self.settlement = None
        return {"settled_cents": answer.get("settled_cents", 0)}

    def read(self, status, page_size):
        """Return the references of all orders with a status. Pages move while others write, so read until they rest."""
        query, size = f"status={quote(status)}&", max(1, min(PAGE, page_size))
        before, found = None, self.api.orders(query, size)
        while found.keys() != before:
            before, found = found.keys(), self.api.orders(query, size)
        return {"orders": [row["reference"] for row in found.values() if row.get("reference")]}

    def use_secrets(self, secrets):
        """Accept webhooks that are signed with any of these, and with no other."""
        self.secrets = secrets
        return {}

    def break_down(self):
        """Fail to process webhooks until `mend`."""
        self.broken = True
        return {}

    def mend(self):
        """Work again."""
        self.broken = False
        return {}

    # What the service tells.

    def receive(self, event):
        """Process a webhook once. Types that we do not know, and events of orders that are not ours, change nothing."""
        if self.broken:
            raise Unavailable("our database is down")
        if event["type"] not in EVENTS:
            return
        data = event["data"]
        made, email = data["team_order"], data["recipient"].get("email")
        with self.lock:
            order = self.orders.get(made.get("reference"))
            if event["id"] in self.seen or order is None or email is None or order.state == "refused":
                return
            if order.id not in (None, made["id"]):
                return
            if order.state in ("unknown", "unpaid"):  # nothing happens before it is paid
                order.id, order.state = made["id"], "placed"
            parcel = order.parcels.setdefault(email, Parcel())
            parcel.booked[event["type"]] += 1
            self.move(parcel, STAGES.get(event["type"]) or REASONS.get(data.get("reason")), data["occurred_at"])
            self.seen.add(event["id"])

    def move(self, parcel, stage, since):
        """Store the stage of a parcel, unless a later one is known. What was canceled stays so."""
        if stage is None or parcel.stage == "canceled":
            return
        if (instant(since), RANKS.index(stage)) > parcel.happened():
            parcel.stage, parcel.since = stage, since

    # What the service's books say.

    def belongs(self, order, number):
        """The order has this id. What another one told us, by the same reference, is not about it."""
        if order.id not in (None, number):
            order.parcels = new_order(order.body).parcels
        order.id = number

    def find(self, order):
        """Look for an order of which we do not know the id. Raises Unavailable."""
        for number, row in self.api.orders().items():
            if row.get("reference") == order.body["reference"]:
                self.belongs(order, number)

    def refresh(self, order):
        """Take over what the service knows of an order; its recipients. Raises Unavailable."""
        if order.id is None:
            self.find(order)
        if order.id is None:
            return []
        found = self.api.read(f"/team-orders/{order.id}")
        made, rows = found["team_order"], found["recipients"]
        with self.lock:
            if made["status"] == "canceled":
                order.state = "canceled"
            elif made["status"] != "unpaid":
                order.state = "placed"
            if order.charged_cents is None and made["status"] != "unpaid":
                order.charged_cents = made["totals"]["total_cents"]
            for row in rows:
                cents = row.get("money", {}).get("refunded_cents")
                if cents is not None:
                    order.refunds[row["recipient_id"]] = cents
                if row["shipment"]["status"] == "canceled":
                    order.parcels.setdefault(row["email"], Parcel()).stage = "canceled"
        return rows

    # What the tests ask.

    def known(self):
        """What we know of each order, brought up to date as far as the service answers."""
        for order in list(self.orders.values()):
            if order.state not in ("refused", "canceled"):
                try:
                    self.refresh(order)
                except Unavailable:
                    break
        with self.lock:
            return {reference: described(order) for reference, order in self.orders.items()}


def new_order(body):
    """An order of which nothing is known yet."""
    return Order(body, parcels={row["email"]: Parcel() for row in body["recipients"]})


def described(order):
    """An order as the check tells it."""
    return {
        "state": order.state,
        "charged_cents": order.charged_cents or 0,
        "refunded_cents": sum(order.refunds.values()),
        "recipients": {
            email: {"stage": parcel.stage, "since": parcel.since, "booked": dict(parcel.booked)}
            for email, parcel in order.parcels.items()
        },
    }


def instant(text):
    """The instant that a text names."""
    return datetime.fromisoformat(text)


def is_genuine(header, body, secrets):
    """Whether a webhook was signed with one of these secrets in the last five minutes. `body` is the raw body."""
    fields = [field.partition("=") for field in (header or "").split(",")]
    times = [value for name, _, value in fields if name == "t"]
    if len(times) != 1 or not re.fullmatch("0|[1-9][0-9]{0,14}", times[0]):
        return False
    signed, given = times[0].encode() + b"." + body, [value.encode() for name, _, value in fields if name == "v1"]
    matches = False
    for secret in filter(str.strip, secrets):
        digest = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
        for value in given:
            matches = hmac.compare_digest(value, digest) or matches
    return matches and abs(time.time() - int(times[0])) <= TOLERANCE_S
