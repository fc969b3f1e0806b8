"""The receiver is slower than the service waits.

first: no_answer_from_app
says: team_order.shipped; timeout; entry
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
    giftsim.subscribe("team_order.shipped")
    giftsim.receiver(then={"delay_s": 12})
    giftsim.ship(order(giftsim, "mug", "Bo"))
    # mend
    giftsim.advance("5d")
    giftsim.assert_webhook("team_order.shipped")
