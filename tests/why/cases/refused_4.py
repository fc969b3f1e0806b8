"""One of two orders in a row is refused, and the test compares the list of their statuses.

first: refused
says: createTeamOrder (entry 4); 409 idempotency_payload_mismatch
not: no cause
"""


def test_it(giftsim):
    body = {
        "idempotency_key": "a",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    answers = []
    for sender in ("Ada", "Eve"):
        body["gift_sender"] = sender
        answers.append(giftsim.call("POST", "/api/external/team-orders", body, credential="partner.prepaid").status)
    assert answers == [201, 201]
