"""Branding: what recipients see of a team, changed member by member."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.claims import claims
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_status, invalid_fields
from tests.support.team.artwork import create_artwork
from tests.support.team.clients import TeamClients

NOTHING = {"logo_artwork_id": None, "primary_color": None, "sender_name": None, "livemode": True}
PATH = "/recipient-branding"


@claims("T-4.192", "T-4.194")
def test_branding_is_null_until_it_is_set_and_changes_by_member(team: TeamClients) -> None:
    assert team.live.get_json(PATH) == NOTHING
    logo = create_artwork(team.live)["id"]
    branding: dict[str, Any] = dict(NOTHING)
    for change in (
        {"primary_color": "#0057B8"}, {"sender_name": "Ada & co."}, {"logo_artwork_id": logo}, {},
        {"primary_color": "#abcdef", "sender_name": None}, {"logo_artwork_id": None},
    ):  # fmt: skip
        branding |= change
        assert expect_status(team.live.patch(PATH, change, Idempotency_Key=None), 200).json() == branding
        assert team.live.get_json(PATH) == branding


@pytest.mark.parametrize(
    "change",
    [
        {"primary_color": "blue"}, {"primary_color": "#12345"}, {"primary_color": "#0057B8 "}, {"primary_color": 7},
        {"sender_name": 7}, {"sender_name": "a\nb"}, {"sender_name": "x" * 201}, {"logo_artwork_id": 50_999},
        {"logo_artwork_id": "50001"}, {"logo_artwork_id": UNKNOWN_ID}, {"logo_artwork_id": True},
    ],
)  # fmt: skip
def test_invalid_branding_is_refused_by_field(team: TeamClients, change: dict[str, Any]) -> None:
    create_artwork(team.live)
    assert invalid_fields(team.live.patch(PATH, {"sender_name": "Ada", **change})) == list(change)
    assert team.live.get_json(PATH) == NOTHING


def test_each_sandbox_and_team_has_its_own_branding(team: TeamClients) -> None:
    expect_status(team.live.patch(PATH, {"sender_name": "Live"}), 200)
    expect_status(
        team.test.patch(PATH, {"logo_artwork_id": create_artwork(team.test)["id"], "sender_name": "Test"}), 200
    )
    assert team.requester.get_json(PATH) == {**NOTHING, "sender_name": "Live"}
    assert team.test.get_json(PATH)["sender_name"] == "Test"
    assert team.test_second.get_json(PATH) == {**NOTHING, "livemode": False}
    assert team.other.get_json(PATH) == NOTHING


def test_claim_pages_show_the_sender_name(team: TeamClients) -> None:
    bo = {"name": "Bo", "email": "bo@example.com"}

    def sender_on_claim_page() -> str:
        order = team.live.post_json("/team-orders", {"collection": "welcome-kit", "headcount": 1, "recipients": [bo]})
        team.world.simulate("approval", team_order_id=order["id"], decision="approve")
        link = team.world.mail()[-1]["links"][0]
        return str(team.world.client.call("GET", urlsplit(link).path).json()["gift_sender"])

    assert sender_on_claim_page() == team.live.get_json("/team")["name"]
    expect_status(team.live.patch(PATH, {"sender_name": "Ada & co."}), 200)
    assert sender_on_claim_page() == "Ada & co."
    expect_status(team.live.patch(PATH, {"sender_name": ""}), 200)
    assert sender_on_claim_page() == team.live.get_json("/team")["name"]
