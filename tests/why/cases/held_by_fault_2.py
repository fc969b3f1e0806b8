"""A receiver that holds every webhook until somebody answers for it.

first: held_by_fault
says: hooks.partner.example; holds; team_order.claimed
"""

import threading
from contextlib import suppress

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.subscribe("team_order.claimed")
    giftsim.receiver(mode="hold")
    # mend
    http = giftsim.requests("partner.prepaid")
    order = http.post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    giftsim.claim(order)

    def advance():
        """Let time pass until the world ends."""
        with suppress(Exception):
            giftsim.advance("2h")

    time = threading.Thread(target=advance, daemon=True)
    time.start()
    while not giftsim.webhooks():
        time.join(0.01)
    giftsim.assert_webhook("team_order.claimed")
