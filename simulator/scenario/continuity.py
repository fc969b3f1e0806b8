"""What a step names that an earlier one must have made: calls in the background."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from simulator.scenario.draft import Draft
from simulator.scenario.refusal import meant

# A call that is not waited for has nothing yet for these.
_LATER = ("expect", "save", "repeat")


class Continuity:
    """What there is by now, step after step of one story."""

    def __init__(self) -> None:
        self.out: set[str] = set()

    def check(self, draft: Draft) -> None:
        """InvalidScenario for a name that nothing before has; what the step makes is there afterwards."""
        for member in draft.data:
            if member in _CHECKS:
                _CHECKS[member](self, draft)

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


_CHECKS: Mapping[str, Callable[[Continuity, Draft], None]] = {
    "background": Continuity.background,
    "await": Continuity.awaited,
}
