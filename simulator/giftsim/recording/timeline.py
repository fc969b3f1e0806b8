"""Time that passes in a story, and what happened in the midst of the deliveries on its way (G4)."""

from __future__ import annotations

from typing import Any

Step = dict[str, Any]
Place = tuple[str, int]


class Passage:
    """One advance: `due_ms` is where it leads, None where no time passes; `stands` while it is at a delivery."""

    def __init__(self) -> None:
        self.due_ms: int | None = None
        self.stands = False
        self._before_ms: int | None = None
        self._inside: list[tuple[Place, list[Step]]] = []

    def go_on(self, to_ms: int) -> None:
        """It leads on."""
        self._before_ms, self.due_ms = self.due_ms, to_ms

    def begin_at(self, place: Place) -> int | None:
        """Stand at a delivery; where that is another, the instant up to which time must have passed before."""
        if self._inside and self._inside[-1][0] == place:
            return None
        before_ms, self._before_ms = self._before_ms, None
        return before_ms

    def add(self, place: Place, step: Step) -> None:
        """Take a step there."""
        self.stands = True
        if not self._inside or self._inside[-1][0] != place:
            self._inside.append((place, []))
        self._inside[-1][1].append(step)

    def taken_out(self) -> list[Step]:
        """The steps at the last delivery, which are not taken there."""
        return self._inside.pop()[1] if self._inside else []

    def entries(self) -> list[Step]:
        """What happens at the deliveries on the way, as the language says it."""
        return [{"event": event, "attempt": attempt, "steps": steps} for (event, attempt), steps in self._inside]
