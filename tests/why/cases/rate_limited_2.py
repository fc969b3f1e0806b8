"""A key of the smallest plan, and an app that reads each order of a long list by itself.

first: rate_limited
says: 429; 60 calls; a minute
not: fault
"""


def synced(http, headers):
    """The answers of a sync of 61 orders."""
    return sum(http.get("/api/external/team-orders", headers=headers).ok for _ in range(61))


def test_it(giftsim):
    headers = giftsim.key(plan="starter")["headers"]
    # mend
    assert synced(giftsim.requests(None), headers) == 61
