"""An app that subscribes when it starts, and a test that has subscribed the same endpoint for it.

first: other_count
says: 2 endpoints; team_order.claimed
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


class App:
    """Counts claims."""

    def __init__(self, http):
        self.claims = 0
        url = "https://hooks.partner.example/gifts"
        http.post("/api/external/webhooks", json={"url": url, "events": ["team_order.claimed"]})

    def __call__(self, environ, start_response):
        self.claims += 1
        start_response("204 No Content", [])
        return [b""]


def test_it(giftsim):
    giftsim.subscribe("team_order.claimed", url="https://hooks.partner.example/own")
    http = giftsim.requests("partner.prepaid")
    app = App(http)
    # mend
    giftsim.claim(http.post(ORDERS, json={**ORDER, "idempotency_key": "a"}))
    giftsim.advance("2h")
    giftsim.deliver_to(app)
    assert app.claims == 1
