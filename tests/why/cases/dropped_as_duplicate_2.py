"""The app looks at an order once, and so misses its second parcel.

first: dropped_as_duplicate
says: team_order.shipped; 200; order 1001; no call
"""

import json


class App:
    """Reads an order again when one of its parcels is shipped, once per order."""

    def __init__(self, giftsim):
        self.giftsim, self.seen, self.reads = giftsim, set(), {}

    def __call__(self, environ, start_response):
        event = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        number = event["data"]["team_order"]["id"]
        if (event["type"], number) not in self.seen:
            self.seen.add((event["type"], number))
            order = self.giftsim.call("GET", f"/api/external/team-orders/{number}", credential="partner.prepaid").json()
            for recipient in order["recipients"]:
                self.reads[recipient["recipient_id"]] = recipient["shipment"]["status"]
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b""]


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
    app = App(giftsim)
    giftsim.subscribe("team_order.shipped")
    mugs = order(giftsim, "mugs", "Bo", "Cy")
    giftsim.ship(mugs, recipient=0)
    giftsim.advance("1h")
    giftsim.deliver_to(app)
    giftsim.ship(mugs, recipient=1)
    giftsim.advance("1h")
    giftsim.deliver_to(app)
    assert app.reads[200002] == "shipped"
