"""Names of worlds: given at their creation or later, for people, and not part of the world (G254)."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from tests.support.console import Console
from tests.support.worlds import World


def test_a_world_has_a_name_that_can_be_changed_and_taken_away(world: World) -> None:
    before = world.fingerprint()
    assert world.call_control("GET", "")["name"] is None
    assert world.call_control("PATCH", "", {"name": "Demo shop"})["name"] == "Demo shop"
    assert world.call_control("GET", "")["name"] == "Demo shop"
    assert world.fingerprint() == before
    assert world.call_control("PATCH", "", {"name": None})["name"] is None
    assert world.call_control("GET", "/undo?all=true")["undo"] == []


@pytest.mark.parametrize("name", ["", "x" * 201, 7])
def test_a_name_has_1_to_200_characters(world: World, name: object) -> None:
    answer = world.control.call("PATCH", f"/worlds/{world.id}", {"name": name})
    assert (answer.status, answer.json()["error"]["code"]) == (400, "invalid_body")


def test_names_need_not_be_unique_and_a_scenario_gives_its_own(simulator: Simulator) -> None:
    worlds = [World(simulator, fixture="bare", name="Twin") for _ in range(2)]
    assert [world.description["name"] for world in worlds] == ["Twin", "Twin"]
    text = "scenario: A mug that ships\nfixture: bare\nsteps:\n  - advance: 1h\n"
    headers = {"Content-Type": "application/yaml"}
    report = simulator.client.call("POST", "/_sim/v1/scenarios/play?keep=true", body=text, headers=headers).json()
    played = simulator.client.call("GET", f"/_sim/v1/worlds/{report['world']}").json()
    assert played["name"] == "A mug that ships"
    for world_id in (report["world"], *(world.id for world in worlds)):
        simulator.client.call("DELETE", f"/_sim/v1/worlds/{world_id}")


def test_the_console_shows_the_name_first_and_changes_it(simulator: Simulator, world: World) -> None:
    console = Console(simulator, world.id)
    assert f"{world.id}Seed 1, from “" in console.open("").text
    console.open("worlds")
    page = console.press("Rename", name="Bo’s shop")
    assert "This world is Bo’s shop now." in page.text
    assert f"Bo’s shop{world.id}, seed 1" in page.text
    assert page.link("Bo’s shop") == f"/w/{world.id}/"
    assert "Compare Bo’s shop with" in console.open("compare").text
    console.open("worlds")
    assert f"This world is {world.id} now." in console.press("Rename", name=" ").text


def test_a_world_created_in_the_console_has_a_name_and_an_id(simulator: Simulator, world: World) -> None:
    console = Console(simulator, world.id)
    console.open("worlds")
    assert (
        "Created the world Second shop." in console.press("Create the world", name="Second shop", id="second-shop").text
    )
    assert console.path == "/w/second-shop/"
    simulator.client.call("DELETE", "/_sim/v1/worlds/second-shop")
