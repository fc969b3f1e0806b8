"""The app has no handler for a type of event.

first: refused_by_app
says: 404; team_order.delivered
"""

import json


class App:
    """Has a handler for each type of event that it knew when it was written."""

    def __init__(self):
        self.parcels = {}

    def on_claimed(self, data):
        self.parcels[data["shipment"]["order_id"]] = "claimed"

    def on_shipped(self, data):
        self.parcels[data["shipment"]["order_id"]] = "shipped"

    def __call__(self, environ, start_response):
        event = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        handler = getattr(self, "on_" + event["type"].partition(".")[2], None)
        if handler is None:
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [b"no such event"]
        handler(event["data"])
        start_response("204 No Content", [])
        return []


def order(giftsim, key, *names):
    response = giftsim.call(
        "POST",
        "/api/external/team-orders",
        credential="partner.prepaid",
        body={
            "idempotency_key": key,
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": name, "email": f"{key}-{number}@example.com"} for number, name in enumerate(names)],
        },
    )
    assert response.status == 201
    return response.json()["team_order"]


def test_it(giftsim):
    app = App()
    giftsim.subscribe("team_order.claimed", "team_order.shipped", "team_order.delivered")
    giftsim.claim(order(giftsim, "mug", "Bo"))
    giftsim.advance("6d")
    giftsim.deliver_to(app)
    assert app.parcels == {500001: "delivered"}
