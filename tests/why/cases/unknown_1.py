"""The test expects what no rule of the service promises.

first: unknown
says: no cause is known; last was; neither of them a cause
not: because
"""


def test_it(giftsim):
    order = giftsim.call(
        "POST",
        "/api/external/team-orders",
        credential="partner.prepaid",
        body={
            "idempotency_key": "a",
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": [{"name": "Bo", "email": "bo@example.com"}],
        },
    ).json()
    assert order["totals"]["charged_cents"] == 2700
