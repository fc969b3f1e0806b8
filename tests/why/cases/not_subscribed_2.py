"""A team sends a gift, and nobody is subscribed to it.

first: not_subscribed
says: no endpoint of the team was subscribed to gift.sent; it had none
not: is due
"""


def test_it(giftsim):
    # mend
    gift = giftsim.call(
        "POST",
        "/api/teams/v1/gifts",
        credential="team.live_approver",
        headers={"Idempotency-Key": "a"},
        body={"gift": {"collection_slug": "welcome-kit"}, "recipients": [{"name": "Bo", "email": "bo@example.com"}]},
    ).json()
    giftsim.approve(gift)
    giftsim.assert_webhook("gift.sent")
