"""Paths with slashes too many, as from a base URL that ends in one: what is said of them, and the call log (G354)."""

from __future__ import annotations

import pytest

from giftsim.engine.gateway.nearest_route import extra_slashes
from tests.shows import shows
from tests.support.museum import MuseumClient
from tests.support.team.clients import TeamClients
from tests.support.worlds import World


@pytest.mark.parametrize(
    ("path", "clause"),
    [
        ("/api/external/team-orders", ""),
        ("/", ""),
        ("//api/external", "it has a slash too many at its beginning; "),
        ("/api//external", "it has a slash too many before 'external'; "),
        ("/api/external/team-orders/", "it has a slash too many at its end; "),
        ("/api/external/team-orders//", "it has 2 slashes too many, first at its end; "),
        ("//api///x/", "it has 4 slashes too many, first at its beginning; "),
        ("//", "it has a slash too many at its end; "),
    ],
)
def test_the_place_of_the_slashes_is_named(path: str, clause: str) -> None:
    assert extra_slashes(path) == clause


SLASHED = ["//api/external/team-orders", "/api//external/team-orders", "/api/external//team-orders",
           "/api/external/team-orders/", "///api/external//team-orders/"]  # fmt: skip


@pytest.mark.parametrize("path", SLASHED)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_a_call_with_slashes_too_many_is_refused_and_logged_as_it_was_sent(
    world: World, path: str, method: str
) -> None:
    headers = world.credentials["partner.prepaid"]["headers"]
    answer = world.client.call(method, f"{path}?limit=5", headers=headers)
    assert answer.status == 404
    message = answer.json()["error"]["message"]
    assert message == (f"there is no operation at {path}; {extra_slashes(path)}did you mean /api/external/team-orders?")
    (logged,) = world.rows("calls")
    assert logged["request"]["path"] == f"{path}?limit=5"
    assert (logged["interface"], logged["response"]["status"]) == ("partner", 404)


@shows("T-7.1")
def test_each_interface_answers_in_its_own_form(world: World) -> None:
    team = world.client.call("GET", "//api/teams/v1/team", headers=world.credentials["team.live_approver"]["headers"])
    assert team.status == 404
    assert team.json()["error"]["message"] == (
        "there is no operation at this path; it has a slash too many at its beginning; did you mean /api/teams/v1/team?"
    )
    inside = world.client.call(
        "GET", "/api/teams/v1/team//ada", headers=world.credentials["team.live_approver"]["headers"]
    )
    assert "it has a slash too many inside; " in inside.text
    assert "ada" not in inside.text
    museum = world.client.call("GET", "//v1.1/museum-hours", headers=world.credentials["museum"]["headers"])
    assert museum.json()["title"].startswith("there is no operation at //v1.1/museum-hours; it has a slash too many")
    control = world.client.call("GET", "/_sim//v1/worlds")
    assert control.json()["error"]["message"].startswith("there is no operation at /_sim//v1/worlds; it has a slash")
    assert [call["interface"] for call in world.rows("calls")] == ["team", "team", "museum"]
    assert (TeamClients(world).live.get("/team").status, MuseumClient(world).get("/museum-hours").status) == (200, 200)


def test_a_page_that_does_not_exist_names_the_path_as_it_was_sent(world: World) -> None:
    answer = world.client.call("GET", "//consolé/", headers={"Accept": "application/json"})
    assert answer.status == 404
    assert answer.json()["error"]["message"].startswith("there is nothing at //consolé/; it has 2 slashes too many")


def test_such_calls_are_replayed(world: World) -> None:
    headers = world.credentials["partner.prepaid"]["headers"]
    world.client.call("GET", "//api/external/team-orders", headers=headers)
    world.partner().create_order()
    assert "call: GET //api/external/team-orders" in world.recording
    yaml = {"Content-Type": "application/yaml"}
    played = world.client.call("POST", "/_sim/v1/scenarios/play", body=world.recording, headers=yaml)
    assert (played.status, played.json()["outcome"]) == (200, "passed"), played.text
