"""The app raises an error for a body with other letters.

first: refused_by_app
says: 500; UnicodeDecodeError; outside ASCII; team_order.claimed of order 1002
"""

import json


class App:
    """Prints a packing list in ASCII."""

    def __init__(self):
        self.names = []

    def __call__(self, environ, start_response):
        raw = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        self.names.append(json.loads(raw.decode("ascii"))["data"]["recipient"]["name"])
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"ok"]


def test_it(giftsim):
    app = App()
    giftsim.subscribe("team_order.claimed")
    for key, name in (("a", "Bo"), ("b", "Zoë")):
        order = giftsim.call(
            "POST",
            "/api/external/team-orders",
            credential="partner.prepaid",
            body={
                "idempotency_key": key,
                "gift_sender": "Ada",
                "items": [{"sku_code": "MUG-01"}],
                "recipients": [{"name": name, "email": f"{key}@example.com"}],
            },
        )
        giftsim.claim(order)
    giftsim.advance("1h")
    giftsim.deliver_to(app)
    assert app.names == ["Bo", "Zoë"]
