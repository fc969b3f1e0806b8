"""A team waits for news of a gift, and never subscribes.

first: not_subscribed
says: gift.claimed; no endpoint
"""


def test_it(giftsim):
    # mend
    gift = giftsim.call(
        "POST",
        "/api/teams/v1/gifts",
        credential="team.live_approver",
        headers={"Idempotency-Key": "one"},
        body={
            "recipients": [{"name": "Bo", "email": "bo@example.com"}],
            "gift": {"collection_slug": "welcome-kit"},
            "message": "Welcome",
        },
    ).json()
    giftsim.approve(gift)
    giftsim.claim(gift)
    giftsim.advance("2h")
    giftsim.assert_webhook("gift.claimed")
