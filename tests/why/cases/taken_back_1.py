"""The app reads an order that it placed before the world was taken back.

first: taken_back
says: getTeamOrder (entry 6) was answered 404; 1001 was made by createTeamOrder (entry 3); start was restored
not: other
"""


def test_it(giftsim):
    body = {
        "idempotency_key": "a",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    giftsim.snapshot("start")
    order = giftsim.call("POST", "/api/external/team-orders", body, credential="partner.prepaid").json()["team_order"]
    giftsim.restore("start")
    path = f"/api/external/team-orders/{order['id']}"
    assert giftsim.call("GET", path, credential="partner.prepaid").status == 200
