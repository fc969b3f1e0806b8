# kind: unknown
# says: No rule | no cause
# not: because
"""A mistake in the test's own arithmetic, which nothing in the world explains."""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"

def test_the_sum(giftsim):
    giftsim.requests("partner.prepaid").post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    assert sum([1, 2]) == 4
