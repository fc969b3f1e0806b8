"""The app gives points once per order, and one order has two parcels.

first: dropped_as_duplicate
says: all 3 team_order.shipped; 2 records; sees 2 where it expects 3; recipient 200002
"""

import json


class Tally:
    """Counts parcels by the number of their order."""

    def __init__(self):
        self.orders = set()

    def __call__(self, environ, start_response):
        event = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        self.orders.add(event["data"]["team_order"]["id"])
        start_response("204 No Content", [])
        return []


def order(giftsim, *names):
    response = giftsim.call(
        "POST",
        "/api/external/team-orders",
        credential="partner.prepaid",
        body={
            "idempotency_key": "-".join(names),
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": name, "email": f"{name}@example.com"} for name in names],
        },
    )
    return response.json()["team_order"]["id"]


def test_it(giftsim):
    tally = Tally()
    giftsim.subscribe("team_order.shipped")
    giftsim.ship(order(giftsim, "bo", "cy"))
    giftsim.ship(order(giftsim, "di"))
    giftsim.advance("1h")
    giftsim.deliver_to(tally)
    assert len(tally.orders) == 3
