"""An app that reads its orders more often than the plan of its key allows.

first: rate_limited
says: 429; 3 calls; a minute
not: fault
"""


def test_it(giftsim):
    giftsim.settings({"rate_limits.sandbox": 3})
    # mend
    http = giftsim.requests("partner.prepaid")
    assert [http.get("/api/external/team-orders").status_code for _ in range(5)] == [200] * 5
