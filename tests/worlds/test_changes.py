"""The list of a world's changes: bounded, and shortened where the world goes back."""

from __future__ import annotations

import threading

import pytest

from giftsim import Simulator
from giftsim.worlds.changes import CLOCK, REWOUND, Changes
from giftsim.worlds.world import World

WAIT_S = 10.0


@pytest.fixture
def world(simulator: Simulator) -> World:
    """A world at run time, without changes."""
    registry = simulator.registry
    world = registry.create(registry.worlds["default"].config)
    world.changes = Changes(world.state, max_entries=3)
    return world


def numbers(world: World, after: int = 0) -> list[int]:
    """The numbers of the changes after one."""
    return [change.n for change in world.changes.after(after)]


def test_the_oldest_changes_are_dropped_beyond_the_bound(world: World) -> None:
    for n in range(5):
        world.note(CLOCK, str(n))
    assert (numbers(world), world.changes.dropped_n, world.changes.last_n) == ([3, 4, 5], 2, 5)


@pytest.mark.parametrize(("after", "newer"), [(0, [1, 2, 3]), (2, [3]), (3, []), (9, [])])
def test_changes_are_read_from_a_number_on(world: World, after: int, newer: list[int]) -> None:
    for n in range(3):
        world.note(CLOCK, str(n))
    assert numbers(world, after) == newer


def test_a_rewind_removes_changes_and_takes_a_new_number(world: World) -> None:
    for n in range(3):
        world.note(CLOCK, str(n))
    world.note_rewind(1, "why")
    assert numbers(world) == [1, 4]
    last = world.changes.entries[-1]
    assert (last.kind, last.about) == (REWOUND, (1, "why"))


def test_who_waits_is_woken_by_the_next_change_and_by_the_end(world: World) -> None:
    changes, over = world.changes, threading.Event()

    def happen() -> None:
        world.note(CLOCK, "now")

    def end() -> None:
        over.set()
        world.runtime.waiters.notify()

    for wake in (happen, end):
        waiting = threading.Thread(target=changes.wait, args=(changes.last_n, WAIT_S, over.is_set), daemon=True)
        world.runtime.waiters.watch(changes.added)
        waiting.start()
        wake()
        waiting.join(WAIT_S / 2)
        assert not waiting.is_alive()
        world.runtime.waiters.unwatch(changes.added)
