"""The receiver of the test refuses every attempt.

first: refused_by_app
says: 503; team_order.claimed; receiver
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
    giftsim.subscribe("team_order.claimed", url="https://shop.example/hooks")
    giftsim.receiver("shop.example", then={"status": 503})
    # mend
    giftsim.claim(order(giftsim, "mug", "Bo"))
    giftsim.advance("5d")
    assert giftsim.listed("deliveries")[-1]["status"] == 200
