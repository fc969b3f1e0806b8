"""Nobody passes the webhook on to the app.

first: captured
says: team_order.claimed; giftsim answered
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
    giftsim.subscribe("team_order.claimed")
    mug = order(giftsim, "mug", "Bo")
    giftsim.claim(mug)
    giftsim.advance("1h")
    # mend
    assert app.stages == {500001: "claimed"}
