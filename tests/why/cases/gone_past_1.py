"""A parcel still waits for its address.

first: gone_past
says: parcel of order 1001; was awaiting until 2027-01-04T09:00:00Z; became submitted; entry
not: expired
"""


def test_it(giftsim):
    body = {
        "idempotency_key": "a",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    order = giftsim.call("POST", "/api/external/team-orders", body, credential="partner.prepaid").json()["team_order"][
        "id"
    ]
    giftsim.claim(order)
    parcel = giftsim.listed("parcels", team_order_id=order)[0]
    assert parcel["status"] == "awaiting"
