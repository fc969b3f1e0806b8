"""A mug to reno arrives in time.

first: delayed
says: order 1001; Bo; delayed; 00013
not: expired
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
    order = shop.send("Bo").json()["team_order"]["id"]
    address = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "00013", "country": "US"}
    giftsim.claim(order, address=address)
    giftsim.advance("7d")
    # mend
    assert shop.status(order) == "delivered"
