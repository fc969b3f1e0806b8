"""Two endpoints, one of which refuses; the other one is not named.

first: refused_by_app
says: the receiver of crm.example; 500; 3 attempts; team_order.claimed of order 1001
not: shop.example
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
    giftsim.subscribe("team_order.claimed", url="https://shop.example/hooks")
    giftsim.subscribe("team_order.claimed", url="https://crm.example/hooks")
    giftsim.receiver("crm.example", then={"status": 500})
    # mend
    giftsim.claim(order(giftsim, "mug"))
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.claimed", host="crm.example")
