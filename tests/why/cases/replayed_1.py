"""A shop that makes its idempotency key from the customer, so that a second order is the first one again.

first: replayed
says: idempotency key; same answer; createTeamOrder
not: lost
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def place(http, customer):
    """Place an order for a customer."""
    return http.post(ORDERS, json={**ORDER, "idempotency_key": f"gift-{customer}"}).json()


def test_it(giftsim):
    http = giftsim.requests("partner.prepaid")
    placed = [place(http, "ada"), place(http, "ada")]
    assert len({order["team_order"]["id"] for order in placed}) == 2
