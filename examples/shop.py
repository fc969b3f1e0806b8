"""A small gift shop that uses the partner API and its webhooks: a downstream app for `explore`.

    python examples/shop.py PORT [--bug duplicates|order|new-key]...
    python run_sim.py explore --app http://127.0.0.1:PORT --seeds 200

Standard library only. It stores its customers' orders, the stage of each parcel, and 100 loyalty points for every
parcel that ships. It is correct; each `--bug` adds one mistake that real shops make:

    duplicates  an event that arrives twice counts twice
    order       the event that arrives last counts as the latest
    new-key     after a lost response an order is sent again with a new idempotency key

`explore` calls the four endpoints under /giftsim/.
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
STAGES = {"team_order.claimed": 1, "team_order.shipped": 2, "team_order.delivered": 3}
STAGE_NAMES = {2: "shipped", 3: "delivered"}
POINTS = 100
TRIES = 4
RETRYABLE = (409, 429, 503)  # it is safe to retry with the same idempotency key


class NoResponse(Exception):
    """The connection was lost, so the service may or may not have processed the call."""


class Service:
    """The partner API."""

    def __init__(self, origin, key):
        self.address = urlsplit(origin).netloc
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def call(self, method, path, body=None):
        """Return the status and JSON of the response. Raises NoResponse if there is none."""
        connection = HTTPConnection(self.address, timeout=10)
        try:
            connection.request(method, f"/api/external{path}", body and json.dumps(body), self.headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")
        except (OSError, HTTPException) as error:
            raise NoResponse from error
        finally:
            connection.close()


class Shop:
    """The shop's records and actions."""

    def __init__(self, bugs=()):
        self.bugs = frozenset(bugs)
        self.lock = threading.Lock()
        self.start("", "", "")

    def start(self, simulator, key, secret):
        """Delete all records and use this service."""
        with self.lock:
            self.service, self.secret = Service(simulator, key), secret
            self.orders = {}  # by reference: {body, state}
            self.parcels = {}  # by the order id of the shipment: {reference, stage, points}
            self.seen = set()  # ids of the events that were processed

    def order(self, reference, recipient):
        """Place an order. A known reference means the same order again, whatever happened to it before."""
        new_order = {"body": order_body(reference, recipient), "state": "unknown"}
        with self.lock:
            order = self.orders.setdefault(reference, new_order)
        for _ in range(TRIES):
            try:
                status, _ = self.service.call("POST", "/team-orders", order["body"])
            except NoResponse:
                if "new-key" in self.bugs:
                    order["body"] = {**order["body"], "idempotency_key": str(uuid.uuid4())}
                continue
            if status not in RETRYABLE:
                order["state"] = "placed" if status == 201 else "declined"
                break
        return order["state"]

    def receive(self, event):
        """Process a webhook event once. A late event never moves a parcel back to an earlier stage."""
        with self.lock:
            if event["id"] in self.seen and "duplicates" not in self.bugs:
                return
            self.seen.add(event["id"])
            if event["type"] in STAGES:
                self.update_parcel(event["type"], event["data"])

    def update_parcel(self, event_type, data):
        """Store the stage of a parcel, and add points when it ships."""
        new_parcel = {"reference": data["team_order"].get("reference"), "stage": 0, "points": 0}
        parcel = self.parcels.setdefault(data["shipment"]["order_id"], new_parcel)
        if "order" in self.bugs:
            parcel["stage"] = STAGES[event_type]
        else:
            parcel["stage"] = max(parcel["stage"], STAGES[event_type])
        if event_type == "team_order.shipped":
            parcel["points"] += POINTS

    def errors(self):
        """Yield each difference between the shop's records and the service's."""
        _, page = self.service.call("GET", "/team-orders?limit=100")
        with self.lock:
            for reference, order in self.orders.items():
                times = sum(placed["reference"] == reference for placed in page["team_orders"])
                if times > 1:
                    yield f"{reference} was placed {times} times"
                if times < 1 and order["state"] == "placed":
                    yield f"{reference} is paid in our records, but does not exist"
            for placed in page["team_orders"]:
                _, detail = self.service.call("GET", f"/team-orders/{placed['id']}")
                for recipient in detail["recipients"]:
                    yield from self.parcel_errors(placed["reference"], recipient["shipment"])

    def parcel_errors(self, reference, shipment):
        """Yield each error in the record of one parcel."""
        parcel = self.parcels.get(shipment["order_id"], {"stage": 0, "points": 0})
        status = shipment["status"]
        if status in STAGE_NAMES.values() and status != STAGE_NAMES.get(parcel["stage"]):
            yield f"{reference} is {status}, but our records are behind"
        if parcel["points"] != (POINTS if status in STAGE_NAMES.values() else 0):
            yield f"{reference} earned {parcel['points']} points"

    def is_genuine(self, signature, body):
        """Whether a delivery was signed with the shop's secret within the last five minutes."""
        fields = [field.partition("=") for field in (signature or "").split(",")]
        times = [value for name, _, value in fields if name == "t"]
        if len(times) != 1 or not re.fullmatch("0|[1-9][0-9]{0,14}", times[0]):
            return False
        expected = hmac.new(self.secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest().encode()
        matches = any(hmac.compare_digest(value.encode(), expected) for name, _, value in fields if name == "v1")
        return matches and abs(time.time() - int(times[0])) <= 300


def order_body(reference, recipient):
    """Return the body of the order, which is the same in every retry."""
    return {
        "idempotency_key": f"shop-{reference}", "reference": reference, "gift_sender": "The gift shop",
        "items": [{"sku_code": "MUG-01", "quantity": 1}], "recipients": [recipient],
    }  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    """The shop's HTTP endpoints: those that `explore` calls, and the webhook receiver."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.path != "/giftsim/check":
            return self.respond(404, {"error": f"no {self.path}"})
        errors = list(self.server.shop.errors())
        return self.respond(200, {"wrong": errors} if errors else {"ok": True})

    def do_POST(self):
        shop, raw = self.server.shop, self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/giftsim/webhooks" and not shop.is_genuine(self.headers["X-Service-Signature"], raw):
            return self.respond(400, {"error": "not signed by the service"})
        body = json.loads(raw)
        if self.path == "/giftsim/webhooks":
            return self.respond(200, {"received": shop.receive(body)})
        if self.path == "/giftsim/start":
            return self.respond(200, {"started": shop.start(body["simulator"], body["key"], body["secret"])})
        if self.path == "/giftsim/do" and body["action"] == "order":
            return self.respond(200, {"state": shop.order(body["reference"], body["recipient"])})
        return self.respond(404, {"error": f"no {self.path}"})

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
    parser.add_argument("--bug", action="append", default=[], choices=BUGS, help="a mistake to make; repeatable")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.shop = Shop(options.bug)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
