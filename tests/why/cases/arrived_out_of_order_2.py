# kind: arrived_out_of_order
# words: team_order.delivered; team_order.shipped; order 1001; arrived

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


def test_a_retry_does_not_move_the_parcel_back(giftsim):
    app = App()
    giftsim.subscribe("team_order.shipped", "team_order.delivered")
    giftsim.fault(webhook="reorder", match={"event": "team_order.shipped"})
    mug = order(giftsim, "mug", "Bo")
    giftsim.ship(mug)
    giftsim.advance("30m")
    giftsim.ship(mug, "delivered")
    giftsim.advance("2h")
    giftsim.deliver_to(app)
    assert app.stages[500001] == "delivered"
