"""The app orders what its account does not have.

first: refused
says: createTeamOrder (entry 2); 404 sku_not_found; 'MUG-99'
not: no cause
"""


def test_it(giftsim):
    body = {
        "idempotency_key": "a",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-99"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    answer = giftsim.call("POST", "/api/external/team-orders", body, credential="partner.prepaid")
    assert answer.status == 201
