# kind: rate_limited
# says: 429 | 3 calls | a minute
# not: fault
"""An app that reads its orders more often than the plan of its key allows."""

def test_orders_can_be_read_often(giftsim):
    giftsim.settings({"rate_limits.sandbox": 3})
    # mend
    http = giftsim.requests("partner.prepaid")
    assert [http.get("/api/external/team-orders").status_code for _ in range(5)] == [200] * 5
