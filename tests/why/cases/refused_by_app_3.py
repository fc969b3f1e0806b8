"""The app takes short bodies only.

first: refused_by_app
says: 413; bytes
"""

import json


class App:
    """Behind a proxy that takes small bodies only."""

    def __init__(self):
        self.names = []

    def __call__(self, environ, start_response):
        length = int(environ["CONTENT_LENGTH"])
        if length > 600:
            start_response("413 Content Too Large", [("Content-Type", "text/plain")])
            return [b""]
        self.names.append(json.loads(environ["wsgi.input"].read(length))["data"]["recipient"]["name"])
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
    long = "Bartholomew " * 16 + "Jones"
    for key, name in (("a", "Bo"), ("b", long), ("c", "Cy")):
        giftsim.claim(order(giftsim, key, name))
    giftsim.advance("1h")
    giftsim.deliver_to(app)
    assert long in app.names
