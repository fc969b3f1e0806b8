"""A test that subscribes with a team's test key, and sends a gift with its live key.

first: other_account
says: team.test; team.live_approver
not: another type
"""

GIFT = {
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    "gift": {"collection_slug": "welcome-kit"},
    "message": "Welcome!",
}
GIFTS = "/api/teams/v1/gifts"


def test_it(giftsim):
    giftsim.subscribe("gift.sent", credential="team.test")
    # mend
    http = giftsim.requests("team.live_approver")
    gift = http.post(GIFTS, json=GIFT, headers={"Idempotency-Key": "a"})
    giftsim.approve(gift)
    giftsim.assert_webhook("gift.sent")
