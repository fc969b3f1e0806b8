"""A shop that gives up when the service is down for a moment, as a fault of the test says.

first: changed_by_fault
says: fault-1; 503; createTeamOrder
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def place(http):
    """Place an order; whether it was."""
    return http.post(ORDERS, json={**ORDER, "idempotency_key": "a"}).status_code == 201


def test_it(giftsim):
    giftsim.fault(status=503, match={"operation": "createTeamOrder"}, when={"first": 1})
    # mend
    assert place(giftsim.requests("partner.prepaid"))
