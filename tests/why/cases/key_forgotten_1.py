"""An HR app whose nightly job sends again what it could not note, long after the key has been forgotten.

first: key_forgotten
says: idempotency key; 1d; second time
"""

GIFT = {
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    "gift": {"collection_slug": "welcome-kit"},
    "message": "Welcome!",
}
GIFTS = "/api/teams/v1/gifts"


def send(http):
    """Send the gift; a second time changes nothing, as the key is the same."""
    return http.post(GIFTS, json=GIFT, headers={"Idempotency-Key": "birthday-bo-2027"}).json()


def test_it(giftsim):
    # mend
    http = giftsim.requests("team.live_approver")
    send(http)
    giftsim.advance("2d")
    send(http)
    assert len(http.get(GIFTS).json()["data"]) == 1
