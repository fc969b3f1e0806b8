"""A small gift shop that sells by the partner API and lives on its webhooks: a downstream app to explore.

    python examples/shop.py PORT [--bug duplicates|order|new-key]...
    python run_sim.py explore --app http://127.0.0.1:PORT --seeds 200

Standard library only. It keeps its customers' orders, how far each parcel is, and 100 loyalty points for every parcel
that ships. It is right as it stands; each `--bug` makes one mistake that real shops make:

    duplicates  an event that comes twice counts twice
    order       the event that comes last is taken for the latest
    new-key     after a lost answer an order is sent again under a new idempotency key

What `explore` asks of an app are the four calls under /giftsim/.
"""

import argparse
import hashlib
import hmac
import json
import threading
import time
import uuid
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

BUGS = ("duplicates", "order", "new-key")
STAGES = {"team_order.claimed": 1, "team_order.shipped": 2, "team_order.delivered": 3}
NAMES = {2: "shipped", 3: "delivered"}
POINTS = 100
TRIES = 4
WORTH_A_RETRY = (409, 429, 503)  # not now, or not known yet: the same call later is safe under the same key


class NoAnswer(Exception):
    """The connection broke: whether the service did the work is not known."""


class Service:
    """The partner API."""

    def __init__(self, origin, key):
        self.address = urlsplit(origin).netloc
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def call(self, method, path, body=None):
        """Status and JSON of an answer; NoAnswer where none comes."""
        connection = HTTPConnection(self.address, timeout=10)
        try:
            connection.request(method, f"/api/external{path}", body and json.dumps(body), self.headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (OSError, HTTPException) as error:
            raise NoAnswer from error
        finally:
            connection.close()


class Shop:
    """The books of the shop, and what it does."""

    def __init__(self, bugs=()):
        self.bugs = frozenset(bugs)
        self.lock = threading.Lock()
        self.open("", "", "")

    def open(self, simulator, key, secret):
        """Begin with empty books at this service."""
        with self.lock:
            self.service, self.secret = Service(simulator, key), secret
            self.orders = {}  # reference -> {body, state}
            self.parcels = {}  # order id of the shipment -> {reference, stage, points}
            self.seen = set()  # ids of the events that are in the books

    def order(self, reference, recipient):
        """Place an order; the same reference again is the same order, whatever became of it the first time."""
        fresh = {"body": order_body(reference, recipient), "state": "unknown"}
        with self.lock:
            order = self.orders.setdefault(reference, fresh)
        for _ in range(TRIES):
            try:
                status, _ = self.service.call("POST", "/team-orders", order["body"])
            except NoAnswer:
                if "new-key" in self.bugs:
                    order["body"] = {**order["body"], "idempotency_key": str(uuid.uuid4())}
                continue
            if status not in WORTH_A_RETRY:
                order["state"] = "placed" if status == 201 else "declined"
                break
        return order["state"]

    def hear(self, event):
        """An event of the service: counted once, and never taken for newer than what is known."""
        with self.lock:
            if event["id"] in self.seen and "duplicates" not in self.bugs:
                return
            self.seen.add(event["id"])
            if event["type"] in STAGES:
                self.book(event["type"], event["data"])

    def book(self, kind, data):
        """Note how far the parcel is, and give the points for one that ships."""
        fresh = {"reference": data["team_order"]["reference"], "stage": 0, "points": 0}
        parcel = self.parcels.setdefault(data["shipment"]["order_id"], fresh)
        if "order" in self.bugs:
            parcel["stage"] = STAGES[kind]
        else:
            parcel["stage"] = max(parcel["stage"], STAGES[kind])
        if kind == "team_order.shipped":
            parcel["points"] += POINTS

    def wrongs(self):
        """What is wrong in the books, held against what the service says when all is over."""
        _, told = self.service.call("GET", "/team-orders?limit=100")
        with self.lock:
            for reference, order in self.orders.items():
                times = sum(found["reference"] == reference for found in told["team_orders"])
                if times > 1:
                    yield f"{reference} was placed {times} times"
                if times < 1 and order["state"] == "placed":
                    yield f"{reference} is paid in our books, and nobody knows of it"
            for found in told["team_orders"]:
                _, detail = self.service.call("GET", f"/team-orders/{found['id']}")
                for recipient in detail["recipients"]:
                    yield from self.parcel_wrongs(found["reference"], recipient["shipment"])

    def parcel_wrongs(self, reference, shipment):
        """What is wrong with one parcel."""
        parcel = self.parcels.get(shipment["order_id"], {"stage": 0, "points": 0})
        theirs = shipment["status"]
        if theirs in NAMES.values() and theirs != NAMES.get(parcel["stage"]):
            yield f"{reference} is {theirs}, and our books are behind"
        if parcel["points"] != (POINTS if theirs in NAMES.values() else 0):
            yield f"{reference} earned {parcel['points']} points"

    def genuine(self, signature, body):
        """Whether a delivery was signed with our secret within the last five minutes."""
        fields = dict(part.split("=", 1) for part in signature.split(","))
        expected = hmac.new(self.secret.encode(), fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
        return hmac.compare_digest(expected, fields["v1"]) and abs(time.time() - int(fields["t"])) <= 300


def order_body(reference, recipient):
    """The order as it goes out, now and on every retry."""
    return {
        "idempotency_key": f"shop-{reference}", "reference": reference, "gift_sender": "The gift shop",
        "items": [{"sku_code": "MUG-01", "quantity": 1}], "recipients": [recipient],
    }  # fmt: skip


class Door(BaseHTTPRequestHandler):
    """The shop's HTTP: what `explore` calls, and the webhook receiver."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        wrongs = list(self.server.shop.wrongs()) if self.path == "/giftsim/check" else None
        if wrongs is None:
            self.reply(404, {"error": f"no {self.path}"})
        else:
            self.reply(200, {"wrong": wrongs} if wrongs else {"ok": True})

    def do_POST(self):
        shop, raw = self.server.shop, self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/giftsim/webhooks" and not shop.genuine(self.headers["X-Service-Signature"], raw):
            return self.reply(400, {"error": "not signed by the service"})
        body = json.loads(raw)
        if self.path == "/giftsim/webhooks":
            return self.reply(200, {"heard": shop.hear(body)})
        if self.path == "/giftsim/start":
            return self.reply(200, {"open": shop.open(body["simulator"], body["key"], body["secret"])})
        if self.path == "/giftsim/do" and body["action"] == "order":
            return self.reply(200, {"state": shop.order(body["reference"], body["recipient"])})
        return self.reply(404, {"error": f"no {self.path}"})

    def reply(self, status, body):
        """One JSON answer."""
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        """Silence the server's own log."""


def main():
    """Serve until somebody ends it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int, help="0 picks a free one")
    parser.add_argument("--bug", action="append", default=[], choices=BUGS, help="a mistake to make; repeatable")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Door)
    server.shop = Shop(options.bug)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
