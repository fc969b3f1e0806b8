"""An app that wants a gift to be sent today, by the machine's clock.

first: clock_frozen
says: ship_on; did not follow; 2040-01-04
"""

from datetime import UTC, datetime

import pytest

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"
RENO = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}


def place(http):
    """Place an order whose gift is to leave today."""
    today = datetime.now(UTC).date().isoformat()
    person = {"name": "Bo", "address": RENO, "ship_on": today}
    return http.post(ORDERS, json={**ORDER, "recipients": [person], "idempotency_key": "a"})


@pytest.mark.giftsim(now="2040-01-04T09:00:00Z")
def test_it(giftsim):
    http = giftsim.requests("partner.prepaid")
    if True:  # mend
        assert place(http).status_code == 201
