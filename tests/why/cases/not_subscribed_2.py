"""A team sends a gift, and nobody is subscribed to it.

first: not_subscribed
says: gift.sent happened; no endpoint was subscribed
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
