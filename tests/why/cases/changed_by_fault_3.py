"""A charge that a fault of the test lets fail, although there is money.

first: changed_by_fault
says: fault-1; card_charge_failed
not: fund
"""

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    giftsim.fail_charges("card_charge_failed")
    # mend
    answer = giftsim.requests("partner.prepaid").post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    assert answer.status_code == 201
