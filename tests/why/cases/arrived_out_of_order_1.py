"""The app takes what arrives last for the newest.

first: arrived_out_of_order
says: team_order.delivered; team_order.shipped; order 1001; arrived
"""

import json


class App:
    """Keeps the stage of each parcel, by its number."""

    def __init__(self):
        self.stages = {}

    def __call__(self, environ, start_response):
        event = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        self.take(event["type"].partition(".")[2], event["data"])
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"taken"]

    def take(self, stage, data):
        self.stages[data["shipment"]["order_id"]] = stage


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
    giftsim.settings({"webhooks.order": "reversed"})
    giftsim.subscribe("team_order.shipped", "team_order.delivered")
    giftsim.ship(order(giftsim, "mug", "Bo"), "delivered", 0)
    giftsim.advance("1h")
    giftsim.deliver_to(app)
    assert app.stages[500001] == "delivered"
