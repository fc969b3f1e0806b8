"""A shop that pays a team order again after an hour, with a key that its world forgets early.

first: key_forgotten
says: idempotency key; 1h
"""

GIFT = {
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    "gift": {"collection_slug": "welcome-kit"},
    "message": "Welcome!",
}
GIFTS = "/api/teams/v1/gifts"


def test_it(giftsim):
    giftsim.settings({"idempotency.lifetime": "1h"})
    # mend
    http = giftsim.requests("team.live_approver")
    first = http.post(GIFTS, json=GIFT, headers={"Idempotency-Key": "welcome-bo"}).json()
    giftsim.advance("90m")
    again = http.post(GIFTS, json=GIFT, headers={"Idempotency-Key": "welcome-bo"}).json()
    assert again["id"] == first["id"]
