"""What a step names that an earlier one must have made: calls in the background, snapshots, forks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from giftsim.scenario.draft import Draft
from giftsim.scenario.scenario_error import meant

# A call that is not waited for has nothing yet for these.
_LATER = ("expect", "save", "repeat", "recorded")


class Continuity:
    """What there is by now, step after step of one story."""

    def __init__(self) -> None:
        self.out: set[str] = set()
        self.forks: set[str] = set()
        self.kept: set[tuple[str | None, str]] = set()

    def check(self, draft: Draft) -> None:
        """InvalidScenario for a name that nothing before has; what the step makes is there afterwards."""
        for member, check in _CHECKS.items():
            if member in draft.data:
                check(self, draft)

    def background(self, draft: Draft) -> None:
        """A call goes out under a name that no other has meanwhile."""
        name = draft.data["background"]
        for member in _LATER:
            if member in draft.data:
                told = f'"{member}" has nothing to go by in the background; give it to `await: {name}`'
                raise draft.source.refuse((*draft.trail, member), told, name=True)
        if name in self.out:
            raise draft.source.refuse((*draft.trail, "background"), f'"{name}" is out already; await it first')
        self.out.add(name)

    def awaited(self, draft: Draft) -> None:
        """An answer is waited for, once."""
        name = draft.data["await"]
        if name not in self.out:
            near = meant(name, sorted(self.out)) if self.out else "; `background: NAME` lets a call go out"
            raise draft.source.refuse((*draft.trail, "await"), f'no call "{name}" is in the background{near}')
        self.out.remove(name)

    def fork(self, draft: Draft) -> None:
        """A world branches off, once under each name."""
        name = draft.data["fork"]
        if name in self.forks:
            raise draft.source.refuse((*draft.trail, "fork"), f'there is a fork "{name}" already')
        self.forks.add(name)

    def within(self, draft: Draft) -> None:
        """A step is taken in a fork."""
        name = draft.data["in"]
        if name not in self.forks:
            near = meant(name, sorted(self.forks)) if self.forks else "; `fork: NAME` makes one"
            raise draft.source.refuse((*draft.trail, "in"), f'no step before makes a fork "{name}"{near}')

    def snapshot(self, draft: Draft) -> None:
        """A moment is kept, in the world of the step."""
        self.kept.add((draft.data.get("in"), draft.data["snapshot"]))

    def restore(self, draft: Draft) -> None:
        """A kept moment of the same world comes back."""
        world, name = draft.data.get("in"), draft.data["restore"]
        if (world, name) not in self.kept:
            names = sorted(kept for of, kept in self.kept if of == world)
            near = meant(name, names) if names else "; `snapshot: NAME` keeps a moment of the same world"
            raise draft.source.refuse((*draft.trail, "restore"), f'no step before keeps a moment "{name}"{near}')


_CHECKS: Mapping[str, Callable[[Continuity, Draft], None]] = {
    "in": Continuity.within,
    "background": Continuity.background,
    "await": Continuity.awaited,
    "snapshot": Continuity.snapshot,
    "restore": Continuity.restore,
    "fork": Continuity.fork,
}
