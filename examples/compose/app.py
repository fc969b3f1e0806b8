"""A small app that orders gifts and receives webhooks about them. compose.yaml runs it together with giftsim.

    POST /order?email=ADDRESS   orders a mug, and returns the service's response
    GET /events                 the types of the genuine webhooks that arrived

Standard library only. When the app starts, it waits for the service and subscribes to webhooks.
"""

import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from receiver import is_genuine

EVENTS = ["team_order.claimed", "team_order.shipped", "team_order.delivered"]


def call_service(path, body):
    """Send a POST to the service, and return the JSON of the response."""
    headers = {"Authorization": f"Bearer {os.environ['GIFTS_KEY']}", "Content-Type": "application/json"}
    request = Request(os.environ["GIFTS_URL"] + path, json.dumps(body).encode(), headers)
    with urlopen(request, timeout=10) as response:
        return json.load(response)


def subscribe():
    """Wait for the service, subscribe to webhooks, and return the signing secret."""
    while True:
        try:
            return call_service("/webhooks", {"url": os.environ["WEBHOOK_URL"], "events": EVENTS})["secret"]
        except URLError:
            time.sleep(0.2)


class App(BaseHTTPRequestHandler):
    """The app's routes, and its webhook receiver."""

    def do_GET(self):
        self.respond(200, self.server.events)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        url = urlsplit(self.path)
        if url.path == "/order":
            self.respond(201, order(parse_qs(url.query)["email"][0]))
        elif is_genuine(self.server.secret, self.headers["X-Service-Signature"], body, time.time()):
            self.server.events.append(json.loads(body)["type"])
            self.respond(200, {})
        else:
            self.respond(400, {"error": "not signed by the service"})

    def respond(self, status, body):
        """Send a JSON response."""
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        """Silence the server's own log."""


def order(email):
    """Order a mug for someone, who will enter an address on the claim page."""
    return call_service("/team-orders", {
        "idempotency_key": f"mug for {email}", "gift_sender": "The shop", "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": email.partition("@")[0].title(), "email": email}],
    })  # fmt: skip


if __name__ == "__main__":
    server = ThreadingHTTPServer(("0.0.0.0", 9000), App)
    server.events, server.secret = [], subscribe()
    print("the app is ready", flush=True)
    server.serve_forever()
