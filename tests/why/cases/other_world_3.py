"""An app whose configuration has a key of another world, perhaps from an earlier run.

first: other_world
says: POST /api/external/team-orders; did not reach the world
"""

import requests

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"
KEY = "pk_live_w77_prepaid"


def place(base):
    """Place an order with the configured key."""
    headers = {"Authorization": f"Bearer {KEY}"}
    return requests.post(f"{base}/team-orders", json={**ORDER, "idempotency_key": "a"}, headers=headers)


def test_it(giftsim):
    with giftsim.route("https://gifts.vendor.example", "partner.prepaid", to="/api/external"):
        place("https://gifts.vendor.example")
    assert len(giftsim.listed("orders")) == 1
