"""Keeps what was met in the worlds of a simulator, also in those that are deleted, reset or undone."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any, cast
from weakref import ref

from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.simulated_service import Service
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import CallRecord
from giftsim.engine.worlds.observer import KeptWorld
from giftsim.engine.worlds.registry import Registry
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import WorldGone
from giftsim.workbench.coverage.items import Items, items_of
from giftsim.workbench.coverage.judgment import coverage_as_json
from giftsim.workbench.coverage.met import Met, merge_met
from giftsim.workbench.coverage.world_fold import WorldFold, baseline_of


def keeper_of(registry: Registry, service: Service, *, all_worlds: bool) -> CoverageKeeper:
    """The keeper of the worlds of a registry, made by the first call."""
    keeper = cast(CoverageKeeper, registry.runtime.keep(lambda: CoverageKeeper(items_of(service), registry)))
    if all_worlds:
        keeper.keep_all()
    return keeper


class CoverageKeeper:
    """What was met in each world whose coverage was asked for, or in all of them."""

    def __init__(self, items: Items, registry: Registry) -> None:
        self._items, self._registry = items, registry
        self._all_worlds = False
        self._folds: dict[KeptWorld, WorldFold] = {}
        self._ended = Met()
        self._lock = threading.Lock()

    def keep_all(self) -> None:
        """Keep what is met in each world, those that exist and later ones."""
        self._all_worlds = True
        for world in list(self._registry.worlds.values()):
            with suppress(WorldGone), world.locked():
                self.met_in(world)

    def begins(self, world: KeptWorld) -> None:
        """Start following a world from its current state."""
        if self._all_worlds:
            world.state.parsed_settings.clear()  # what was read before is read again, if it comes up
            self._watch(world, world.state)

    def loses(self, world: KeptWorld) -> None:
        """Collect from a world's logs and state before they are undone or replaced."""
        if (fold := self._folds.get(world)) is not None:
            fold.fold(world, world.state)

    def ends(self, world: KeptWorld) -> None:
        """A world is about to be deleted."""
        fold = self._folds.pop(world, None)
        if fold is not None:
            met = fold.fold(world, world.state)
            with self._lock:
                self._ended.add(met)

    def met_in(self, world: World) -> Met:
        """What was met in a world. The caller holds its lock. The first time, this is what its logs still have."""
        fold = self._folds.get(world) or self._watch(world, self._registry.first_state(world))
        return merge_met([fold.fold(world, world.state)])

    def met_in_all(self) -> Met:
        """What was met in all worlds, with those that were deleted."""
        parts = []
        for world in list(self._registry.worlds.values()):
            with suppress(WorldGone), current_state(world):
                parts.append(self.met_in(world))
        with self._lock:
            return merge_met([*parts, self._ended])

    def report(self, met: Met, *, with_next: bool) -> dict[str, Any]:
        """The coverage as JSON; `with_next` with the next steps of what is missing."""
        return coverage_as_json(met, self._items, with_next=with_next)

    def _watch(self, world: KeptWorld, first: State) -> WorldFold:
        fold = self._folds[world] = WorldFold(self._items, baseline_of(first, self._items))
        reference = ref(world)

        def before_drop(entry: CallRecord) -> None:
            if (present := reference()) is not None:
                fold.fold_call(present.state, present.id, entry)

        world.calls.log.before_drop = before_drop
        return fold
