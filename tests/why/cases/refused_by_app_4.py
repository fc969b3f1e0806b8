"""The app refuses news that comes before what it builds on.

first: refused_by_app
says: 422; team_order.delivered; before; team_order.shipped
"""

import json


class App:
    """A parcel must be shipped before it can arrive."""

    def __init__(self):
        self.parcels = {}

    def __call__(self, environ, start_response):
        event = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        number, stage = event["data"]["shipment"]["order_id"], event["type"].partition(".")[2]
        if stage == "delivered" and self.parcels.get(number) != "shipped":
            start_response("422 Unprocessable Content", [("Content-Type", "text/plain")])
            return [b"unknown parcel"]
        self.parcels[number] = stage
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"ok"]


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
    giftsim.subscribe("team_order.shipped", "team_order.delivered")
    giftsim.ship(order(giftsim, "first", "Bo"), "delivered", 0)
    giftsim.advance("1h")
    giftsim.deliver_to(app)
    giftsim.settings({"webhooks.order": "reversed"})
    giftsim.ship(order(giftsim, "second", "Cy"), "delivered", 0)
    giftsim.advance("1h")
    giftsim.deliver_to(app)
    assert app.parcels == {500001: "delivered", 500002: "delivered"}
