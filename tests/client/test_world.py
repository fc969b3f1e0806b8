"""A world as a client sees it: one look-up of credentials, and one reading of a goal."""

from __future__ import annotations

import pytest

from giftsim.engine.client.control import CONTROL, Control
from giftsim.engine.client.world import ClientWorld, NoCredential, goal_of
from tests.support.worlds import World


@pytest.fixture
def client_world(world: World) -> ClientWorld:
    return ClientWorld(Control(world.simulator.client), world.id)


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("next", {"until": "next"}),
        ("idle", {"until": "idle"}),
        ("3d", {"by": "3d"}),
        ("PT36H", {"by": "PT36H"}),
        ("2027-03-01T09:00:00Z", {"to": "2027-03-01T09:00:00Z"}),
        ("2027-03-01 09:00:00Z", {"to": "2027-03-01T09:00:00Z"}),
        ("2027-03-01", {"to": "2027-03-01"}),
    ],
)
def test_what_begins_as_a_date_is_an_instant_and_the_rest_a_duration(text: str, goal: dict[str, str]) -> None:
    assert goal_of(text) == goal


def test_the_clock_moves_to_a_goal(client_world: ClientWorld) -> None:
    before = client_world.describe()["now"]
    assert client_world.advance(goal_of("2d"), dry_run=True)["to"] > before
    assert client_world.describe()["now"] == before
    assert client_world.advance(goal_of("2d"))["to"] == client_world.describe()["now"] > before


def test_a_credential_is_found_by_its_name_or_value_also_one_that_was_made_since(client_world: ClientWorld) -> None:
    name = "partner.prepaid"
    assert client_world.headers_of(None) == {"X-Sim-World": client_world.id}
    assert client_world.request("GET", "/api/external/team-orders", credential=name).status == 200
    assert client_world.headers_of(client_world.credentials[name]["value"]) == client_world.headers_of(name)
    made = client_world.send("POST", "/keys", {"interface": "partner"})
    assert client_world.headers_of(made["key"]) == made["headers"]


def test_a_credential_that_there_is_not_is_refused_with_those_that_there_are(client_world: ClientWorld) -> None:
    with pytest.raises(NoCredential, match=r"there is no credential 'partner\.postpaid'; there are partner\.prepaid"):
        client_world.headers_of("partner.postpaid")


@pytest.mark.parametrize("path", ["/clock", "clock"])
def test_a_path_below_the_world_may_begin_with_a_slash(client_world: ClientWorld, path: str) -> None:
    assert client_world.path(path) == f"{CONTROL}/worlds/{client_world.id}/clock"
    assert client_world.path() == f"{CONTROL}/worlds/{client_world.id}"
