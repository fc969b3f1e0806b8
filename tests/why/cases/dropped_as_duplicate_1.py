"""The app keeps the numbers of parcels in place of the ids of events, and says so.

first: dropped_as_duplicate
says: team_order.delivered; team_order.shipped; 200; order 1001
"""

import json


class App:
    """Takes each parcel's news once: it keeps the numbers of parcels in place of the ids of events."""

    def __init__(self):
        self.seen, self.stages = set(), {}

    def __call__(self, environ, start_response):
        event = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        number = event["data"]["shipment"]["order_id"]
        start_response("200 OK", [("Content-Type", "text/plain")])
        if number in self.seen:
            return [b"seen before"]
        self.seen.add(number)
        self.stages[number] = event["type"].partition(".")[2]
        return [b"taken"]


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
    giftsim.ship(order(giftsim, "mug", "Bo"))
    giftsim.advance("6d")
    giftsim.deliver_to(app)
    assert app.stages[500001] == "delivered"
