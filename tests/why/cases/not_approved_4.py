"""A campaign is approved once all of it is prepared.

first: not_approved
says: campaign 80000001; Stoneware mug is off sale
not: are not prepared
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
    people = [{"name": "Bo", "email": "bo@example.com"}]
    campaign = hr.post("/large-campaigns", {"name": "May", "collection": "welcome-kit", "recipients": people}).json()
    giftsim.actor("boss", approver="any", decides="approve", after="1h")
    giftsim.simulate("stock", product="mug-01", on_sale=False)
    hr.post(f"/large-campaigns/{campaign['id']}/process", {})
    # mend
    hr.post(f"/large-campaigns/{campaign['id']}/process", {})
    giftsim.advance("2h")
    assert hr.get(f"/large-campaigns/{campaign['id']}")["status"] == "approved"
