"""A shop that places its orders with one key and reads them with that of another account.

first: other_account
says: partner.net_terms; partner.prepaid; 404
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


class Shop:
    """Places and reads orders."""

    def __init__(self, writing, reading):
        self.writing, self.reading = writing, reading

    def place(self):
        """Place an order; its number."""
        return self.writing.post(ORDERS, json={**ORDER, "idempotency_key": "a"}).json()["team_order"]["id"]

    def status(self, number):
        """The status of the read."""
        return self.reading.get(f"{ORDERS}/{number}").status_code


def test_it(giftsim):
    shop = Shop(giftsim.requests("partner.prepaid"), giftsim.requests("partner.net_terms"))
    assert shop.status(shop.place()) == 200
