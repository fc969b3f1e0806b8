"""A fault for another key than the one that the app calls with.

first: fault_unused
says: fault-1; partner.net_terms; partner.prepaid
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


class Shop:
    """Places orders, again if an answer is lost."""

    def __init__(self, http):
        self.http, self.retries = http, 0

    def place(self):
        """Place an order."""
        try:
            return self.http.post(ORDERS, json={**ORDER, "idempotency_key": "a"})
        except OSError:
            self.retries += 1
            return self.place()


def test_it(giftsim):
    giftsim.fault(
        drop="after", match={"operation": "createTeamOrder", "credential": "partner.net_terms"}, when={"first": 1}
    )
    # mend
    shop = Shop(giftsim.requests("partner.prepaid"))
    shop.place()
    assert shop.retries == 1
