"""A mug goes on account.

first: not_paid
says: order 1001; credit_limit_exceeded; credit
not: no card
"""

SHOP = "partner.prepaid"


class Shop:
    """Sends mugs, and shows its people where they are."""

    def __init__(self, giftsim, credential=SHOP):
        self.giftsim, self.credential = giftsim, credential

    def post(self, path, body):
        return self.giftsim.call("POST", f"/api/external{path}", body, credential=self.credential)

    def send(self, *names, key="order-1", **more):
        people = [{"name": name, "email": f"{name.lower()}@example.com"} for name in names]
        items = [{"sku_code": "MUG-01"}]
        body = {"idempotency_key": key, "gift_sender": "Ada", "items": items, "recipients": people, **more}
        return self.post("/team-orders", body)

    def status(self, order):
        found = self.giftsim.call("GET", f"/api/external/team-orders/{order}", credential=self.credential)
        return found.json()["team_order"]["status"]


def test_it(giftsim):
    giftsim.simulate("account", key="partner.net_terms", credit_limit_cents=1_000)
    shop = Shop(giftsim, "partner.net_terms")
    # mend
    answer = shop.send("Bo")
    assert answer.status == 201
