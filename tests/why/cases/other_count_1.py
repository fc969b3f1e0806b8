"""A test that counts one webhook for an order, which has one for each recipient.

first: other_count
says: team_order.claimed; 2
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.subscribe("team_order.claimed")
    http = giftsim.requests("partner.prepaid")
    people = [{"name": "Bo", "email": "bo@example.com"}, {"name": "Cy", "email": "cy@example.com"}]
    order = http.post(ORDERS, json={**ORDER, "recipients": people, "idempotency_key": "a"})
    giftsim.claim(order, 0)
    giftsim.claim(order, 1)
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.claimed", times=1)
