"""Nobody passes anything on, and the app counts nothing.

first: captured
says: giftsim answered each of 2 webhooks
"""


class Counter:
    """Counts webhooks."""

    count = 0

    def __call__(self, environ, start_response):
        self.count += environ["REQUEST_METHOD"] == "POST"
        start_response("204 No Content", [])
        return []


def order(giftsim, key):
    response = giftsim.call(
        "POST",
        "/api/external/team-orders",
        credential="partner.prepaid",
        body={
            "idempotency_key": key,
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": "Bo", "email": f"{key}@example.com"}],
        },
    )
    return response.json()["team_order"]["id"]


def test_it(giftsim):
    app = Counter()
    giftsim.subscribe("team_order.claimed", "team_order.shipped")
    giftsim.ship(order(giftsim, "mug"))
    giftsim.advance("1h")
    # mend
    assert app.count == 2
