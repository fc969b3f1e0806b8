"""An HR app whose idempotency key is the person and the day, so that two gifts of one day are one.

first: replayed
says: idempotency key; same answer; Gift
not: lost; forgotten
"""

GIFT = {
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    "gift": {"collection_slug": "welcome-kit"},
    "message": "Welcome!",
}
GIFTS = "/api/teams/v1/gifts"


def send(http, person, day):
    """Send a gift to a person."""
    return http.post(GIFTS, json=GIFT, headers={"Idempotency-Key": f"{person}-{day}"}).json()


def test_it(giftsim):
    http = giftsim.requests("team.live_approver")
    send(http, "bo", "2027-01-04")
    send(http, "bo", "2027-01-04")
    assert len(http.get(GIFTS).json()["data"]) == 2
