"""A link can be claimed after its last day.

first: expired
says: order 1001; Bo; expired
not: was delivered
"""


def test_it(giftsim):
    body = {
        "idempotency_key": "a",
        "gift_sender": "Ada",
        "claim_expiry_days": 3,
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    order = giftsim.call("POST", "/api/external/team-orders", body, credential="partner.prepaid").json()["team_order"][
        "id"
    ]
    giftsim.advance("10d")
    parcel = giftsim.listed("parcels", team_order_id=order)[0]
    assert parcel["status"] == "awaiting"
