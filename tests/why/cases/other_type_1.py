"""A test whose endpoint is subscribed to the type of ordinary orders, and whose app places team orders.

first: other_type
says: order.shipped; team_order.shipped
not: another account
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.subscribe("order.shipped", "order.delivered")
    # mend
    http = giftsim.requests("partner.prepaid")
    order = http.post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    giftsim.ship(order)
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.shipped")
