# kind: not_subscribed
# words: gift.claimed; no endpoint


def test_team_hears_of_the_claim(giftsim):
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
