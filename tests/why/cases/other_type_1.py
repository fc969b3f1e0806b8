"""A test whose endpoint is subscribed to another type than the one that it waits for.

first: other_type
says: team_order.delivered; team_order.claimed
not: another account
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.subscribe("team_order.shipped", "team_order.delivered")
    # mend
    http = giftsim.requests("partner.prepaid")
    order = http.post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    giftsim.claim(order)
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.claimed")
