"""A shop that counts an event that arrives twice twice.

first: changed_by_fault
says: fault-1; twice; team_order.shipped
"""

import json

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.subscribe("team_order.shipped")
    giftsim.fault(webhook="duplicate", match={"event": "team_order.shipped"})
    # mend
    order = giftsim.requests("partner.prepaid").post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    giftsim.ship(order)
    giftsim.advance("2h")
    points = {}

    def app(environ, start_response):
        """Give points for each parcel."""
        data = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))["data"]
        email = data["recipient"]["email"]
        points[email] = points.get(email, 0) + 100
        start_response("204 No Content", [])
        return [b""]

    giftsim.deliver_to(app)
    assert points == {"bo@example.com": 100}
