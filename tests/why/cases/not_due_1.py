"""The clock stops two days before the parcel is handed to the carrier.

first: not_due
says: team_order.shipped of order 1001 is due at 2027-01-07T09:00:00Z; advance 2d more
not: no endpoint
"""


def test_it(giftsim):
    giftsim.subscribe("team_order.shipped")
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
    giftsim.advance("1d")
    # mend
    giftsim.assert_webhook("team_order.shipped")
