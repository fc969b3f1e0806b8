"""An app that refuses what is not signed with its secret, and a fault that signs a webhook wrongly.

first: changed_by_fault
says: fault-1; bad signature; team_order.claimed
not: letters outside ASCII
"""

from giftsim import verify

ORDER = {
    "gift_sender": "Ada",
    "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}
ORDERS = "/api/external/team-orders"


def test_it(giftsim):
    secret = giftsim.subscribe("team_order.claimed")["secret"]
    giftsim.fault(webhook="bad_signature", when={"first": 1})
    # mend
    order = giftsim.requests("partner.prepaid").post(ORDERS, json={**ORDER, "idempotency_key": "a"})
    giftsim.claim(order)
    giftsim.advance("2h")

    def app(environ, start_response):
        """Answer 400 to what is not genuine."""
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        try:
            verify.webhook(body, environ["HTTP_X_SERVICE_SIGNATURE"], secret)
        except verify.InvalidSignature:
            start_response("400 Bad Request", [])
        else:
            start_response("204 No Content", [])
        return [b""]

    assert [result.status for result in giftsim.deliver_to(app)] == [204]
