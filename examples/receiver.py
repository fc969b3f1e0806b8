"""A webhook receiver to start from: verifies the signature of every delivery and prints the event.

    python examples/receiver.py PORT WHSEC_SECRET

Standard library only. `t` must be within 300 seconds of now; the signature is HMAC-SHA256 of `<t>.<raw body>`.
"""

import hashlib
import hmac
import json
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_S = 300


def is_genuine(secret, header, body, now):
    """Whether a delivery was signed with the endpoint's secret within the tolerance."""
    fields = [field.partition("=") for field in (header or "").split(",")]
    times = [value for name, _, value in fields if name == "t"]
    if not secret.strip() or len(times) != 1 or not re.fullmatch("0|[1-9][0-9]{0,14}", times[0]):
        return False
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    matches = any(hmac.compare_digest(value.encode(), expected) for name, _, value in fields if name == "v1")
    return matches and abs(now - int(times[0])) <= TOLERANCE_S


class Receiver(BaseHTTPRequestHandler):
    """Responds with 200 to genuine deliveries and with 400 to others. Marks repeated events with `again`."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.server.secret, self.headers["X-Service-Signature"], body, time.time())
        named = {"id": self.headers["X-Service-Event-Id"], "type": self.headers["X-Service-Event"]}
        event = json.loads(body) if genuine else named  # a forged body may be anything
        repeated = ["again"] if event["id"] in self.server.seen else []
        if genuine:  # a forged event must not make the genuine one look repeated
            self.server.seen.add(event["id"])
        print("genuine" if genuine else "FORGED", event["type"], event["id"], *repeated, flush=True)
        self.send_response(200 if genuine else 400)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        """Silence the server's own log."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    server.secret, server.seen = sys.argv[2], set()
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
