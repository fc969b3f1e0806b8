"""A plain look at what was sent, by an app that waits for another type.

first: not_subscribed
says: team_order.shipped; order 1001; takes team_order.delivered
"""


def order(giftsim, key):
    response = giftsim.call(
        "POST",
        "/api/external/team-orders",
        credential="partner.prepaid",
        body={
            "idempotency_key": key,
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": "Bo", "email": f"{key}@example.com"}],
        },
    )
    return response.json()["team_order"]["id"]


def test_it(giftsim):
    giftsim.subscribe("team_order.delivered")
    # mend
    giftsim.ship(order(giftsim, "mug"))
    giftsim.advance("2h")
    assert [hook.data["team_order"]["id"] for hook in giftsim.webhooks("team_order.shipped")]
