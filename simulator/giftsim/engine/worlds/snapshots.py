"""The snapshots of a world: states that are kept under a name. An undo brings back the last that were replaced."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.worlds.world_errors import InvalidWorld, SnapshotNotFound

MAX_SNAPSHOTS = 100
MAX_REPLACED = 8  # of those replaced or deleted, for undo; each may be as large as the world


class Snapshot(msgspec.Struct, frozen=True):
    """A state that was kept under a name."""

    name: str
    state: State


class Snapshots(dict[str, Snapshot]):
    """The snapshots of one world by name, in the order in which the names came."""

    def __init__(self) -> None:
        super().__init__()
        # The last that were replaced or deleted, by the event that did so, each with its place among the others.
        self._replaced: dict[int, tuple[int, Snapshot]] = {}

    def find(self, name: str, world_id: str) -> Snapshot:
        """The snapshot with this name. SnapshotNotFound."""
        snapshot = self.get(name)
        if snapshot is None:
            raise SnapshotNotFound(f"world {world_id} has no snapshot {name[:60]!r}")
        return snapshot

    def check_room(self, name: str) -> None:
        """Raise InvalidWorld if there is no room for a snapshot of this name."""
        if len(self) >= MAX_SNAPSHOTS and name not in self:
            raise InvalidWorld(f"a world keeps {MAX_SNAPSHOTS} snapshots; delete one first")

    def save(self, name: str, state: State, event_n: int) -> Snapshot:
        """Keep a state, as event number `event_n` says."""
        self._keep_replaced(name, event_n)
        snapshot = self[name] = Snapshot(name, state)
        return snapshot

    def remove(self, name: str, event_n: int) -> None:
        """Delete a snapshot, as event number `event_n` says."""
        self._keep_replaced(name, event_n)
        del self[name]

    def take_back(self, name: str, event_n: int) -> None:
        """Undo the event that saved or deleted a snapshot: the one it replaced comes back, if it is still kept."""
        place, former = self._replaced.pop(event_n, (0, None))
        if former is None:
            self.pop(name, None)
        elif name in self:
            self[name] = former
        else:
            entries = list(self.items())
            entries.insert(place, (name, former))
            super().clear()
            self.update(entries)

    def bring_back(self, earlier: Snapshots, before_n: int) -> None:
        """Take over what was replaced or deleted by events before number `before_n`."""
        older = {n: replaced for n, replaced in earlier._replaced.items() if n < before_n}
        self._replaced = dict([*older.items(), *self._replaced.items()][-MAX_REPLACED:])

    def kept(self) -> Snapshots:
        """These snapshots as they are now, for a redo."""
        kept = Snapshots()
        kept.update(self)
        kept._replaced = self._replaced.copy()
        return kept

    def clear(self) -> None:
        """Forget all snapshots, and those that an undo could bring back."""
        super().clear()
        self._replaced.clear()

    def _keep_replaced(self, name: str, event_n: int) -> None:
        if (former := self.get(name)) is not None:
            self._replaced[event_n] = list(self).index(name), former
            if len(self._replaced) > MAX_REPLACED:
                del self._replaced[next(iter(self._replaced))]
