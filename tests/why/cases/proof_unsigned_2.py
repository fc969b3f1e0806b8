"""Branded kits are funded.

first: proof_unsigned
says: order 20000001; ready_to_sign
not: balance
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
    hr = Hr(giftsim, "team.live_approver")
    order = hr.order("Bo", collection="branded-kit").json()["id"]
    art = hr.post("/artwork", {"url": "https://cdn.example.com/logo.png", "name": "Logo"}).json()["id"]
    for proof in hr.get(f"/team-orders/{order}/proofs")["data"]:
        hr.post(f"/proofs/{proof['id']}/versions", {"artwork_id": art})
        hr.post(f"/proofs/{proof['id']}/review", {"decision": "approve"})
    # mend
    paid = hr.post("/funding", {"method": "net_terms", "campaign_id": order})
    assert paid.status == 201
