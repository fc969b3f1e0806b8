"""The app's client raises the status of an order that was not accepted.

first: refused
says: createTeamOrder (entry 3); 404 sku_not_found
not: no cause
"""


def test_it(giftsim):
    body = {
        "idempotency_key": "a",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    with giftsim.httpx() as http:
        http.get("/api/external/team-orders").raise_for_status()
        body["items"] = [{"sku_code": "MUG-99"}]
        http.post("/api/external/team-orders", json=body).raise_for_status()
