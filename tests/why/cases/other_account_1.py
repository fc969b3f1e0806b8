"""A test that subscribes with the key of another account than its app orders with.

first: other_account
says: partner.net_terms; partner.prepaid; team_order.claimed
not: no endpoint was subscribed; another type
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.subscribe("team_order.claimed", credential="partner.net_terms")
    # mend
    http = giftsim.requests("partner.prepaid")
    order = http.post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    giftsim.claim(order)
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.claimed")
