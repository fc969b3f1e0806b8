"""A mug is on its way after a month.

first: gone_past
says: order 1001; was shipped until; became delivered
not: is due
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
    giftsim.advance("30d")
    parcel = giftsim.listed("parcels", team_order_id=order)[0]
    assert parcel["status"] == "shipped"
