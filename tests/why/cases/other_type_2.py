"""A test that waits for the type of another interface, with the same word at its end.

first: other_type
says: gift.delivered; team_order.delivered
not: subscribed to it
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.subscribe("team_order.delivered")
    http = giftsim.requests("partner.prepaid")
    order = http.post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    giftsim.claim(order)
    giftsim.advance("30d")
    giftsim.assert_webhook("gift.delivered")
