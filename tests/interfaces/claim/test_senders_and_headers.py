"""Who may post a claim, and what a page tells the browser (G91, G98)."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO
from tests.support.partner.claim_form import open_page, order_by_link, submit_form
from tests.support.partner.orders import shipment_statuses
from tests.support.worlds import World

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
        world.client.call("GET", "/", headers={"Accept": "text/html"}),
    ]
    assert [page.status for page in pages] == [200, 422, 200, 410, 404, 200]
    for page in pages:
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["x-frame-options"] == "DENY"
        assert page.headers["referrer-policy"] == "same-origin"
        policy = page.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"} <= set(policy)
        assert "unsafe" not in page.headers["content-security-policy"]


def test_the_content_policy_allows_the_style_of_the_page_and_no_other(world: World, partner: PartnerClient) -> None:
    page = open_page(world, order_by_link(partner, gift_message="<style>h1 {}</style>")[1])
    styles = re.findall(r"<style>(.*?)</style>", page.text, re.DOTALL)
    (style,) = [b64encode(sha256(text.encode()).digest()).decode() for text in styles]
    assert f"style-src 'sha256-{style}';" in page.headers["content-security-policy"]
    assert not re.search(r"<script|\bstyle=|\bon[a-z]+=", page.text)


def test_what_is_no_page_is_not_to_be_taken_for_one(world: World, partner: PartnerClient) -> None:
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
    recorded = world.client.call("GET", f"/_sim/v1/worlds/{world.id}/journal/scenario").text
    assert "address.address1=1+Main+St" in recorded
    assert "choose_country" not in recorded
    report = world.client.call(
        "POST", "/_sim/v1/scenarios/play", body=recorded, headers={"Content-Type": "application/yaml"}
    ).json()  # fmt: skip
    assert report["outcome"] == "passed", report
