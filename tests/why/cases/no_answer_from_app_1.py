"""The app's server is not started.

first: no_answer_from_app
says: team_order.claimed; 127.0.0.1:9; refused
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
    giftsim.receiver(mode="forward", to="http://127.0.0.1:9")
    giftsim.claim(order(giftsim, "mug", "Bo"))
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.claimed")
