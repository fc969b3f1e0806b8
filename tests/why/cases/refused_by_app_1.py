"""The app reads bodies as ASCII.

first: refused_by_app
says: 500; outside ASCII; team_order.claimed
"""

import json


class App:
    """Prints a packing list in ASCII."""

    def __init__(self):
        self.names = []

    def __call__(self, environ, start_response):
        raw = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        try:
            self.names.append(json.loads(raw.decode("ascii"))["data"]["recipient"]["name"])
        except UnicodeDecodeError:
            start_response("500 Internal Server Error", [("Content-Type", "text/plain")])
            return [b"UnicodeDecodeError"]
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
    giftsim.subscribe("team_order.claimed")
    for key, name in (("a", "Bo"), ("b", "Zoë"), ("c", "Cy"), ("d", "Łukasz")):
        giftsim.claim(order(giftsim, key, name))
    giftsim.advance("1h")
    giftsim.deliver_to(app)
    assert app.names == ["Bo", "Zoë", "Cy", "Łukasz"]
