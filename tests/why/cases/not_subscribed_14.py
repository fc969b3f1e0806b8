"""The endpoint is disabled while the event waits for the hourly run.

first: not_subscribed
says: team_order.claimed of order 1001; endpoint 1 was subscribed to it; it was disabled before it was sent
not: waits for
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
    giftsim.claim(order(giftsim, "mug"))
    # mend
    giftsim.call("DELETE", "/api/external/webhooks/1", credential="partner.prepaid")
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.claimed")
