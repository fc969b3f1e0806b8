"""A gift shop in Flask that uses the partner API, with thirteen bugs to switch on: an app for `exam` and `explore`.

    python examples/flask_shop.py PORT [--bug NAME]...
    giftsim exam --app http://127.0.0.1:PORT
    giftsim explore --app http://127.0.0.1:PORT --seeds 200

It needs Flask, and is correct unless a bug is switched on. The endpoints under /giftsim/ are for tests: a real shop
would have them in its test setup only.
"""

import argparse
import hashlib
import hmac
import json
import logging
import threading
import time
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from flask import Flask, jsonify, request

BUGS = {
    "charged-twice": "each request of an order places it, with a key of its own",
    "new-key": "after a lost response an order is sent again with a new idempotency key",
    "lost-is-failed": "a lost response counts as a failure",
    "stale-read": "after a webhook the shop reads its order from a cache",
    "late-event-revives": "an event that comes after the cancellation brings the parcel back",
    "counted-twice": "an event that arrives twice earns points twice",
    "one-secret": "only the newest secret is accepted, although the older one still signs",
    "parsed-signature": "the signature is computed over the JSON as this shop would write it",
    "declined-forever": "an order whose payment was declined cannot be paid later",
    "no-back-off": "a 429 is tried again at once, and after three of them the order is given up",
    "float-cents": "amounts are kept as floats",
    "whole-refund": "a partial cancellation refunds the customer's whole order",
    "unknown-event": "an event of a type that the shop does not know is an error",
}
TRIES, PAUSE_S = 10, 0.02  # of a call, and before the second try; each further pause is twice as long
PATIENCE_S = 5  # that one request may wait for the service's Retry-After
POINTS = 100
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
REASONS = {"claim_link_expired": "expired", "shipment_rejected": "rejected"}  # of team_order.needs_attention
LEAST = {"team_order.shipped": ("shipped", "delivered"), "team_order.delivered": ("delivered",)}  # what must be known
TROUBLE = ("delayed", "rejected", "canceled")  # statuses that a parcel can also have after it was shipped
STAGES = ("expired", "claimed", "rejected", "shipped", "delivered")  # that an event tells, in order
OVER = ("shipped", "delivered", "expired", "rejected", "canceled")  # statuses of a parcel that are stages too


class Unavailable(Exception):
    """The service does not answer now, or we cannot work."""


class Service:
    """The partner API. Calls are repeated until they are answered: all of them may be."""

    def __init__(self, origin, key, now):
        self.address = urlsplit(origin).netloc
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self.rest_until = 0  # when the service wants to be called again
        self.set_clock(now)

    def set_clock(self, now):
        """Go by this time; by that of the machine if none is given."""
        self.ahead = (datetime.fromisoformat(now).timestamp() if now else time.time()) - time.monotonic()

    def once(self, method, path, body=None):
        """Make one call; its status, JSON and Retry-After. Raises OSError, HTTPException or ValueError otherwise."""
        connection = HTTPConnection(self.address, timeout=10)
        try:
            connection.request(
                method, f"/api/external{path}", None if body is None else json.dumps(body), self.headers
            )
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null"), int(response.headers.get("Retry-After", 0))
        finally:
            connection.close()

    def tries(self):
        """Yield for each try of a call, and wait as long as was asked for. Raises Unavailable after the last one."""
        patience, pause = PATIENCE_S, PAUSE_S
        for number in range(TRIES):
            wait = max(self.rest_until - time.monotonic() - self.ahead, pause if number else 0)
            if wait > patience:
                break
            patience, pause = patience - wait, pause * 2
            time.sleep(max(wait, 0))
            self.rest_until = 0
            yield number
        raise Unavailable

    def rest(self, wait_s):
        """Remember to call no sooner than in so many seconds."""
        self.rest_until = time.monotonic() + self.ahead + wait_s

    def call(self, method, path, body=None):
        """Make a call until it is answered; its status and JSON. Raises Unavailable."""
        for _ in self.tries():
            try:
                status, answer, wait_s = self.once(method, path, body)
            except (OSError, HTTPException, ValueError):
                continue
            if not unsettled(status, answer):
                return status, answer
            self.rest(wait_s)
        raise Unavailable

    def read(self, path):
        """The JSON of a read. Raises Unavailable."""
        status, answer = self.call("GET", path)
        if status != 200:
            raise Unavailable
        return answer

    def order(self, number):
        """One order with its recipients."""
        return self.read(f"/team-orders/{number}")

    def listed(self, status, size):
        """The references of the orders with a status by id, page by page until one is empty."""
        found, page, size = {}, [None], min(size, 100)
        offset = 0
        while page:
            page = self.read(f"/team-orders?status={status}&limit={size}&offset={offset}")["team_orders"]
            offset += len(page)
            found |= {row["id"]: row["reference"] for row in page}
        return found


class Shop:
    """The shop's records, and what it does."""

    def __init__(self, bugs=()):
        self.bugs, self.receiving = frozenset(bugs), threading.Lock()
        self.start("http://127.0.0.1", "", "")

    def start(self, simulator, key, secret, now=None, **_):
        """Delete all records and use this service."""
        with self.receiving:
            self.service, self.secrets = Service(simulator, key, now), [secret]
            self.orders = {}  # by reference, see `new_order`
            self.seen, self.cache, self.settlement, self.broken = set(), {}, None, False

    # What a customer asks for.

    def order(self, reference, recipient=None, recipients=None, items=None, gift_sender="The gift shop", **_):
        """Place an order. A known reference means the same order again, corrected if it was refused."""
        body = {
            "idempotency_key": f"shop-{reference}",
            "reference": reference,
            "gift_sender": gift_sender,
            "items": items or [{"sku_code": "MUG-01", "quantity": 1}],
            "recipients": recipients or [recipient],
        }
        order = self.orders.setdefault(reference, new_order(body))
        with order["lock"]:
            if "charged-twice" in self.bugs:
                order |= {"state": "unknown", "body": {**body, "idempotency_key": str(uuid.uuid4())}}
            elif order["state"] == "refused":
                order["refusals"] += 1  # nothing was made of it, and another body needs another key
                own = f"{body['idempotency_key']} corrected {order['refusals']}"
                order |= {"state": "unknown", "body": {**body, "idempotency_key": own}}
            if order["state"] in ("unknown", "unpaid"):
                self.place(order)
        return {"state": order["state"]}

    def pay(self, reference, **_):
        """The customer has given us another card: pay what could not be paid before."""
        order = self.orders[reference]
        with order["lock"]:
            order["wants_pay"] |= order["state"] in ("unpaid", "declined")
            if order["state"] in ("unknown", "unpaid"):
                self.place(order)
        return {"state": order["state"]}

    def cancel(self, reference, recipients=None, **_):
        """Cancel the parcels of these recipients, or all of an order, and give the customer the money back."""
        order = self.orders[reference]
        with order["lock"]:
            order["to_cancel"].append(recipients)
            self.catch_up(order)
        return {"state": order["state"]}

    def settle(self, **_):
        """Pay what we owe. A settlement whose outcome is unknown is repeated with its key."""
        self.settlement = self.settlement or str(uuid.uuid4())
        try:
            _, answer = self.service.call("POST", "/billing/settle", {"idempotency_key": self.settlement})
        except Unavailable:
            return {"settled_cents": 0}
        self.settlement = None
        return {"settled_cents": answer.get("settled_cents", 0)}

    def read(self, status, page_size, **_):
        """The references of all orders with a status. The list moves while we read, so we read until it rests."""
        found, again = None, self.service.listed(status, page_size)
        while found != again:
            found, again = again, self.service.listed(status, page_size)
        return {"orders": [reference for reference in found.values() if reference]}

    def use_secrets(self, secrets, **_):
        """Accept webhooks that are signed with any of these."""
        self.secrets = secrets[-1:] if "one-secret" in self.bugs else secrets
        return {}

    def set_broken(self, broken):
        """From now on we cannot work, or can again."""
        self.broken = broken
        return {}

    def set_clock(self, now, **_):
        """Go by this time."""
        self.service.set_clock(now)
        return {}

    # Placing orders.

    def place(self, order):
        """Send an order until the service has answered it. Whatever it answers, the same key is safe."""
        refusals = 0
        try:
            for _ in self.service.tries():
                order["state"] = "unknown"
                try:
                    status, answer, wait_s = self.service.once("POST", "/team-orders", order["body"])
                except (OSError, HTTPException, ValueError):
                    order["doubtful"] = True
                    if "lost-is-failed" in self.bugs:
                        order["state"] = "failed"
                        return
                    if "new-key" in self.bugs:
                        order["body"] = {**order["body"], "idempotency_key": str(uuid.uuid4())}
                    continue
                if status == 429 and "no-back-off" in self.bugs:
                    refusals += 1
                    if refusals == 3:
                        order["state"] = "given up"
                        return
                elif unsettled(status, answer):
                    order["doubtful"] |= status != 429
                    self.service.rest(wait_s)
                elif status in (401, 403) and order["doubtful"]:
                    return
                else:
                    self.placed(order, status, answer)
                    return
        except Unavailable:
            return

    def placed(self, order, status, answer):
        """Keep what the service answered to an order."""
        if status < 300:
            cents, made = answer["totals"]["charged_cents"], answer["team_order"]
            order |= {"state": "placed", "id": made["id"], "wants_pay": False, "stale": True, "doubtful": False}
            order["charged"] = int(cents / 100 * 100) if "float-cents" in self.bugs else cents
            self.take(order, answer)
            self.catch_up(order)
        elif status == 402:
            order["state"] = "declined" if "declined-forever" in self.bugs else "unpaid"
            order |= {"id": answer["team_order_id"], "wants_pay": False, "doubtful": False}
        else:
            order |= {"state": "refused", "to_cancel": []}

    def catch_up(self, order):
        """Ask the service for what we do not know yet of an order, and cancel what is to be canceled."""
        try:
            if order["state"] == "unknown":
                self.place(order)
            while order["to_cancel"] and order["state"] in ("placed", "unpaid"):
                self.cancel_now(order, order["to_cancel"][0])
                del order["to_cancel"][:1]
            if order["stale"]:
                self.refresh(order)
        except Unavailable:
            return

    def cancel_now(self, order, emails):
        """Cancel parcels. Twice is as good as once. Raises Unavailable."""
        body = {"reason": "the customer asked for it"}
        if emails is not None:
            if not order["rows"]:
                self.refresh(order)
            body["recipient_ids"] = [number for number, row in order["rows"].items() if row["email"] in emails]
        order["stale"] = True
        self.service.call("POST", f"/team-orders/{order['id']}/cancel", body)
        self.refresh(order)
        if "whole-refund" in self.bugs and order["refunded"]:
            order["refunded"] = order["charged"]

    def refresh(self, order):
        """Take over what the service says of an order: the status of each parcel, and the refunds. Unavailable."""
        if "stale-read" in self.bugs and order["id"] in self.cache:
            found = self.cache[order["id"]]
        else:
            found = self.cache[order["id"]] = self.service.order(order["id"])
        order["stale"] = False
        self.take(order, found)
        order["refunded"] = sum(row["money"]["refunded_cents"] for row in found["recipients"])
        statuses = {row["status"] for row in order["rows"].values()}
        if statuses == {"canceled"}:
            order["state"] = "canceled"

    def take(self, order, found):
        """Take over the rows of an order by recipient."""
        order["by_link"] = found["team_order"]["address_mode"] == "claim_links"
        order["rows"] = {
            row["recipient_id"]: {"email": row["email"], **row["shipment"]} for row in found["recipients"]
        }

    # Webhooks.

    def receive(self, event):
        """Process a webhook once."""
        if event["type"] not in EVENTS:
            if "unknown-event" in self.bugs:
                raise ValueError(event["type"])
            return
        if event["id"] in self.seen and "counted-twice" not in self.bugs:
            return
        if self.broken:
            raise Unavailable
        data = event["data"]
        order, made = self.orders.get(data["team_order"].get("reference")), data["team_order"]["id"]
        if order is not None and order["id"] in (None, made):  # others use the account too
            self.book(order, made, event["type"], data)
        self.seen.add(event["id"])

    def book(self, order, made, kind, data):
        """Do what an event about a parcel is for. The service is asked later: it may be slow, and waits for us."""
        number, row = data["recipient"]["id"], order["rows"].get(data["recipient"]["id"], {"status": ""})
        own = order["told"].setdefault((made, number), {"email": data["recipient"]["email"], "booked": {}, "at": {}})
        own["booked"][kind] = own["booked"].get(kind, 0) + 1
        stage = REASONS.get(data.get("reason")) or kind.partition(".")[2]
        if stage in STAGES:
            own["at"][stage] = max(utc(data["occurred_at"]), own["at"].get(stage, ""))
        if row["status"] == "canceled":
            order["was_canceled"].add(number)
            if "late-event-revives" in self.bugs:
                row["status"] = kind.partition(".")[2]
        else:
            order["stale"] = order["id"] is not None

    def is_genuine(self, signature, body):
        """Whether a webhook was signed with one of our secrets, at most five minutes ago."""
        fields = [field.partition("=")[::2] for field in (signature or "").split(",")]
        if "parsed-signature" in self.bugs:
            body = json.dumps(json.loads(body), separators=(",", ":")).encode()
        times = [value for name, value in fields if name == "t"]
        if len(times) != 1 or not (times[0].isascii() and times[0].isdigit()) or len(times[0]) > 12:
            return False
        ours = [
            hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest().encode()
            for secret in self.secrets
        ]
        theirs = [value.encode() for name, value in fields if name == "v1"]
        matches = [hmac.compare_digest(one, other) for one in ours for other in theirs]
        return any(matches) and abs(int(time.time()) - int(times[0])) <= 300

    # What the tests ask.

    def check(self):
        """Our orders by reference, and what is wrong in our records, whatever is still to come."""
        orders = list(self.orders.items())
        for _, order in orders:
            if order["lock"].acquire(blocking=False):  # else it is being sent
                try:
                    self.catch_up(order)
                finally:
                    order["lock"].release()
        wrong = [reason for reference, order in orders for reason in self.errors(reference, order)]
        known = {reference: self.belief(order) for reference, order in orders}
        return {**({"wrong": wrong} if wrong else {"ok": True}), "orders": known}

    def belief(self, order):
        """What we know of an order."""
        own = {number: told for (made, number), told in order["told"].items() if order["id"] in (None, made)}
        rows = {number: {"email": told["email"], "status": ""} for number, told in own.items()} | order["rows"]
        people = {}
        for number, row in rows.items():
            told = own.get(number, {"booked": {}, "at": {}})
            stage = self.stage(order, row, told["at"])
            since = told["at"].get(stage) or utc(row.get(f"{stage}_at"))
            people[row["email"]] = {"stage": stage, "since": since, "booked": told["booked"]}
        return {
            "state": "refused" if order["state"] == "declined" else order["state"],
            "charged_cents": order["charged"],
            "refunded_cents": order["refunded"],
            "recipients": people,
        }

    def stage(self, order, row, told):
        """The stage of a parcel: that of its status, or of the latest event while we could not ask the service."""
        status = "shipped" if row["status"] == "delayed" and row.get("shipped_at") else row["status"]
        if told and (order["stale"] or not status):
            return max(told, key=lambda stage: (told[stage], STAGES.index(stage)))
        if status in OVER:
            return status
        return "claimed" if order["by_link"] and status not in ("", "awaiting") else "ordered"

    def errors(self, reference, order):
        """Yield what is wrong in our records of an order."""
        if order["state"] == "declined" and order["wants_pay"]:
            yield f"{reference} was paid by the customer, and never placed"
        if order["state"] == "given up":
            yield f"{reference} was given up"
        with suppress(Unavailable):
            yield from self.money_errors(reference, order)
        for (made, number), told in list(order["told"].items()):
            if made == order["id"] and number in order["rows"] and not order["stale"]:
                yield from self.parcel_errors(reference, order["rows"][number]["status"], told["booked"])
            if number in order["was_canceled"] and order["rows"][number]["status"] != "canceled":
                status = order["rows"][number]["status"]
                yield f"a parcel of {reference} is canceled, and our records say {status}"

    def money_errors(self, reference, order):
        """Yield where the money that we booked is not that of the service. Raises Unavailable."""
        if order["state"] == "failed" and reference in self.paid():
            yield f"{reference} failed in our records, but was paid"
        if order["state"] != "placed":
            return
        found = self.service.order(order["id"])
        total = found["team_order"]["totals"]["total_cents"]
        back = sum(row["money"]["refunded_cents"] for row in found["recipients"])
        if order["charged"] != total:
            yield f"{reference} cost {total}, and our records say {order['charged']}"
        if order["refunded"] > back:
            yield f"{reference} was refunded {back}, and we gave the customer {order['refunded']}"

    def paid(self):
        """The references of all orders that were paid. Raises Unavailable."""
        statuses = "collecting_addresses", "in_progress", "shipped", "delivered"
        return {reference for status in statuses for reference in self.service.listed(status, 100).values()}

    def parcel_errors(self, reference, status, booked):
        """Yield where a parcel is behind what we were told, and points that were given twice."""
        for kind, enough in LEAST.items():
            if kind in booked and status not in (*enough, *TROUBLE):
                yield f"a parcel of {reference} is {enough[-1]}, and our records say {status}"
        points = POINTS * booked.get("team_order.shipped", 0)
        if points > POINTS:
            yield f"{reference} earned {points} points"


def new_order(body):
    """The record of an order: `told` are the events about its parcels, and `rows` what the service says of them."""
    return {
        "body": body,
        "state": "unknown",
        "id": None,
        "charged": 0,
        "refunded": 0,
        "rows": {},
        "told": {},
        "by_link": False,
        "was_canceled": set(),
        "to_cancel": [],
        "stale": False,
        "doubtful": False,
        "refusals": 0,
        "wants_pay": False,
        "lock": threading.RLock(),
    }


def unsettled(status, answer):
    """Whether a call is worth another try, with the same key."""
    return status >= 500 or status == 429 or (status == 409 and "idempotency_outcome_unknown" in json.dumps(answer))


def utc(instant):
    """An instant as it is written in UTC; nothing for none."""
    return datetime.fromisoformat(instant).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if instant else ""


ACTIONS = {
    "order": Shop.order,
    "cancel": Shop.cancel,
    "pay": Shop.pay,
    "settle": Shop.settle,
    "read": Shop.read,
    "secrets": Shop.use_secrets,
    "break": lambda shop, **_: shop.set_broken(True),
    "mend": lambda shop, **_: shop.set_broken(False),
    "clock": Shop.set_clock,
}
FORMER = {"cancel_order": "cancel", "pay_order": "pay"}


def create_app(bugs=()):
    """The shop's web server."""
    app, shop = Flask(__name__), Shop(bugs)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)

    @app.post("/giftsim/start")
    def start():
        shop.start(**request.get_json())
        return jsonify(actions=list(ACTIONS), cheap_check=True)

    @app.post("/giftsim/do")
    def do():
        body = request.get_json()
        action = body.pop("action")
        action = FORMER.get(action, action)
        if action not in ACTIONS:
            return jsonify(error=f"this shop does not {action}"), 501
        try:
            return jsonify(ACTIONS[action](shop, **body))
        except Unavailable:
            return jsonify(error="the service is not available"), 503

    @app.post("/giftsim/webhooks")
    def webhooks():
        raw = request.get_data()
        if not shop.is_genuine(request.headers.get("X-Service-Signature"), raw):
            return jsonify(error="not signed by the service"), 400
        try:
            with shop.receiving:  # one after the other, so that each sees what the one before it has done
                shop.receive(json.loads(raw))
        except Unavailable:
            return jsonify(error="try again later"), 503
        return jsonify(ok=True)

    @app.get("/giftsim/check")
    def check():
        return jsonify(shop.check())

    return app


def main():
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("--bug", action="append", default=[], choices=BUGS, help="a mistake to make; repeatable")
    options = parser.parse_args()
    create_app(options.bug).run("127.0.0.1", options.port, threaded=True)


if __name__ == "__main__":
    main()
