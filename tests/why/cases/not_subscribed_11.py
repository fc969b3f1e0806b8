"""The app subscribes to claims only, and waits for the shipment.

first: not_subscribed
says: prepaid; team_order.shipped; order 1001; the only one; team_order.claimed
not: after
"""


def order(giftsim, key, *names):
    response = giftsim.call(
        "POST",
        "/api/external/team-orders",
        credential="partner.prepaid",
        body={
            "idempotency_key": key,
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": name, "email": f"{key}-{number}@example.com"} for number, name in enumerate(names)],
        },
    )
    assert response.status == 201
    return response.json()["team_order"]


def test_it(giftsim):
    giftsim.subscribe("team_order.claimed")
    # mend
    mug = order(giftsim, "mug", "Bo")
    giftsim.ship(mug)
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.shipped")
