"""A handler keeps the type of the webhook that came last.

first: arrived_out_of_order
says: team_order.shipped; team_order.claimed; order 1002; arrived
"""


class Board:
    """Shows the latest news of each order."""

    def __init__(self):
        self.news = {}

    def show(self, hook):
        self.news[hook.data["team_order"]["id"]] = hook.type


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
    board = Board()
    giftsim.subscribe("team_order.claimed", "team_order.shipped")
    first, second = order(giftsim, "first"), order(giftsim, "second")
    giftsim.claim(first)
    giftsim.advance("1h")
    giftsim.deliver_to(handler=board.show)
    giftsim.settings({"webhooks.order": "reversed"})
    giftsim.ship(second)
    giftsim.advance("1h")
    giftsim.deliver_to(handler=board.show)
    assert board.news == {first: "team_order.claimed", second: "team_order.shipped"}
