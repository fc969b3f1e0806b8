"""The claim page of a team's gift is in the team's branding (G165), with a picture of each thing (G167)."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from giftsim.services.gifting.interfaces.claim.pictures import (
    DRAWINGS,
    PARCEL,
    SHAPES,
    Picture,
    picture_of,
    picture_of_option,
)
from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO
from tests.support.partner.catalogue import COLOUR, NAVY, SIZE, TEE_LINE
from tests.support.partner.claim_form import open_page, order_by_link, parse_claim_form, submit_form
from tests.support.partner.orders import shipment_statuses
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


FIELDS = {f"address.{name}": str(text) for name, text in RENO.items()}


def test_other_sites_cannot_post_a_claim(world: World, partner: PartnerClient) -> None:
    order, token = order_by_link(partner)
    with world.assert_unchanged():
        for origin in (
            "https://evil.example",
            "null",
            "http://giftsim.example.evil.example",
            "http://giftsim.example:81",
        ):
            assert submit_form(world, token, FIELDS, Origin=origin).status == 403
    assert submit_form(world, token, FIELDS, Origin="http://giftsim.example").status == 200
    assert shipment_statuses(partner, order) == ["submitted"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://gifts.example"}, 200),  # behind a proxy
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "none", "Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://giftsim.example"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://app.giftsim.example"}, 403),
        ({"Sec-Fetch-Site": "same-origin, cross-site"}, 403),
        ({"Sec-Fetch-Site": ""}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": ""}, 403),
    ],
)
def test_what_a_browser_says_about_the_sender_decides(
    world: World, partner: PartnerClient, headers: dict[str, str], status: int
) -> None:
    _, token = order_by_link(partner)
    assert submit_form(world, token, FIELDS, **headers).status == status


def test_every_page_tells_the_browser_to_run_nothing_and_to_show_it_in_no_frame(
    world: World, partner: PartnerClient
) -> None:
    _, token = order_by_link(partner)
    pages = [open_page(world, token), submit_form(world, token, {}), submit_form(world, token, FIELDS)]
    pages += [
        open_page(world, token),
        open_page(world, "nothing"),
        *(world.client.call("GET", path, headers={"Accept": "text/html"}) for path in ("/openapi", "/nothing")),
    ]
    assert [page.status for page in pages] == [200, 422, 200, 410, 404, 200, 404]
    for page, own in zip(pages, (True,) * 5 + (False,) * 2, strict=True):
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["x-frame-options"] == ("SAMEORIGIN" if own else "DENY")
        assert page.headers["referrer-policy"] == "same-origin"
        policy = page.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "form-action 'self'", "base-uri 'none'"} <= set(policy)
        assert f"frame-ancestors '{'self' if own else 'none'}'" in policy
        assert "unsafe" not in page.headers["content-security-policy"]


def test_the_content_policy_allows_the_style_of_the_page_and_no_other(world: World, partner: PartnerClient) -> None:
    page = open_page(world, order_by_link(partner, gift_message="<style>h1 {}</style>")[1])
    styles = re.findall(r"<style>(.*?)</style>", page.text, re.DOTALL)
    (style,) = [b64encode(sha256(text.encode()).digest()).decode() for text in styles]
    assert f"style-src 'sha256-{style}';" in page.headers["content-security-policy"]
    assert not re.search(r"<script|\bstyle=|\bon[a-z]+=", page.text)


def test_what_is_not_a_page_is_not_taken_for_one(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner)
    paths = (f"/claim/{world.id}/{token}", "/openapi/partner.json", f"/claim/{world.id}/nothing")
    for answer in (world.client.call("GET", path) for path in paths):
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "content-security-policy" not in answer.headers


def test_a_form_that_was_sent_is_recorded_whole(world: World, partner: PartnerClient) -> None:
    _, token = order_by_link(partner)
    assert submit_form(world, token, {"choose_country": "US"}).status == 200
    assert submit_form(world, token, FIELDS).status == 200
    recorded = world.recording
    assert "address.address1=1+Main+St" in recorded
    assert "choose_country" not in recorded
    report = world.client.call(
        "POST", "/_sim/v1/scenarios/play", body=recorded, headers={"Content-Type": "application/yaml"}
    ).json()  # fmt: skip
    assert report["outcome"] == "passed", report
