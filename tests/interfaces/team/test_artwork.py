"""Artwork: images by public URL, checked by the world's file metadata, else by the extension."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.artwork import LOGO, create_artwork
from tests.support.team.clients import TeamClients
from tests.support.urls import BROKEN_URLS


@shows("T-2.30", "T-4.104", "T-4.107")
def test_artwork_is_registered_and_listed_newest_first(team: TeamClients) -> None:
    first = create_artwork(team.live)
    assert first == {
        "id": first["id"], "name": "Logo", "url": LOGO, "content_type": "image/png", "livemode": True,
        "created_at": team.world.now,
    }  # fmt: skip
    second = create_artwork(team.live, name="Mark", url="https://cdn.example.com/mark.SVG?v=2")
    assert second["content_type"] == "image/svg+xml"
    assert team.live.get_json("/artwork") == {"data": [second, first], "next_cursor": None}


@shows("T-4.106")
def test_artwork_is_listed_in_pages(team: TeamClients) -> None:
    ids = [create_artwork(team.live, name=f"Logo {n}")["id"] for n in range(31)][::-1]
    page = team.live.get_json("/artwork")
    assert [row["id"] for row in page["data"]] == ids[:25]
    assert [row["id"] for row in team.live.get_json(f"/artwork?cursor={page['next_cursor']}")["data"]] == ids[25:]
    assert [row["id"] for row in team.live.list_all("/artwork", 1)] == ids
    assert team.live.get_json("/artwork?limit=100")["next_cursor"] is None
    for limit in ("0", "101", "-1", "abc"):
        expect_error(team.live.get(f"/artwork?limit={limit}"), 400, "invalid_parameter")


@shows("T-2.30")
@pytest.mark.parametrize(
    "url",
    [
        "http://cdn.example.com/logo.png", "ftp://cdn.example.com/logo.png", "data:image/png;base64,AA", "/logo.png",
        "https://localhost/logo.png", "https://127.0.0.1/logo.png", "https://[::1]/logo.png", "https://2130706433/x",
        "https://cdn.internal/logo.png", "https://me@cdn.example.com/logo.png", "https://cdn.example.com/logo.png#x",
        "https://cdn.example.com:8443/logo.png", "https://cdn.example.com/lo go.png", "https://cdn.example.com/a.pdf",
        "https://cdn.example.com/a.png.exe", "https://cdn.example.com/index.html?a=logo.png", "", "x" * 2049,
    ],
)  # fmt: skip
def test_a_url_that_is_not_a_public_https_image_is_refused_and_not_echoed(team: TeamClients, url: str) -> None:
    response = team.live.post("/artwork", {"url": url, "name": "Logo"})
    assert invalid_fields(response) == ["url"]
    assert not url or url not in response.text
    assert team.live.list_all("/artwork") == []


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ([], {"body"}),
        ({"url": LOGO, "name": " "}, {"name"}),
        ({"url": LOGO, "name": 2}, {"name"}),
        ({"url": 1, "name": "Logo"}, {"url"}),
        ({"url": None, "name": None}, {"url", "name"}),
    ],
)
def test_artwork_needs_a_url_and_a_name(team: TeamClients, body: Any, named: set[str]) -> None:
    assert set(invalid_fields(team.live.post("/artwork", body))) == named


@pytest.mark.parametrize(("url", "rule"), [(url, rule) for url, rule, _ in BROKEN_URLS])
def test_a_refused_url_names_its_rule_and_no_way_to_deliver(team: TeamClients, url: str, rule: str) -> None:
    response = team.live.post("/artwork", {"url": url, "name": "Logo"})
    (error,) = response.json()["error"]["details"]
    assert (error["field"], rule in error["message"], "/receivers/" in error["message"]) == ("url", True, False)


@pytest.mark.parametrize("addresses", [["10.0.0.5"], ["93.184.216.34", "169.254.169.254"], ["::1"], []])
def test_artwork_is_refused_whose_host_resolves_to_an_address_that_is_not_public(
    team: TeamClients, addresses: list[str]
) -> None:
    team.world.call_control("PUT", "/receivers/cdn.example.com", {"addresses": addresses})
    response = team.live.post("/artwork", {"url": "https://cdn.example.com/logo.png", "name": "Logo"})
    assert invalid_fields(response) == ["url"]
    assert "resolve" in response.text
    assert not any(address in response.text for address in addresses)
    assert team.live.list_all("/artwork") == []


def test_a_url_without_an_extension_is_accepted(team: TeamClients) -> None:
    for url in ("https://cdn.example.com", "https://cdn.example.com/v1.2/logo", "https://cdn.example.com/logo?f=a.pdf"):
        assert create_artwork(team.live, url=url)["content_type"] is None


def test_registered_file_metadata_overrides_the_extension(team: TeamClients) -> None:
    metadata = team.world.simulate("file", url="https://cdn.example.com/logo.pdf", content_type="Image/PNG", bytes=9)
    assert metadata == {"url": "https://cdn.example.com/logo.pdf", "content_type": "image/png", "bytes": 9}
    assert create_artwork(team.live, url="https://cdn.example.com/logo.pdf")["content_type"] == "image/png"
    team.world.simulate("file", url=LOGO, content_type="text/html")
    assert invalid_fields(team.live.post("/artwork", {"url": LOGO, "name": "Logo"})) == ["url"]
    team.world.simulate("file", url=LOGO, content_type="image/gif")
    assert create_artwork(team.live)["content_type"] == "image/gif"


@shows("T-4.109")
def test_artwork_is_registered_once_per_idempotency_key(team: TeamClients) -> None:
    body = {"url": LOGO, "name": "Logo"}
    expect_error(team.live.post("/artwork", body, Idempotency_Key=None), 400, "idempotency_key_required")
    assert team.live.list_all("/artwork") == []
    first = expect_status(team.live.post("/artwork", body, Idempotency_Key="one"), 201)
    assert expect_status(team.live.post("/artwork", body, Idempotency_Key="one"), 201).body == first.body
    assert len(team.live.list_all("/artwork")) == 1


def test_artwork_belongs_to_one_team_and_mode(team: TeamClients) -> None:
    live, test = create_artwork(team.live), create_artwork(team.test)
    assert isinstance(test["id"], str)
    assert (live["livemode"], test["livemode"]) == (True, False)
    assert team.requester.list_all("/artwork") == [live]
    assert team.test.list_all("/artwork") == [test]
    for client in (team.test_second, team.other):
        assert client.list_all("/artwork") == []
        wrong = {"product_id": 101, "placements": {"front": {"artwork_id": live["id"]}}}
        assert invalid_fields(client.post("/artwork/previews", wrong)) == ["placements.front.artwork_id"]
    assert invalid_fields(team.test.patch("/recipient-branding", {"logo_artwork_id": UNKNOWN_ID})) == [
        "logo_artwork_id"
    ]


NOTHING = {"logo_artwork_id": None, "primary_color": None, "sender_name": None, "livemode": True}
PATH = "/recipient-branding"


@shows("T-4.192", "T-4.194")
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
