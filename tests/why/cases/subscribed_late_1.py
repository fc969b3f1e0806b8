"""The app subscribes after the claim.

first: subscribed_late
says: team_order.claimed; order 1001; after
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
    # mend
    mug = order(giftsim, "mug", "Bo")
    giftsim.claim(mug)
    giftsim.subscribe("team_order.claimed")
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.claimed")
