"""The app counts retries, each of which reached it.

first: accepted_twice
says: team_order.claimed of order 1001; 3 times; sees 4 where it expects 2
"""


class Counter:
    """Counts news."""

    count = 0

    def note(self, hook):
        self.count += hook.type == "team_order.claimed"


def order(giftsim, *names):
    response = giftsim.call(
        "POST",
        "/api/external/team-orders",
        credential="partner.prepaid",
        body={
            "idempotency_key": "-".join(names),
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": name, "email": f"{name}@example.com"} for name in names],
        },
    )
    return response.json()["team_order"]["id"]


def test_it(giftsim):
    counter = Counter()
    giftsim.subscribe("team_order.claimed")
    giftsim.receiver(script=[{"status": 502}, {"timeout": True}])
    giftsim.claim(order(giftsim, "bo"))
    giftsim.advance("90m")
    giftsim.claim(order(giftsim, "cy"))
    giftsim.advance("1h")
    giftsim.deliver_to(handler=counter.note)
    assert counter.count == 2
