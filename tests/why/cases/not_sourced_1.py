"""Webhooks are sent by the hourly run, and the test does not wait for it.

first: not_sourced
says: team_order.claimed; 2027-01-04T10:00:00Z; hourly run
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
    mug = order(giftsim, "mug", "Bo")
    giftsim.claim(mug)
    # mend
    giftsim.assert_webhook("team_order.claimed")
