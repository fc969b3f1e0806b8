"""Previews: pending, then ready with a public image, or failed."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.artwork import create_artwork, create_preview, mug_preview_body
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

Make = Callable[..., World]


def get_image(world: World, preview: Any) -> Response:
    """The response at the preview's image URL."""
    return world.client.call("GET", urlsplit(preview["image_url"]).path)


def decode(response: Response) -> Image.Image:
    """The decoded image of a response."""
    assert (response.status, response.headers["content-type"]) == (200, "image/png")
    return Image.open(BytesIO(response.body)).convert("RGB")


@shows("T-4.110", "T-4.113")
def test_a_preview_is_ready_after_five_seconds(team: TeamClients) -> None:
    preview = create_preview(team.live)
    path = f"/previews/{preview['id']}"
    assert team.live.get_json(path) == preview
    assert [preview[name] for name in ("status", "image_url", "finished_at", "failure")] == [
        "pending",
        None,
        None,
        None,
    ]
    team.world.advance("4s")
    assert team.live.get_json(path) == preview
    team.world.advance("1s")
    ready = team.live.get_json(path)
    assert (ready["status"], ready["finished_at"], ready["failure"]) == ("ready", team.world.now, None)
    assert ready["image_url"].startswith("http://giftsim.example/")
    team.world.advance("1h")
    assert team.live.get_json(path) == ready


@shows("T-2.31")
def test_a_preview_shows_its_placements_by_print_area(team: TeamClients) -> None:
    areas = [area["key"] for area in team.live.get_json("/print-areas?product=tee-01")["data"]]
    one, two = create_artwork(team.live)["id"], create_artwork(team.live)["id"]
    placed = {key: {"artwork_id": (one, two)[n % 2], "fit": "cover"} for n, key in enumerate(areas)}
    preview = team.live.post_json("/artwork/previews", {"product_id": 102, "placements": placed}, 202)
    assert (preview["product_id"], preview["placements"]) == (102, placed)
    assert create_preview(team.live)["placements"]["front"]["fit"] == "contain"


@shows("T-2.31")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"placements": {"nose": {"artwork_id": 50_001}}}, "placements"),
        ({"placements": [{"artwork_id": 50_001}]}, "placements"),
        ({"placements": {}}, "placements"),
        ({"placements": {"front": {"fit": "contain"}}}, "placements.front.artwork_id"),
        ({"placements": {"front": {"artwork_id": "50001"}}}, "placements.front.artwork_id"),
        ({"placements": {"front": {"artwork_id": UNKNOWN_ID}}}, "placements.front.artwork_id"),
        ({"placements": {"front": {"artwork_id": 50_999}}}, "placements.front.artwork_id"),
        ({"placements": {"front": {"artwork_id": 50_001, "fit": 1}}}, "placements.front.fit"),
        ({"product_id": 999}, "product_id"),
        ({"product_id": 105}, "product_id"),
        ({"product_id": "101"}, "product_id"),
        ({"product_id": 103}, "placements"),
    ],
)
def test_invalid_placements_are_reported_by_field(team: TeamClients, change: dict[str, Any], field: str) -> None:
    assert create_artwork(team.live)["id"] == 50_001
    response = team.live.post("/artwork/previews", mug_preview_body(50_001, **change))
    assert invalid_fields(response)[0].startswith(field.removesuffix(".artwork_id"))
    expect_error(team.live.get("/previews/52001"), 404, "not_found")


@shows("T-4.112")
def test_one_idempotency_key_starts_one_preview(team: TeamClients) -> None:
    body = mug_preview_body(create_artwork(team.live)["id"])
    expect_error(team.live.post("/artwork/previews", body, Idempotency_Key=None), 400, "idempotency_key_required")
    first = expect_status(team.live.post("/artwork/previews", body, Idempotency_Key="one"), 202)
    team.world.advance("1m")
    assert expect_status(team.live.post("/artwork/previews", body, Idempotency_Key="one"), 202).body == first.body
    assert team.live.post_json("/artwork/previews", body, 202)["id"] == first.json()["id"] + 1


def test_the_image_shows_print_areas_in_shape_and_artwork_in_color(team: TeamClients) -> None:
    one, two = (create_artwork(team.live, url=f"https://cdn.example.com/{name}.png")["id"] for name in ("one", "two"))

    def render(**placements: Any) -> Image.Image:
        preview = team.live.post_json("/artwork/previews", {"product_id": 101, "placements": placements}, 202)
        team.world.advance("5s")
        return decode(get_image(team.world, team.live.get_json(f"/previews/{preview['id']}")))

    contained = render(front={"artwork_id": one})
    covered = render(front={"artwork_id": one, "fit": "cover"})
    other = render(front={"artwork_id": two})
    middle = (contained.width // 2, contained.height // 2)
    assert contained.getpixel(middle) == covered.getpixel(middle) != other.getpixel(middle)
    goods = contained.getpixel((middle[0], 42))
    assert sum(covered.getpixel((x, middle[1])) == covered.getpixel(middle) for x in range(covered.width)) > sum(
        contained.getpixel((x, middle[1])) == contained.getpixel(middle) for x in range(contained.width)
    )
    assert goods != (255, 255, 255)
    assert render(front={"artwork_id": one}, wrap={"artwork_id": two}).width > contained.width


def test_the_image_has_the_same_bytes_every_time_and_in_an_equal_world(new_world: Make) -> None:
    teams = [TeamClients(new_world(seed=5)) for _ in range(2)]
    results = []
    for team in teams:
        preview = create_preview(team.live)
        team.world.advance("5s")
        ready = team.live.get_json(f"/previews/{preview['id']}")
        results += [get_image(team.world, ready).body, get_image(team.world, ready).body]
    assert len(set(results)) == 1


def test_only_a_ready_preview_has_an_image(new_world: Make) -> None:
    ready, pending, failed = (TeamClients(new_world(seed=5)) for _ in range(3))
    preview_id, *_ = [create_preview(team.live)["id"] for team in (ready, pending, failed)]
    ready.world.advance("5s")
    failed.world.simulate("preview", preview_id=preview_id, outcome="failed")
    path = urlsplit(ready.live.get_json(f"/previews/{preview_id}")["image_url"]).path
    assert ready.world.client.call("GET", path).status == 200
    for team in (pending, failed):
        assert team.world.client.call("GET", path.replace(ready.world.id, team.world.id)).status == 404
    for other in (path.replace(".png", "0.png"), path.replace(ready.world.id, "nowhere"), f"{path[:-4]}.gif"):
        assert ready.world.client.call("GET", other).status == 404


@pytest.mark.parametrize("outcome", ["ready", "failed"])
def test_the_control_api_finishes_or_fails_a_preview(team: TeamClients, outcome: str) -> None:
    for client in (team.live, team.test):
        preview = create_preview(client)
        result = team.world.simulate("preview", preview_id=preview["id"], outcome=outcome)
        preview_now = client.get_json(f"/previews/{preview['id']}")
        assert (preview_now["status"], preview_now["finished_at"]) == (outcome, team.world.now)
        assert (preview_now["image_url"] is None, preview_now["failure"] is None) == (
            outcome == "failed",
            outcome == "ready",
        )
        assert result == {
            "preview_id": preview["id"],
            **{name: preview_now[name] for name in ("status", "failure", "finished_at")},
        }
        team.world.advance("1m")
        assert client.get_json(f"/previews/{preview['id']}") == preview_now
        for again in ("ready", "failed"):
            response = team.world.control.post(
                f"/worlds/{team.world.id}/simulate/preview", {"preview_id": preview["id"], "outcome": again}
            )
            assert (response.status, response.json()["error"]["code"]) == (409, "invalid_state")


def test_an_unknown_preview_cannot_be_finished(team: TeamClients) -> None:
    for preview_id in (52_001, UNKNOWN_ID):
        body = {"preview_id": preview_id, "outcome": "ready"}
        response = team.world.control.post(f"/worlds/{team.world.id}/simulate/preview", body)
        assert (response.status, response.json()["error"]["code"]) == (404, "preview_not_found")


def test_a_setting_changes_the_rendering_time(team: TeamClients) -> None:
    team.world.change_settings(previews__render="2m")
    preview = create_preview(team.live)
    team.world.advance("119s")
    assert team.live.get_json(f"/previews/{preview['id']}")["status"] == "pending"
    team.world.advance("1s")
    assert team.live.get_json(f"/previews/{preview['id']}")["status"] == "ready"


@shows("T-4.113")
def test_a_preview_belongs_to_one_team_and_mode(team: TeamClients) -> None:
    live, test = create_preview(team.live), create_preview(team.test)
    assert (live["livemode"], test["livemode"]) == (True, False)
    for client in (team.other, team.test_second):
        for record in (live, test):
            expect_error(client.get(f"/previews/{record['id']}"), 404, "not_found")
    expect_error(team.live.get(f"/previews/{test['id']}"), 404, "not_found")
    expect_error(team.test.get(f"/previews/{live['id']}"), 404, "not_found")
    for unknown in (52_999, 0, "abc", "1.0"):
        expect_error(team.live.get(f"/previews/{unknown}"), 404, "not_found")
