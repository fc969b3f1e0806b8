"""A fault for the third call of an app that makes one.

first: fault_unused
says: fault-1; 3; 1 call
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.fault(status=503, match={"operation": "createTeamOrder"}, when={"calls": [3]})
    # mend
    http = giftsim.requests("partner.prepaid")
    answers = [http.post(ORDERS, json={**ORDER, "idempotency_key": "a"}).status_code]
    assert 503 in answers
