"""The app's first line about a parcel stays.

first: dropped_as_duplicate
says: team_order.shipped; team_order.claimed; 200; order 1001
"""


class Ledger:
    """Keeps one line per parcel, and ignores a line that is there."""

    def __init__(self):
        self.lines = {}

    def note(self, hook):
        self.lines.setdefault(hook.data["shipment"]["order_id"], hook.type)


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
    ledger = Ledger()
    giftsim.subscribe("team_order.claimed", "team_order.shipped")
    mug = order(giftsim, "mug", "Bo")
    giftsim.claim(mug)
    giftsim.advance("4d")
    giftsim.deliver_to(handler=ledger.note)
    assert ledger.lines == {500001: "team_order.shipped"}
