"""A small gift shop that uses the partner API and its webhooks: an app for `exam` and `explore`.

    python examples/shop.py PORT [--timeout SECONDS] [--bug duplicates|order|new-key]...
    python run_sim.py explore --app http://127.0.0.1:PORT --seeds 200
    python run_sim.py exam --app http://127.0.0.1:PORT

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
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

BUGS = ("duplicates", "order", "new-key")
STAGES = {"team_order.claimed": "claimed", "team_order.shipped": "shipped", "team_order.delivered": "delivered"}
REASONS = {"claim_link_expired": "expired", "shipment_rejected": "rejected"}  # of team_order.needs_attention
ATTENTION = "team_order.needs_attention"
RANKS = ("ordered", "expired", "claimed", "rejected", "shipped", "delivered", "canceled")  # of stages of one instant
NEVER = datetime.min.replace(tzinfo=UTC)
POINTS = 100
TRIES = 4
PAUSE_S = 0.1  # before the second try; each further pause is twice as long
PATIENCE_S = 5  # that one request of a customer may wait for the service's Retry-After
TOLERANCE_S = 300
RETRYABLE = (408, 425, 429)  # and every 5xx: it is safe to retry with the same idempotency key
UNKNOWN = "idempotency_outcome_unknown"  # the only 409 that another try can change
MUG = ({"sku_code": "MUG-01", "quantity": 1},)


class NoResponse(Exception):
    """The connection was lost, so the service may or may not have processed the call."""


class Refused(Exception):
    """The service did not answer a read with 200."""


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
            data = None if body is None else json.dumps(body)
            connection.request(method, f"/api/external{path}", data, self.headers)
            response = connection.getresponse()
            wait = response.headers.get("Retry-After", "")
            return response.status, json.loads(response.read() or b"null"), int(wait) if wait.isdecimal() else 0
        except (OSError, HTTPException, ValueError) as error:
            raise NoResponse from error
        finally:
            connection.close()


class Shop:
    """The shop's records and actions. `sleep` waits before a retry; a test can let the world's time pass instead."""

    def __init__(self, bugs=(), timeout_s=10, sleep=time.sleep):
        self.bugs, self.timeout_s, self.sleep = frozenset(bugs), timeout_s, sleep
        self.lock = threading.Lock()
        self.start("", "", "")

    def start(self, simulator, key, secret, now=None, **_):
        """Delete all records and use this service."""
        with self.lock:
            self.service, self.secrets = Service(simulator, key, self.timeout_s), [secret]
            self.orders = {}  # by reference, see `new_order`
            self.parcels = {}  # by the order id of the shipment, see `parcel`
            self.seen = set()  # ids of the events that were processed
            self.settlement = None  # the idempotency key of a settlement whose outcome is unknown
            self.quiet_until = {}  # by path, or "" for all: when the service wants to be asked again
            self.broken = False
            self.set_clock(now)

    # The time, and calls that are repeated.

    def set_clock(self, now):
        """Use this instant as the current time; the time of this machine if none is given."""
        base = datetime.fromisoformat(now).timestamp() if now else time.time()
        self.clock_offset = base - time.monotonic()

    def now(self):
        """Return the current time in seconds."""
        return time.monotonic() + self.clock_offset

    def persist(self, method, path, body, tries=TRIES, lost=lambda: None):
        """Return the final status and JSON of a call, repeated if need be; None and None if they stay unknown.

        `body` gives the body of each try, and `lost` is called when a try may have had an effect nobody knows of.
        """
        patience, pause = PATIENCE_S if tries > 1 else 0, PAUSE_S
        wait = max(self.quiet_until.get(which, 0) for which in ("", path)) - self.now()
        for _ in range(tries):
            if wait > patience:
                break
            if wait > 0:
                patience -= wait
                self.sleep(wait)
            try:
                status, answer, asked = self.service.call(method, path, body())
            except NoResponse:
                status, answer, asked = None, None, 0
            if status is not None and not may_retry(status, answer):
                return status, answer
            if status != 429:
                lost()
            self.quiet_until["" if status == 429 else path] = self.now() + asked
            wait, pause = max(asked, pause), pause * 2
        return None, None

    def fetch(self, path):
        """Return the JSON of a GET. Raises Refused."""
        status, answer = self.persist("GET", path, lambda: None)
        if status != 200:
            raise Refused(f"GET {path.partition('?')[0]} was answered {status}")
        return answer

    # Orders.

    def order(self, reference, recipient=None, recipients=None, items=MUG, gift_sender="The gift shop", **_):
        """Place an order. A known reference means the same order again, whatever happened to it before."""
        body = order_body(reference, list(items), gift_sender, recipients or [recipient])
        with self.lock:
            order = self.orders.setdefault(reference, new_order(body))
            if order["state"] == "refused":
                self.correct(order, body)
            if order["state"] == "unpaid":
                order["state"] = "unknown"
        self.place(reference, order)
        return {"state": order["state"]}

    def correct(self, order, body):
        """Prepare to send a refused order again. Nothing was made of it, and another body needs another key."""
        order["corrections"] += 1
        own = (
            order["body"]["idempotency_key"] if order["doubt"] else f"{body['idempotency_key']}-{order['corrections']}"
        )
        order |= {"state": "unknown", "body": {**body, "idempotency_key": own}}

    def pay(self, reference, **_):
        """Pay an order that was declined before, now that the customer can pay."""
        order = self.orders[reference]
        with self.lock:
            if order["state"] == "unpaid":
                order["state"] = "unknown"
        self.place(reference, order)
        return {"state": order["state"]}

    def place(self, reference, order, tries=TRIES):
        """Send an order that is not placed, always with the same key."""
        with order["sending"]:
            if order["state"] == "unknown":
                status, answer = self.retried(order, tries)
                self.keep(reference, order, status, answer)
        self.cancel_wanted(reference, order, tries)

    def retried(self, order, tries=TRIES):
        """Return the final status and JSON of the call that creates an order; None if it stays unknown."""

        def body():
            order["keys"].add(order["body"]["idempotency_key"])
            return order["body"]

        def lost():
            order["doubt"] = True
            if "new-key" in self.bugs:
                order["body"] = {**order["body"], "idempotency_key": str(uuid.uuid4())}

        return self.persist("POST", "/team-orders", body, tries, lost)

    def keep(self, reference, order, status, answer):
        """Store what the service answered to an order: that it is placed, unpaid or refused, or nothing so far."""
        if status is None or (status in (401, 403) and order["doubt"]):
            return
        if status < 300:
            self.record(reference, order, answer)
        elif status == 402:
            order |= {"state": "unpaid", "doubt": False}
            order["id"] = answer.get("team_order_id", order["id"])
        else:
            order["state"] = "refused"
            order["keys"].discard(order["body"]["idempotency_key"])
            order["wanted"].clear()

    def record(self, reference, order, answer):
        """Store what the service made of an order: what it cost, and its parcels."""
        with self.lock:
            made = answer["team_order"]
            state = made["status"] if made["status"] in ("unpaid", "canceled") else "placed"
            order |= {"state": state, "doubt": False, "id": made["id"]}
            order["charged_cents"] = answer["totals"]["charged_cents"]
            self.take_rows(reference, order, answer["recipients"])

    def take_rows(self, reference, order, rows):
        """Store which parcels an order has."""
        for row in rows:
            parcel = self.parcel(row["shipment"]["order_id"], reference, order["id"], row["email"])
            parcel["email"] = row["email"]
            order["rows"][row["recipient_id"]] = row["shipment"]["order_id"]

    def cancel(self, reference, recipients=None, **_):
        """Cancel the parcels of the recipients with these emails, or the whole order."""
        order = self.orders[reference]
        order["wanted"].append(recipients)
        if order["state"] == "unknown":
            self.place(reference, order)
        self.cancel_wanted(reference, order)
        return {"state": order["state"]}

    def cancel_wanted(self, reference, order, tries=TRIES):
        """Make the cancellations that customers asked for, as soon as the order is known. They may be repeated."""
        with order["sending"]:
            while order["wanted"] and order["state"] in ("placed", "unpaid"):
                body = {"reason": "the customer asked for it"}
                if order["wanted"][0] is not None:
                    body["recipient_ids"] = self.ids_of(reference, order, order["wanted"][0])
                status, answer = self.persist(
                    "POST", f"/team-orders/{order['id']}/cancel", lambda sent=body: sent, tries, lambda: doubt(order)
                )
                if status is None:
                    return
                del order["wanted"][0]
                self.record_cancel(reference, order, status, answer)
            if order["stale"]:
                self.refresh(reference, order)

    def ids_of(self, reference, order, emails):
        """Return the recipients of an order with these emails. Raises Refused."""
        if not order["rows"]:
            self.refresh(reference, order)
        return [number for number, row in order["rows"].items() if self.parcels[row]["email"] in emails]

    def record_cancel(self, reference, order, status, answer):
        """Store what was canceled and paid back; what was skipped goes on."""
        with self.lock:
            for row in answer.get("canceled", ()):
                parcel = self.parcel(row["order_id"], reference, order["id"], None)
                parcel |= {"stage": "canceled", "refunded_cents": row["refund"]["total_cents"]}
            order["stale"] |= status != 200 or bool(answer.get("already_canceled")) or not order["rows"]
            self.close_canceled(order)

    def refresh(self, reference, order):
        """Read what was canceled and paid back, after an answer that was lost. Raises Refused."""
        found = self.fetch(f"/team-orders/{order['id']}")
        with self.lock:
            self.take_rows(reference, order, found["recipients"])
            for row in found["recipients"]:
                if row["shipment"]["status"] == "canceled":
                    parcel = self.parcels[row["shipment"]["order_id"]]
                    parcel |= {"stage": "canceled", "refunded_cents": row["money"]["refunded_cents"]}
            order["stale"] = False
            self.close_canceled(order)

    def close_canceled(self, order):
        """Close an order without a parcel that goes on."""
        stages = {self.parcels[row]["stage"] for row in order["rows"].values()}
        if stages == {"canceled"}:
            order["state"] = "canceled"

    # The account.

    def settle(self, **_):
        """Pay what is owed on net terms."""
        self.settlement = self.settlement or f"shop-{uuid.uuid4()}"
        body = {"idempotency_key": self.settlement}
        status, answer = self.persist("POST", "/billing/settle", lambda: body)
        if status is None:
            return {"settled_cents": 0, "state": "unknown"}
        self.settlement = None
        return {"settled_cents": answer.get("settled_cents", 0)}

    def read(self, status, page_size, **_):
        """Return the references of all orders with a status. Pages move while others write, so read until they rest."""
        before, found = None, self.listed(status, page_size)
        while found != before:
            before, found = found, self.listed(status, page_size)
        return {"orders": [reference for reference in found.values() if reference is not None]}

    def listed(self, status, page_size):
        """Return the references of the listed orders by id, page by page, until a page is empty."""
        found, offset, limit = {}, 0, min(page_size, 100)
        query = f"status={status}&" if status else ""
        while True:
            page = self.fetch(f"/team-orders?{query}limit={limit}&offset={offset}")["team_orders"]
            if not page:
                return found
            found |= {row["id"]: row.get("reference") for row in page}
            offset += len(page)

    # What else the tests ask for.

    def use_secrets(self, secrets, **_):
        """Accept webhooks that are signed with any of these secrets, and with no other."""
        self.secrets = list(secrets)
        return {}

    def break_down(self, **_):
        """Fail at the shop's own work until it is mended."""
        self.broken = True
        return {}

    def mend(self, **_):
        """Work again."""
        self.broken = False
        return {}

    def clock(self, now, **_):
        """Go by this time from now on."""
        self.set_clock(now)
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
        """Book an event, and store the stage of its parcel. A late event never moves it back."""
        if event_type not in STAGES and event_type != ATTENTION:  # what this shop does not use, or does not know
            return
        reference, made = data["team_order"].get("reference"), data["team_order"]["id"]
        order = self.orders.get(reference)
        if order is None or order["id"] not in (None, made):  # an order of somebody else with the same account
            return
        parcel = self.parcel(data["shipment"]["order_id"], reference, made, data["recipient"]["email"])
        parcel["booked"][event_type] = parcel["booked"].get(event_type, 0) + 1
        stage = STAGES.get(event_type) or REASONS.get(data.get("reason"))
        if stage is None or parcel["stage"] == "canceled":
            return
        happened = datetime.fromisoformat(data["occurred_at"]).astimezone(UTC), stage
        if "order" in self.bugs or in_time(happened) > in_time((parcel["since"], parcel["stage"])):
            parcel |= {"since": happened[0], "stage": stage}
        parcel["latest"] = max(parcel["latest"], happened, key=in_time)

    def parcel(self, number, reference, made, email):
        """Return the record of a parcel, which is new if it is not known yet: an event can come before the answer."""
        new_parcel = {
            "reference": reference, "team_order": made, "email": email, "stage": "ordered", "since": NEVER,
            "latest": (NEVER, "ordered"), "booked": {}, "refunded_cents": 0,
        }  # fmt: skip
        return self.parcels.setdefault(number, new_parcel)

    def is_genuine(self, signature, body):
        """Whether a delivery was signed with one of the shop's secrets within the last five minutes."""
        fields = [field.partition("=") for field in (signature or "").split(",")]
        times = [value for name, _, value in fields if name == "t"]
        if len(times) != 1 or not re.fullmatch("0|[1-9][0-9]{0,14}", times[0]):
            return False
        signed = [value.encode() for name, _, value in fields if name == "v1"]
        matches = [
            hmac.compare_digest(value, self.digest(secret, times[0], body))
            for secret in self.secrets
            for value in signed
        ]
        return any(matches) and self.is_recent(int(times[0]))

    def is_recent(self, seconds):
        """Whether a delivery that was signed then is neither old nor from the future, by the clock of this machine."""
        return abs(int(time.time()) - seconds) <= TOLERANCE_S

    def digest(self, secret, seconds, body):
        """Return the signature that a secret gives a body."""
        return hmac.new(secret.encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest().encode()

    # What `GET /giftsim/check` answers.

    def catch_up(self):
        """Ask once more for what is still unknown."""
        for reference, order in list(self.orders.items()):
            if not order["sending"].acquire(blocking=False):  # it is being sent
                continue
            try:
                self.place(reference, order, tries=1)
            except Refused:
                continue
            finally:
                order["sending"].release()

    def beliefs(self):
        """Return what the shop knows of each order, by reference."""
        with self.lock:
            return {reference: self.belief(order) for reference, order in self.orders.items()}

    def belief(self, order):
        """Return what the shop knows of an order. Recipients with one address are told as one."""
        parcels = self.parcels_of(order)
        people = {} if parcels or order["state"] == "refused" else {email: [] for email in emails(order["body"])}
        for parcel in parcels:
            people.setdefault(parcel["email"], []).append(parcel)
        return {
            "state": order["state"],
            "charged_cents": order["charged_cents"],
            "refunded_cents": sum(parcel["refunded_cents"] for parcel in parcels),
            "recipients": {email: told(own) for email, own in people.items()},
        }

    def parcels_of(self, order):
        """Return the parcels of an order. Until its id is known, each parcel with its reference may be one."""
        reference, made = order["body"]["reference"], order["id"]
        return [
            parcel
            for parcel in self.parcels.values()
            if parcel["reference"] == reference and made in (None, parcel["team_order"])
        ]

    def errors(self):
        """Yield what is wrong in the shop's records, whatever is still to come."""
        try:
            theirs = self.listed(None, 100)
        except Refused:
            theirs = None
        with self.lock:
            for reference, order in self.orders.items():
                if theirs is not None:
                    yield from self.order_errors(reference, order, theirs)
                for parcel in self.parcels_of(order):
                    yield from self.parcel_errors(reference, parcel)

    def order_errors(self, reference, order, theirs):
        """Yield what is wrong with an order: one key makes one order."""
        times = sum(each == reference for each in theirs.values())
        if times > 1 and len(order["keys"]) > 1:
            yield f"{reference} was placed {times} times"
        if order["state"] == "placed" and order["id"] not in theirs:
            yield f"{reference} is paid in our records, but does not exist"

    def parcel_errors(self, reference, parcel):
        """Yield what is wrong with a parcel: points are given once, and its stage is the latest that was told."""
        happened, stage = parcel["latest"]
        if parcel["stage"] != "canceled" and in_time(parcel["latest"]) > in_time((parcel["since"], parcel["stage"])):
            yield f"{reference} was {stage} on {happened}, but our records are behind"
        points = POINTS * parcel["booked"].get("team_order.shipped", 0)
        if points > POINTS:
            yield f"{reference} earned {points} points"


def new_order(body):
    """Return the record of an order. `doubt` says that a call may have made it, and `wanted` what is to be canceled."""
    return {
        "body": body, "state": "unknown", "id": None, "charged_cents": 0, "rows": {}, "wanted": [], "stale": False,
        "doubt": False, "corrections": 0, "keys": set(), "sending": threading.RLock(),
    }  # fmt: skip


def order_body(reference, items, gift_sender, recipients):
    """Return the body of the order, which is the same in every retry."""
    return {
        "idempotency_key": f"shop-{reference}", "reference": reference, "gift_sender": gift_sender, "items": items,
        "recipients": recipients,
    }  # fmt: skip


def emails(body):
    """Return the emails of the recipients of an order's body."""
    return [recipient.get("email") for recipient in body["recipients"]]


def told(parcels):
    """Return what a check says of a recipient with these parcels, of which it may have none yet."""
    since, stage = max(((parcel["since"], parcel["stage"]) for parcel in parcels), key=in_time, default=(NEVER, ""))
    booked = {}
    for parcel in parcels:
        booked |= {kind: booked.get(kind, 0) + count for kind, count in parcel["booked"].items()}
    return {
        "stage": stage or "ordered",
        "since": "" if since == NEVER or stage == "canceled" else since.isoformat().replace("+00:00", "Z"),
        "booked": booked,
    }


def in_time(happened):
    """Return the sort key of an instant and a stage."""
    return happened[0], RANKS.index(happened[1])


def doubt(order):
    """Remember that a cancellation may have had an effect that the shop does not know."""
    order["stale"] = True


def may_retry(status, answer):
    """Whether another try of a call can have another outcome."""
    return status >= 500 or status in RETRYABLE or (status == 409 and UNKNOWN in json.dumps(answer))


ACTIONS = {
    "order": "order",
    "cancel": "cancel",
    "pay": "pay",
    "settle": "settle",
    "read": "read",
    "secrets": "use_secrets",
    "break": "break_down",
    "mend": "mend",
    "clock": "clock",
}
FORMER = {"cancel_order": "cancel", "pay_order": "pay"}


class Handler(BaseHTTPRequestHandler):
    """The shop's HTTP endpoints: those that the tests call, and the webhook receiver."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        shop = self.server.shop
        if urlsplit(self.path).path != "/giftsim/check":
            return self.respond(404, {"error": f"no {self.path}"})
        shop.catch_up()
        errors = list(shop.errors())
        return self.respond(200, {**({"wrong": errors} if errors else {"ok": True}), "orders": shop.beliefs()})

    def do_POST(self):
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/giftsim/webhooks":
            return self.receive(raw)
        shop, body = self.server.shop, json.loads(raw)
        if self.path == "/giftsim/start":
            shop.start(**body)
            return self.respond(200, {"actions": list(ACTIONS)})
        if self.path != "/giftsim/do":
            return self.respond(404, {"error": f"no {self.path}"})
        action = body.pop("action")
        action = FORMER.get(action, action)
        if action not in ACTIONS:
            return self.respond(501, {"error": f"this shop does not {action}"})
        try:
            return self.respond(200, getattr(shop, ACTIONS[action])(**body))
        except Refused as error:
            return self.respond(502, {"error": str(error)})

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
