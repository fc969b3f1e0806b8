"""The app counts an event that is sent again by hand.

first: accepted_twice
says: team_order.shipped of order 1001; 2 times; sees 200 where it expects 100
"""

import json


class Points:
    """Gives 100 points for every parcel that ships."""

    def __init__(self):
        self.points, self.seen = 0, set()

    def __call__(self, environ, start_response):
        event = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        if event["type"] == "team_order.shipped":
            self.points += 100
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
    app = Points()
    giftsim.subscribe("team_order.shipped")
    giftsim.ship(order(giftsim, "bo"))
    giftsim.advance("1h")
    giftsim.control("POST", "/deliveries/1/resend")
    giftsim.deliver_to(app)
    assert app.points == 100
