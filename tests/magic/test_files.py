"""Magic files and artwork: known URLs are refused, and previews of magic artwork fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from giftsim.magic.files import REMOTE, UNRENDERABLE
from tests.support.responses import expect_status, invalid_fields
from tests.support.team.artwork import create_artwork, mug_preview_body
from tests.support.team.clients import TeamClients
from tests.support.worlds import World


def test_a_preview_of_artwork_with_the_magic_name_fails(world: World) -> None:
    team = TeamClients(world)
    previews: list[Any] = [
        team.live.post_json("/artwork/previews", mug_preview_body(create_artwork(team.live, name=name)["id"]), 202)
        for name in (UNRENDERABLE, "Logo")
    ]
    world.advance("5s")
    assert [team.live.get_json(f"/previews/{preview['id']}")["status"] for preview in previews] == ["failed", "ready"]


def test_the_magic_urls_are_refused_unless_their_files_are_simulated(world: World) -> None:
    team = TeamClients(world)
    assert invalid_fields(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"})) == ["url"]
    assert invalid_fields(team.live.post("/tax-certificates", {"url": REMOTE[1].url})) == ["url"]
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url.replace("no-image", "image"), "name": "x"}), 201)
    world.simulate("file", url=REMOTE[0].url, content_type="image/png", bytes=5)
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"}), 201)


def test_files_and_artwork_are_ordinary_when_the_setting_is_off(new_world: Callable[..., World]) -> None:
    world = new_world(settings={"magic_values": False})
    team = TeamClients(world)
    artwork_id = create_artwork(team.live, name=UNRENDERABLE)["id"]
    expect_status(team.live.post("/artwork", {"url": REMOTE[0].url, "name": "x"}), 201)
    expect_status(team.live.post("/tax-certificates", {"url": REMOTE[1].url}), 201)
    preview = team.live.post_json("/artwork/previews", mug_preview_body(artwork_id), 202)
    world.advance("1h")
    assert team.live.get_json(f"/previews/{preview['id']}")["status"] == "ready"
