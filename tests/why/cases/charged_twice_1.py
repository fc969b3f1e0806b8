"""A lost answer costs nothing.

first: charged_twice
says: order-1; order-2; order 1001; order 1002; $26.00
not: refused
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
    shop = Shop(giftsim)
    giftsim.fault(drop="after", when={"first": 1})
    for number in (1, 2):  # until there is an answer
        try:
            shop.send("Bo", key=f"order-{number}")
            break
        except ConnectionError:
            pass
    orders = giftsim.listed("orders")
    assert len(orders) == 1
