"""The host of the endpoint has no address.

first: no_answer_from_app
says: team_order.claimed of order 1001; the receiver of hooks.partner.example, set in entry 3,; does not resolve
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
    giftsim.subscribe("team_order.claimed")
    giftsim.receiver(addresses=[])
    giftsim.claim(order(giftsim, "mug"))
    # mend
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.claimed")
