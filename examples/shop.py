"""A small gift shop that uses the partner API and its webhooks: a downstream app for `explore` and the readiness pack.

    python examples/shop.py PORT [--timeout SECONDS] [--bug duplicates|order|new-key]...
    python run_sim.py explore --app http://127.0.0.1:PORT --seeds 200
    python run_sim.py play readiness --app http://127.0.0.1:PORT

Standard library only. It stores its customers' orders, what it paid for them, the stage of each parcel, and 100 loyalty
points for every parcel that ships. It is correct; each `--bug` adds one mistake that real shops make:

    duplicates  an event that arrives twice counts twice
    order       the event that arrives last counts as the latest
    new-key     after a lost response an order is sent again with a new idempotency key

The endpoints under /giftsim/ are for tests: a real shop would have them in its test setup only.
"""

import argparse
import hashlib
import hmac
import json
import re
import threading
import time
import uuid
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

BUGS = ("duplicates", "order", "new-key")
STAGES = {"team_order.claimed": "claimed", "team_order.shipped": "shipped", "team_order.delivered": "delivered"}
REASONS = {"claim_link_expired": "expired", "shipment_rejected": "rejected"}  # of team_order.needs_attention
RANKS = ("ordered", "expired", "claimed", "rejected", "shipped", "delivered", "canceled")  # of stages of one instant
POINTS = 100
TRIES = 4
RETRYABLE = (409, 429)  # and every 5xx: it is safe to retry with the same idempotency key


class NoResponse(Exception):
    """The connection was lost, so the service may or may not have processed the call."""


class Refused(Exception):
    """The service answered a read with an error: its status and code."""


class Broken(Exception):
    """The shop cannot do its work, as if its database were down."""


class Service:
    """The partner API."""

    def __init__(self, origin, key, timeout_s):
        self.address, self.timeout_s = urlsplit(origin).netloc, timeout_s
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def call(self, method, path, body=None):
        """Return the status, the JSON and the Retry-After of the response. Raises NoResponse if there is none."""
        connection = HTTPConnection(self.address, timeout=self.timeout_s)
        try:
            connection.request(method, f"/api/external{path}", body and json.dumps(body), self.headers)
            response = connection.getresponse()
            wait_s = int(response.headers.get("Retry-After", 0))
            return response.status, json.loads(response.read() or b"null"), wait_s
        except (OSError, HTTPException) as error:
            raise NoResponse from error
        finally:
            connection.close()

    def read(self, path):
        """Return the JSON of a GET. Raises Refused."""
        status, answer, _ = self.call("GET", path)
        if status != 200:
            raise Refused(status, answer["error"]["code"])
        return answer


class Shop:
    """The shop's records and actions. `sleep` waits before a retry; a test can let the world's time pass instead."""

    def __init__(self, bugs=(), timeout_s=10, sleep=time.sleep):
        self.bugs, self.timeout_s, self.sleep = frozenset(bugs), timeout_s, sleep
        self.lock = threading.Lock()
        self.start("", "", "")

    def start(self, simulator, key, secret):
        """Delete all records and use this service."""
        with self.lock:
            self.service, self.secrets = Service(simulator, key, self.timeout_s), [secret]
            self.orders = {}  # by reference: {body, state, id, charged_cents, refunded_cents, recipients}
            self.parcels = {}  # by the order id of the shipment: {reference, email, stage, since, points}
            self.seen = set()  # ids of the events that were processed
            self.broken = False

    # What the tests ask for by `POST /giftsim/do`.

    def order(self, reference, recipient=None, recipients=None):
        """Place an order. A known reference means the same order again, whatever happened to it before."""
        body = order_body(reference, recipients or [recipient])
        new_order = {"body": body, "state": "unknown", "charged_cents": 0, "refunded_cents": 0}
        with self.lock:
            order = self.orders.setdefault(reference, new_order)
            if order["state"] == "refused":  # nothing was made of it, so it can be corrected
                order["body"] = body
        status, answer = self.retried(order)
        if status == 201:
            self.record(reference, order, answer)
        elif status is not None and status not in RETRYABLE and status < 500:
            order["state"] = "unpaid" if status == 402 else "refused"
        return {"state": order["state"]}

    def retried(self, order):
        """Return the final status and JSON of the call that creates an order; None if it stays unknown."""
        for _ in range(TRIES):
            try:
                status, answer, wait_s = self.service.call("POST", "/team-orders", order["body"])
            except NoResponse:
                if "new-key" in self.bugs:
                    order["body"] = {**order["body"], "idempotency_key": str(uuid.uuid4())}
                continue
            if status not in RETRYABLE and status < 500:
                return status, answer
            self.sleep(wait_s)
        return None, None

    def record(self, reference, order, answer):
        """Store what the service made of an order: what it cost, and its parcels."""
        with self.lock:
            order |= {"state": "placed", "id": answer["team_order"]["id"]}
            order["charged_cents"] = answer["totals"]["charged_cents"]
            order["recipients"] = {row["email"]: row["recipient_id"] for row in answer["recipients"]}
            for row in answer["recipients"]:
                self.parcel(row["shipment"]["order_id"], reference, row["email"])

    def cancel(self, reference, recipients=None):
        """Cancel the parcels of these recipients, or the whole order."""
        order, body = self.orders[reference], {"reason": "the customer asked for it"}
        if recipients is not None:
            body["recipient_ids"] = [order["recipients"][email] for email in recipients]
        _, answer, _ = self.service.call("POST", f"/team-orders/{order['id']}/cancel", body)
        with self.lock:
            order["refunded_cents"] += answer.get("refunded_cents", 0)
            for row in answer.get("canceled", ()):  # those that were skipped go on
                self.parcels[row["order_id"]]["stage"] = "canceled"
            if {parcel["stage"] for parcel in self.parcels.values() if parcel["reference"] == reference} == {
                "canceled"
            }:
                order["state"] = "canceled"
        return {"state": order["state"]}

    def settle(self):
        """Pay what is owed on net terms."""
        _, answer, _ = self.service.call("POST", "/billing/settle", {})
        return {"settled_cents": answer.get("settled_cents", 0)}

    def read(self, status, page_size):
        """Return the references of all orders with a status. Pages move while others write, so read until they rest."""
        before, found = None, self.listed(status, page_size)
        while found != before:
            before, found = found, self.listed(status, page_size)
        return {"orders": list(found.values())}

    def listed(self, status, page_size):
        """Return the references of the listed orders by id, page by page."""
        found, offset = {}, 0
        while True:
            page = self.service.read(f"/team-orders?status={status}&limit={page_size}&offset={offset}")["team_orders"]
            found |= {row["id"]: row["reference"] for row in page}
            offset += page_size
            if len(page) < page_size:
                return found

    def use_secrets(self, secrets):
        """Accept webhooks that are signed with any of these secrets."""
        self.secrets = secrets
        return {}

    def break_down(self):
        """Fail at the shop's own work until it is mended."""
        self.broken = True
        return {}

    def mend(self):
        """Work again."""
        self.broken = False
        return {}

    # Webhooks.

    def receive(self, event):
        """Process a webhook event once."""
        with self.lock:
            if event["id"] in self.seen and "duplicates" not in self.bugs:
                return
            if self.broken:
                raise Broken
            self.update_parcel(event["type"], event["data"])
            self.seen.add(event["id"])  # last, so that an event whose work failed is processed when it comes again

    def update_parcel(self, event_type, data):
        """Store the stage of a parcel, and add points when it ships. A late event never moves it back."""
        stage = STAGES.get(event_type) or REASONS.get(data.get("reason"))
        if stage is None:  # an event that this shop does not use, or does not know
            return
        parcel = self.parcel(
            data["shipment"]["order_id"], data["team_order"].get("reference"), data["recipient"]["email"]
        )
        happened = data["occurred_at"], RANKS.index(stage)
        if "order" in self.bugs or happened > (parcel["since"], RANKS.index(parcel["stage"])):
            parcel |= {"stage": stage, "since": data["occurred_at"]}
        if stage == "shipped":
            parcel["points"] += POINTS

    def parcel(self, number, reference, email):
        """Return the record of a parcel, which is new if it is not known yet."""
        new_parcel = {"reference": reference, "email": email, "stage": "ordered", "since": "", "points": 0}
        return self.parcels.setdefault(number, new_parcel)

    def is_genuine(self, signature, body):
        """Whether a delivery was signed with one of the shop's secrets within the last five minutes."""
        fields = [field.partition("=") for field in (signature or "").split(",")]
        times = [value for name, _, value in fields if name == "t"]
        if len(times) != 1 or not re.fullmatch("0|[1-9][0-9]{0,14}", times[0]):
            return False
        signed = [value.encode() for name, _, value in fields if name == "v1"]
        matches = any(
            hmac.compare_digest(value, self.digest(secret, times[0], body))
            for secret in self.secrets
            for value in signed
        )
        return matches and abs(time.time() - int(times[0])) <= 300

    def digest(self, secret, seconds, body):
        """Return the signature that a secret gives a body."""
        return hmac.new(secret.encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest().encode()

    # What `GET /giftsim/check` answers.

    def beliefs(self):
        """Return what the shop knows of each order, by reference."""
        names = ("state", "charged_cents", "refunded_cents")
        with self.lock:
            known = {
                name: {**{member: order[member] for member in names}, "recipients": {}}
                for name, order in self.orders.items()
            }
            for parcel in self.parcels.values():
                order = known.setdefault(parcel["reference"], {"recipients": {}})
                order["recipients"][parcel["email"]] = {"stage": parcel["stage"], "since": parcel["since"]}
        return known

    def errors(self):
        """Yield each difference between the shop's records and the service's."""
        page = self.service.read("/team-orders?limit=100")
        with self.lock:
            for reference, order in self.orders.items():
                times = sum(placed["reference"] == reference for placed in page["team_orders"])
                if times > 1:
                    yield f"{reference} was placed {times} times"
                if times < 1 and order["state"] == "placed":
                    yield f"{reference} is paid in our records, but does not exist"
            for placed in page["team_orders"]:
                detail = self.service.read(f"/team-orders/{placed['id']}")
                for recipient in detail["recipients"]:
                    yield from self.parcel_errors(placed["reference"], recipient["shipment"])

    def parcel_errors(self, reference, shipment):
        """Yield each error in the record of one parcel."""
        parcel = self.parcels.get(shipment["order_id"], {"stage": "ordered", "points": 0})
        status, sent = shipment["status"], shipment["status"] in ("shipped", "delivered")
        if sent and status != parcel["stage"]:
            yield f"{reference} is {status}, but our records are behind"
        if parcel["points"] != (POINTS if sent else 0):
            yield f"{reference} earned {parcel['points']} points"


def order_body(reference, recipients):
    """Return the body of the order, which is the same in every retry."""
    return {
        "idempotency_key": f"shop-{reference}", "reference": reference, "gift_sender": "The gift shop",
        "items": [{"sku_code": "MUG-01", "quantity": 1}], "recipients": recipients,
    }  # fmt: skip


ACTIONS = {
    "order": "order",
    "cancel": "cancel",
    "settle": "settle",
    "read": "read",
    "secrets": "use_secrets",
    "break": "break_down",
    "mend": "mend",
}


class Handler(BaseHTTPRequestHandler):
    """The shop's HTTP endpoints: those that the tests call, and the webhook receiver."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        shop = self.server.shop
        if self.path != "/giftsim/check":
            return self.respond(404, {"error": f"no {self.path}"})
        errors = list(shop.errors())
        return self.respond(200, {**({"wrong": errors} if errors else {"ok": True}), "orders": shop.beliefs()})

    def do_POST(self):
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/giftsim/webhooks":
            return self.receive(raw)
        shop, body = self.server.shop, json.loads(raw)
        if self.path == "/giftsim/start":
            return self.respond(200, {"started": shop.start(body["simulator"], body["key"], body["secret"])})
        if self.path != "/giftsim/do":
            return self.respond(404, {"error": f"no {self.path}"})
        action = body.pop("action")
        if action not in ACTIONS:
            return self.respond(501, {"error": f"this shop does not {action}"})
        return self.respond(200, getattr(shop, ACTIONS[action])(**body))

    def receive(self, raw):
        """Answer a webhook: 400 if it is forged, and 500 if the shop cannot process it now."""
        shop = self.server.shop
        if not shop.is_genuine(self.headers["X-Service-Signature"], raw):
            return self.respond(400, {"error": "not signed by the service"})
        try:
            return self.respond(200, {"received": shop.receive(json.loads(raw))})
        except Broken:
            return self.respond(500, {"error": "try again later"})

    def respond(self, status, body):
        """Send a JSON response."""
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        """Silence the server's own log."""


def main():
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int, help="0 picks a free one")
    parser.add_argument("--timeout", type=float, default=10, help="seconds to wait for the service")
    parser.add_argument("--bug", action="append", default=[], choices=BUGS, help="a mistake to make; repeatable")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.shop = Shop(options.bug, options.timeout)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
