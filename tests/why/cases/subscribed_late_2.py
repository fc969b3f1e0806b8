"""The app is started, and subscribes, between two shipments.

first: subscribed_late
says: team_order.shipped; order 1002; after
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


class Integration:
    """Subscribes when it is started."""

    def __init__(self, giftsim):
        self.giftsim = giftsim

    def start(self):
        for event in ("team_order.shipped", "team_order.delivered"):
            response = self.giftsim.call(
                "POST",
                "/api/external/webhooks",
                credential="partner.prepaid",
                body={"url": "https://shop.example/hooks", "events": [event]},
            )
            assert response.status == 201


def test_it(giftsim):
    # mend
    first, second = order(giftsim, "first", "Bo"), order(giftsim, "second", "Cy")
    giftsim.ship(second)
    giftsim.advance("1d")
    Integration(giftsim).start()
    giftsim.ship(first)
    giftsim.advance("2h")
    giftsim.assert_webhook("team_order.shipped", team_order={"id": first["id"]})
    giftsim.assert_webhook("team_order.shipped", team_order={"id": second["id"]})
