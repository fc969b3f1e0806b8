"""An order is approved.

first: superseded
says: approval 70000001; approval 70000002; price
not: nobody asked
"""


class Hr:
    """Sends welcome kits to new colleagues, and shows where they are."""

    def __init__(self, giftsim, credential="team.live_requester"):
        self.giftsim, self.credential, self.keys = giftsim, credential, 0

    def post(self, path, body, credential=None):
        self.keys += 1
        headers = {"Idempotency-Key": f"hr-{self.keys}"}
        return self.giftsim.call(
            "POST", f"/api/teams/v1{path}", body, credential=credential or self.credential, headers=headers
        )

    def get(self, path):
        return self.giftsim.call("GET", f"/api/teams/v1{path}", credential=self.credential).json()

    def gift(self, *names, **more):
        people = [{"name": name, "email": f"{name.lower()}@example.com"} for name in names]
        return self.post("/gifts", {"recipients": people, "gift": {"collection_slug": "welcome-kit"}, **more})

    def order(self, *names, collection="welcome-kit", **more):
        people = [{"name": name, "email": f"{name.lower()}@example.com"} for name in names]
        return self.post(
            "/team-orders", {"collection": collection, "headcount": len(names), "recipients": people, **more}
        )


def test_it(giftsim):
    hr = Hr(giftsim)
    order = hr.order("Bo").json()["id"]
    hr.post(f"/team-orders/{order}/request-approval", {})
    giftsim.simulate("price", product="mug-01", price_cents=2500)
    giftsim.approve(order)
    hr.post(f"/team-orders/{order}/request-approval", {})
    # mend
    assert hr.get(f"/team-orders/{order}")["status"] == "approved"
