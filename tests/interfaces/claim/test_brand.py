"""The claim page of a team's gift is in the team's branding (G165), with a picture of each thing (G167)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from giftsim.interfaces.claim.pictures import DRAWINGS, PARCEL, SHAPES, Picture, picture_of, picture_of_option
from tests.support.api_clients import PartnerClient
from tests.support.partner.catalogue import COLOUR, NAVY, SIZE, TEE_LINE
from tests.support.partner.claim_form import open_page, order_by_link, parse_claim_form, submit_form
from tests.support.team.campaigns import approved_campaign, process
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, create_gift, create_order
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def team(new_world: Any) -> TeamClients:
    """The clients of a world with the products of a team."""
    return TeamClients(new_world(fixture="empty"))


def tokens(world: World) -> list[str]:
    """The tokens of all claim links of a world."""
    links = [parcel["claim_link"] for parcel in world.call_control("GET", "/parcels")["parcels"]]
    return [link.rsplit("/", 1)[1] for link in links if link]


def gift_token(team: TeamClients, **members: Any) -> str:
    """The token of an approved gift for one guest."""
    approve(team.world, create_gift(team.live, **members))
    return tokens(team.world)[0]


def test_a_gift_has_the_color_and_the_sender_of_its_team(team: TeamClients) -> None:
    branding = {"primary_color": "#0057B8", "sender_name": "Northwind Studio"}
    assert team.live.patch("/recipient-branding", branding, Idempotency_Key=None).status == 200
    token = gift_token(team)
    page = open_page(team.world, token)
    assert "--brand: #0057b8; --on-brand: #ffffff; --accent: #0057b8;" in page.text
    form = parse_claim_form(page)
    assert "Northwind Studio has a gift for you" in form.text
    assert "NS" in form.text
    team.world.advance("60d")
    expired = open_page(team.world, token)
    assert (expired.status, "--brand: #0057b8" in expired.text) == (410, True)


def test_a_team_order_has_the_branding_of_its_own_team_alone(team: TeamClients) -> None:
    team.other.patch("/recipient-branding", {"primary_color": "#FF0000"}, Idempotency_Key=None)
    approve(team.world, create_order(team.live))
    assert "#ff0000" not in open_page(team.world, tokens(team.world)[0]).text


def test_a_campaign_has_the_branding_of_its_team(team: TeamClients) -> None:
    team.live.patch("/recipient-branding", {"primary_color": "#123456"}, Idempotency_Key=None)
    process(team.live, approved_campaign(team, 2))
    pages = [open_page(team.world, token) for token in tokens(team.world)]
    assert [(page.status, "--brand: #123456" in page.text) for page in pages] == [(200, True)] * 2


def test_a_partners_order_has_the_sender_and_the_color_of_the_page(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner, gift_sender="Grace Hopper")
    page = open_page(world, token)
    assert "GH" in parse_claim_form(page).text
    assert len(re.findall(r"--brand:", page.text)) == 1


def test_hostile_texts_of_a_team_are_text(team: TeamClients) -> None:
    team.live.patch("/recipient-branding", {"sender_name": HOSTILE}, Idempotency_Key=None)
    menu = [
        {"label": HOSTILE, "items": [{"item_slug": "tea-01"}]},
        {"label": "Tea", "items": [{"item_slug": "tea-01"}]},
    ]
    token = gift_token(team, message=HOSTILE, mode="bundle", gift_choices=menu)
    fields = {"selection.0": HOSTILE, "address.address1": HOSTILE, "address.state": HOSTILE, "address.zip": HOSTILE}
    for page in (open_page(team.world, token), submit_form(team.world, token, fields)):
        form = parse_claim_form(page, page.status)
        assert not {"script", "b"} & set(form.tags)
        assert form.text.count(HOSTILE) >= 3
        assert HOSTILE in form.options["selection.0"].values()


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("Cotton tee", Picture("tee")), ("Branded mug", Picture("mug")), ("Fleece blanket", Picture("blanket")),
        ("Steel bottle", Picture("bottle", "#b6bec7")), ("Mystery", Picture(PARCEL)), ("", Picture(PARCEL)),
    ],
)  # fmt: skip
def test_a_thing_is_drawn_by_its_name(name: str, picture: Picture) -> None:
    assert picture_of(name) == picture


def test_an_option_has_a_picture_if_it_is_a_color_or_a_thing() -> None:
    assert picture_of_option("Navy", "Cotton tee") == Picture("tee", "#1f2f57")
    assert picture_of_option("Reading lamp", "Your choice") == Picture("lamp")
    assert picture_of_option("XL", "Cotton tee") is None


def test_every_word_has_a_drawing() -> None:
    assert {*SHAPES.values(), PARCEL} == set(DRAWINGS)


def test_colors_are_shown_and_sizes_are_not(world: World, partner: PartnerClient) -> None:
    free = {"merchant_product_id": TEE_LINE["merchant_product_id"], "choice_variation_ids": [SIZE, COLOUR]}
    _, token = order_by_link(partner, items=[free])
    form = parse_claim_form(open_page(world, token))
    assert form.options[f"selection.{COLOUR}"][str(NAVY)] == "Navy"
    text = open_page(world, token).text
    assert text.count('class="picture"') == 1 + 3
    assert 'fill="#1f2f57"' in text
