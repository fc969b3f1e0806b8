"""The app reads the id of an order that was not accepted.

first: refused
says: createTeamOrder (entry 2); 400 items_required; must not be empty
not: no cause
"""


def test_it(giftsim):
    body = {
        "idempotency_key": "a",
        "gift_sender": "Ada",
        "items": [],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    answer = giftsim.call("POST", "/api/external/team-orders", body, credential="partner.prepaid").json()
    assert answer["team_order"]["id"]
