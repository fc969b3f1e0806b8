"""Addresses of files that redirect, expire or turn into a page: judged when they are read (G448, G449)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_status, invalid_fields, status_and_code
from tests.support.team.artwork import LOGO, create_artwork, mug_preview_body
from tests.support.team.clients import TeamClients
from tests.support.team.proofs import create_branded_order, first_proof

OTHER = "https://files.example.com/other.png"
UNREADABLE = "the renderer could not read the image at its address"


def change(team: TeamClients, url: str = LOGO, **members: Any) -> Any:
    """Change what is at a URL."""
    return team.world.simulate("file", url=url, **members)


def draw(team: TeamClients, artwork: Any) -> tuple[str, str | None]:
    """How a preview of the artwork ends, and its failure."""
    preview = team.live.post_json("/artwork/previews", mug_preview_body(artwork["id"]), 202)
    team.world.advance("5s")
    read = team.live.get_json(f"/previews/{preview['id']}")
    assert read["finished_at"] == team.world.now
    return read["status"], read["failure"]


@pytest.mark.parametrize("members", [{"gone": True}, {"content_type": "text/html"}])
def test_an_address_that_expires_is_fine_until_then(team: TeamClients, members: dict[str, Any]) -> None:
    artwork = create_artwork(team.live)
    said = change(team, **members, after="2d")
    assert (said["url"], said["gone"]) == (LOGO, "gone" in members)
    team.world.advance("2879m")
    assert draw(team, artwork) == ("ready", None)
    team.world.advance("1m")
    assert draw(team, artwork) == ("failed", UNREADABLE)
    assert invalid_fields(team.live.post("/artwork", {"url": LOGO, "name": "Again"})) == ["url"]
    assert team.live.list_all("/artwork") == [artwork]
    change(team, content_type="image/png")
    assert draw(team, artwork) == ("ready", None)


def test_a_preview_is_judged_when_it_starts(team: TeamClients) -> None:
    artwork = create_artwork(team.live)
    change(team, gone=True, after="2s")
    assert draw(team, artwork) == ("ready", None)
    assert draw(team, artwork) == ("failed", UNREADABLE)


@pytest.mark.parametrize(
    ("target", "drawn"),
    [
        (OTHER, "ready"),
        ("https://files.example.com/page.html", "failed"),
        ("https://127.0.0.1/logo.png", "failed"),
        ("http://files.example.com/other.png", "failed"),
        (LOGO, "failed"),
    ],
)
def test_a_redirect_counts_as_what_it_leads_to(team: TeamClients, target: str, drawn: str) -> None:
    artwork = create_artwork(team.live)
    change(team, redirects_to=target)
    assert draw(team, artwork)[0] == drawn
    response = team.live.post("/artwork", {"url": LOGO, "name": "Again"})
    if drawn == "ready":
        again = expect_status(response, 201).json()
        assert (again["url"], again["content_type"]) == (LOGO, "image/png")
    else:
        assert invalid_fields(response) == ["url"]


@pytest.mark.parametrize(("hops", "status"), [(5, 201), (6, 422)])
def test_five_redirects_are_followed(team: TeamClients, hops: int, status: int) -> None:
    urls = [LOGO, *[f"https://files.example.com/{i}.png" for i in range(hops)]]
    for url, target in pairwise(urls):
        change(team, url, redirects_to=target)
    assert team.live.post("/artwork", {"url": LOGO, "name": "Far"}).status == status


@shows("T-2.40")
def test_a_certificate_is_read_once_when_it_is_given(team: TeamClients) -> None:
    url, body = "https://files.example.com/exempt", {"url": "https://files.example.com/exempt", "region": "NV"}
    change(team, url, redirects_to="https://files.example.com/exempt.pdf")
    certificate = team.live.post_json("/tax-certificates", body)
    assert (certificate["url"], certificate["content_type"]) == (url, "application/pdf")
    change(team, url, gone=True)
    assert invalid_fields(team.live.post("/tax-certificates", body)) == ["url"]
    team.world.simulate("certificate", certificate_id=certificate["id"], outcome="accepted")
    change(team, url, content_type="application/pdf", bytes=11 * 1024 * 1024, after="1h")
    team.world.advance("1h")
    assert invalid_fields(team.live.post("/tax-certificates", body)) == ["url"]


def test_a_version_of_a_proof_needs_an_image_and_earlier_versions_stay(team: TeamClients) -> None:
    proof = first_proof(team.live, create_branded_order(team.live))
    artwork = create_artwork(team.live)
    path, body = f"/proofs/{proof['id']}/versions", {"artwork_id": artwork["id"]}
    team.live.post_json(path, body)
    change(team, content_type="text/html", after="0s")
    with team.world.assert_unchanged():
        assert invalid_fields(team.live.post(path, body)) == ["artwork_id"]
    expect_status(team.live.post(f"/proofs/{proof['id']}/review", {"decision": "approve"}), 200)


def test_a_service_may_keep_a_copy_of_artwork(team: TeamClients) -> None:
    team.world.change_settings(artwork__copied=True)
    artwork = create_artwork(team.live)
    change(team, gone=True)
    assert draw(team, artwork) == ("ready", None)


def test_a_file_put_without_an_instant_counts_for_new_records_alone(team: TeamClients) -> None:
    artwork = create_artwork(team.live)
    said = change(team, content_type="text/html", bytes=2_000)
    assert said == {"url": LOGO, "content_type": "text/html", "bytes": 2_000}
    assert draw(team, artwork) == ("ready", None)


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"gone": True, "content_type": "image/png"},
        {"gone": True, "bytes": 5},
        {"redirects_to": OTHER, "gone": True},
        {"gone": True, "after": "soon"},
        {"gone": False},
    ],
)
def test_what_is_at_a_url_is_said_in_one_way(team: TeamClients, members: dict[str, Any]) -> None:
    path = f"/worlds/{team.world.id}/simulate/file"
    with team.world.assert_unchanged():
        assert status_and_code(team.world.control.post(path, {"url": LOGO, **members})) == (400, "invalid_body")


def test_an_instant_after_the_calendar_is_its_last(team: TeamClients) -> None:
    assert change(team, gone=True, after="9999999d")["from"].startswith("9999-12-31T23:59:59")
