"""A status is expected before the parcel arrives.

first: not_due
says: delivered of order 1001 is due at 2027-01-09T09:00:00Z; advance 1d more
"""


def test_it(giftsim):
    order = giftsim.call(
        "POST",
        "/api/external/team-orders",
        credential="partner.prepaid",
        body={
            "idempotency_key": "a",
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": "Bo", "email": "bo@example.com"}],
        },
    ).json()
    giftsim.claim(order)
    giftsim.advance("4d")
    # mend
    path = f"/api/external/team-orders/{order['team_order']['id']}"
    order = giftsim.call("GET", path, credential="partner.prepaid").json()["team_order"]
    assert order["status"] == "delivered"
