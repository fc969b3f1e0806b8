"""The app never subscribes to what it waits for.

first: not_subscribed
says: no endpoint of account prepaid was subscribed to team_order.claimed; 2027-01-04T09:00:00Z; it had none
not: is due
"""


def test_it(giftsim):
    # mend
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
    giftsim.advance("1h")
    giftsim.assert_webhook("team_order.claimed")
