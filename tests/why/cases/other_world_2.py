"""A test that prepares an app with a fork of its world, and looks into the first one.

first: other_world
says: another world; POST /api/external/team-orders; did not reach
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def place(http):
    """Place an order; its number."""
    return http.post(ORDERS, json={**ORDER, "idempotency_key": "a"}).json()["team_order"]["id"]


def test_it(giftsim):
    app = giftsim.fork().requests("partner.prepaid")
    number = place(app)
    assert [order["id"] for order in giftsim.listed("orders")] == [number]
