"""An app with a key of its own in its configuration, which the test's world does not know.

first: other_world
says: 401; credential; this world
"""

import requests

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"
KEY = "pk_live_4f1d9c0a7be2"


def place(base):
    """Place an order with the configured key."""
    headers = {"Authorization": f"Bearer {KEY}"}
    return requests.post(f"{base}/team-orders", json={**ORDER, "idempotency_key": "a"}, headers=headers)


def test_it(giftsim):
    with giftsim.route("https://gifts.vendor.example", "partner.prepaid", to="/api/external"):
        place("https://gifts.vendor.example")
    assert len(giftsim.listed("orders")) == 1
