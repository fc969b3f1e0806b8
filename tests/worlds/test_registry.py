"""The registry: ids, bounds and copies of worlds."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.event_log.inputs import WorldConfig
from giftsim.kernel.serializer import fingerprint
from giftsim.worlds.problem import DefaultWorldStays, InvalidWorld, TooManyWorlds, WorldExists, WorldNotFound
from giftsim.worlds.registry import DEFAULT, START_MS, Registry
from giftsim.worlds.runtime import Runtime

CONFIG = WorldConfig("bare", 7, START_MS)


@pytest.fixture
def registry(simulator: Simulator) -> Registry:
    shared = simulator.registry
    return Registry(shared.make_state, Runtime(shared.runtime.courier), max_worlds=3)


def test_worlds_without_an_id_are_numbered_and_skip_taken_ids(registry: Registry) -> None:
    registry.create(CONFIG, "w2")
    assert [registry.create(CONFIG).id for _ in range(2)] == ["w1", "w3"]


def test_an_id_of_a_recovered_world_is_never_given_again(registry: Registry) -> None:
    registry.ids.reserve("w41")
    registry.ids.reserve("mine")
    assert registry.create(CONFIG).id == "w42"


@pytest.mark.parametrize("world_id", ["", "Upper", "a b", "x" * 41, "ünicode"])
def test_other_ids_are_refused(registry: Registry, world_id: str) -> None:
    with pytest.raises(InvalidWorld, match="a world's id is 1 to 40 of a-z, 0-9 and '-'"):
        registry.create(CONFIG, world_id)


def test_an_id_is_taken_once_and_the_number_of_worlds_is_bounded(registry: Registry) -> None:
    registry.create(CONFIG, "a")
    with pytest.raises(WorldExists, match=r"^there is a world a already; delete it or take another id$"):
        registry.create(CONFIG, "a")
    registry.create(CONFIG)
    registry.create(CONFIG)
    with pytest.raises(TooManyWorlds, match=r"^3 worlds exist; delete some, or start with a larger --max-worlds$"):
        registry.create(CONFIG)


def test_worlds_of_one_config_are_equal_and_independent(registry: Registry) -> None:
    one, other = registry.create(CONFIG), registry.create(CONFIG)
    assert fingerprint(one.state) == fingerprint(other.state)
    with one.state.transaction():
        one.state.set_setting("partner.prices.rush", 1)
    assert fingerprint(one.state) != fingerprint(other.state)


def test_a_deleted_world_is_not_found_and_the_default_world_stays(registry: Registry) -> None:
    world = registry.create(CONFIG, "a")
    registry.delete(world)
    with pytest.raises(WorldNotFound, match=r"^there is no world 'a'$"):
        registry.find("a")
    with pytest.raises(DefaultWorldStays):
        registry.delete(registry.create(CONFIG, DEFAULT))
