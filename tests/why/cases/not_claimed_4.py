"""The recipient picks the last size that is left.

first: not_claimed
says: order 1001; Bo; no size is left
not: expired; not due; nobody has entered
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
        items = [{"merchant_product_id": 102, "fixed_options": {"1022": 10221}, "choice_variation_ids": [1021]}]
        body = {"idempotency_key": key, "gift_sender": "Ada", "items": items, "recipients": people, **more}
        return self.post("/team-orders", body)

    def claim(self, link, size):
        address = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
        path = "/claim/" + link.partition("/claim/")[2]
        self.giftsim.call("POST", path, {"address": address, "selection": {"1021": size}})

    def status(self, order):
        found = self.giftsim.call("GET", f"/api/external/team-orders/{order}", credential=self.credential)
        return found.json()["team_order"]["status"]


def test_it(giftsim):
    shop = Shop(giftsim)
    created = shop.send("Bo", return_claim_links=True).json()
    order, link = created["team_order"]["id"], created["recipients"][0]["claim"]["link"]
    for size in ("S", "M", "L", "XL"):
        giftsim.simulate("stock", product="tee-01", option=size, on_sale=False)
    # mend
    shop.claim(link, size=10211)
    assert shop.status(order) == "in_progress"
