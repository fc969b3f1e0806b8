"""A call that a fault holds until the test ends it.

first: held_by_fault
says: fault-1; POST /api/external/team-orders
not: changed
"""

import threading

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.fault(hold=True, match={"operation": "createTeamOrder"})
    http = giftsim.requests("partner.prepaid")
    body = {**ORDER, "idempotency_key": "a"}
    app = threading.Thread(target=http.post, args=(ORDERS,), kwargs={"json": body}, daemon=True)
    app.start()
    while not giftsim.faults()[0]["hits"]:
        app.join(0.01)
    # mend
    while app.is_alive() and not giftsim.faults():
        app.join(0.01)
    assert len(giftsim.listed("orders")) == 1
