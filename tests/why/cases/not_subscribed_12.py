"""The endpoint is disabled before the parcel arrives.

first: not_subscribed
says: team_order.delivered; order 1001; disabled
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
    endpoint = giftsim.subscribe("team_order.shipped", "team_order.delivered")["endpoint"]
    mug = order(giftsim, "mug", "Bo")
    giftsim.ship(mug)
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.shipped")
    giftsim.call("DELETE", f"/api/external/webhooks/{endpoint['id']}", credential="partner.prepaid")
    # mend
    giftsim.advance("5d")
    giftsim.assert_webhook("team_order.delivered")
