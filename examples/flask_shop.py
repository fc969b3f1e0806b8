"""A gift shop in Flask that uses the partner API, with thirteen bugs to switch on: an app for `explore`.

    python examples/flask_shop.py PORT [--bug NAME]...
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
PATIENCE = 60  # calls until the shop gives up for now
POINTS = 100
FINAL = ("shipped", "delivered", "canceled")
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")


class Unavailable(Exception):
    """The service does not answer now."""


class Service:
    """The partner API. Calls are repeated until they are answered: all of them may be."""

    def __init__(self, origin, key):
        self.address = urlsplit(origin).netloc
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def once(self, method, path, body=None):
        """Make one call; its status, JSON and Retry-After. Raises OSError or HTTPException without an answer."""
        connection = HTTPConnection(self.address, timeout=10)
        try:
            connection.request(method, f"/api/external{path}", body and json.dumps(body), self.headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null"), int(response.headers.get("Retry-After", 0))
        finally:
            connection.close()

    def call(self, method, path, body=None):
        """Make a call until it is answered; its status and JSON. Raises Unavailable."""
        for _ in range(PATIENCE):
            try:
                status, answer, wait_s = self.once(method, path, body)
            except (OSError, HTTPException):
                continue
            if status not in (409, 429, 503) or (status == 409 and answer["error"]["code"] == "nothing_to_cancel"):
                return status, answer
            time.sleep(wait_s)
        raise Unavailable

    def orders(self):
        """All orders with their recipients."""
        _, page = self.call("GET", "/team-orders?limit=100")
        return [self.order(row["id"]) for row in page["team_orders"]]

    def order(self, number):
        """One order with its recipients."""
        return self.call("GET", f"/team-orders/{number}")[1]


class Shop:
    """The shop's records, and what it does."""

    def __init__(self, bugs=()):
        self.bugs, self.lock, self.receiving = frozenset(bugs), threading.Lock(), threading.Lock()
        self.start("http://127.0.0.1", "", "")

    def start(self, simulator, key, secret):
        """Delete all records and use this service."""
        with self.lock:
            self.service, self.secrets = Service(simulator, key), [secret]
            self.orders = {}  # by reference: {body, state, id, charged, refunded, parcels by email, wants_pay}
            self.points, self.seen, self.cache = {}, set(), {}

    # What a customer asks for.

    def order(self, reference, recipient=None, recipients=None):
        """Place an order. A known reference means the same order again."""
        body = {
            "idempotency_key": f"shop-{reference}",
            "reference": reference,
            "gift_sender": "The gift shop",
            "items": [{"sku_code": "MUG-01", "quantity": 1}],
            "recipients": recipients or [recipient],
        }
        new_order = {"body": body, "state": "unknown", "charged": 0, "refunded": 0, "parcels": {}, "wants_pay": False}
        order = self.orders.setdefault(reference, new_order)
        if "charged-twice" in self.bugs:
            order["body"] = {**body, "idempotency_key": str(uuid.uuid4())}
        elif order["state"] not in ("unknown", "unpaid"):
            return
        self.place(order)

    def pay_order(self, reference):
        """The customer has given us another card: pay what could not be paid before."""
        order = self.orders[reference]
        if order["state"] in ("unpaid", "refused"):
            order["wants_pay"] = True
        if order["state"] == "unpaid":
            self.place(order)

    def cancel_order(self, reference, recipients=None):
        """Cancel the parcels of these recipients, or all of an order, and give the customer the money back."""
        order = self.orders[reference]
        self.place_unknown(order)
        if order["state"] != "placed":
            return
        body = {"reason": "the customer asked for it"}
        if recipients is not None:
            body["recipient_ids"] = [order["recipient_ids"][email] for email in recipients]
        self.service.call("POST", f"/team-orders/{order['id']}/cancel", body)
        self.refresh(order)
        if "whole-refund" in self.bugs and order["refunded"]:
            order["refunded"] = order["charged"]

    def use_secrets(self, reference, secrets):
        """Accept webhooks that are signed with any of these."""
        self.secrets = secrets[-1:] if "one-secret" in self.bugs else secrets

    # Placing orders.

    def place(self, order):
        """Send an order until the service has answered it. Whatever it answers, the same key is safe."""
        refusals = 0
        for _ in range(PATIENCE):
            try:
                status, answer, wait_s = self.service.once("POST", "/team-orders", order["body"])
            except (OSError, HTTPException):
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
            elif status in (409, 429) or status >= 500:
                time.sleep(wait_s)
            else:
                self.placed(order, status, answer)
                return

    def placed(self, order, status, answer):
        """Keep what the service answered to an order."""
        if status == 201:
            cents = answer["totals"]["charged_cents"]
            order |= {"state": "placed", "id": answer["team_order"]["id"], "wants_pay": False}
            order["charged"] = int(cents / 100 * 100) if "float-cents" in self.bugs else cents
            order["recipient_ids"] = {row["email"]: row["recipient_id"] for row in answer["recipients"]}
            self.refresh(order)
        elif status == 402:
            order["state"] = "refused" if "declined-forever" in self.bugs else "unpaid"
            order["wants_pay"] = False
        else:
            order["state"] = "refused"

    def place_unknown(self, order):
        """Send an order again whose answer never came."""
        if order["state"] == "unknown":
            self.place(order)

    def refresh(self, order):
        """Take over what the service says of an order: the stage of each parcel, and the refunds."""
        if "stale-read" in self.bugs and order["id"] in self.cache:
            found = self.cache[order["id"]]
        else:
            found = self.cache[order["id"]] = self.service.order(order["id"])
        for row in found["recipients"]:
            order["parcels"][row["email"]] = row["shipment"]["status"]
        order["refunded"] = sum(row["money"]["refunded_cents"] for row in found["recipients"])

    # Webhooks.

    def receive(self, event):
        """Process a webhook once."""
        if event["type"] not in EVENTS:
            if "unknown-event" in self.bugs:
                raise ValueError(event["type"])
            return
        if event["id"] in self.seen and "counted-twice" not in self.bugs:
            return
        data = event["data"]
        order, email = self.orders[data["team_order"]["reference"]], data["recipient"]["email"]
        if order["state"] == "placed":
            self.refresh(order)
        if "late-event-revives" in self.bugs and order["parcels"].get(email) == "canceled":
            order["parcels"][email] = event["type"].partition(".")[2]
        if event["type"] == "team_order.shipped":
            self.points[email] = self.points.get(email, 0) + POINTS
        self.seen.add(event["id"])

    def is_genuine(self, signature, body):
        """Whether a webhook was signed with one of our secrets."""
        fields = dict(field.partition("=")[::2] for field in (signature or "").split(","))
        if "parsed-signature" in self.bugs:
            body = json.dumps(json.loads(body), separators=(",", ":")).encode()
        signed = fields.get("t", "").encode() + b"." + body
        return any(
            hmac.compare_digest(hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest(), fields.get("v1", ""))
            for secret in self.secrets
        )

    # What the tests ask.

    def errors(self, ended):
        """Yield what is wrong in our records; `ended` is whether nothing more is to come."""
        if ended:
            for order in self.orders.values():
                self.place_unknown(order)
        theirs = self.service.orders()
        for reference, order in self.orders.items():
            own = [each for each in theirs if each["team_order"]["reference"] == reference]
            yield from self.money_errors(reference, order, own)
            if order["state"] in ("refused", "given up") and order.get("wants_pay"):
                yield f"{reference} was paid by the customer, and never placed"
            if order["state"] == "given up":
                yield f"{reference} was given up"
            if ended and order["state"] == "placed":
                yield from self.parcel_errors(reference, order, own)

    def money_errors(self, reference, order, own):
        paid = [each for each in own if each["team_order"]["status"] not in ("unpaid", "pending_payment")]
        total = sum(each["team_order"]["totals"]["total_cents"] for each in paid)
        back = sum(row["money"]["refunded_cents"] for each in own for row in each["recipients"])
        if order["state"] == "failed" and paid:
            yield f"{reference} failed in our records, but was paid"
        if order["state"] == "placed" and order["charged"] != total:
            yield f"{reference} cost {total}, and our records say {order['charged']}"
        if order["refunded"] > back:
            yield f"{reference} was refunded {back}, and we gave the customer {order['refunded']}"

    def parcel_errors(self, reference, order, own):
        for row in (row for each in own for row in each["recipients"]):
            status, known = row["shipment"]["status"], order["parcels"].get(row["email"])
            if (status in FINAL or known in FINAL) and status != known:
                yield f"a parcel of {reference} is {status}, and our records say {known}"
            points = self.points.get(row["email"], 0)
            if points != (POINTS if status in ("shipped", "delivered") else 0):
                yield f"{reference} earned {points} points"


ACTIONS = {
    "order": Shop.order,
    "cancel_order": Shop.cancel_order,
    "pay_order": Shop.pay_order,
    "secrets": Shop.use_secrets,
}


def create_app(bugs=()):
    """The shop's web server."""
    app, shop = Flask(__name__), Shop(bugs)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)

    @app.post("/giftsim/start")
    def start():
        body = request.get_json()
        shop.start(body["simulator"], body["key"], body["secret"])
        return jsonify(actions=list(ACTIONS), cheap_check=True)

    @app.post("/giftsim/do")
    def do():
        body = request.get_json()
        with shop.lock:
            ACTIONS[body.pop("action")](shop, **body)
        return jsonify(ok=True)

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
        errors = list(shop.errors(ended="step" not in request.args))
        return jsonify({"wrong": errors} if errors else {"ok": True})

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
