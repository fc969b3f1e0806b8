"""The passing of time in a recording: one `advance` step with the calls made during its deliveries (G4)."""

from __future__ import annotations

from typing import Any

Step = dict[str, Any]
Attempt = tuple[str, int]


class Advance:
    """One `advance` step under construction.

    `to_ms` is the instant it leads to, None while no time passes. `in_delivery` says that steps were added during a
    delivery whose result has not been recorded yet. An `Attempt` is the event id and the number of a delivery attempt.
    """

    def __init__(self) -> None:
        self.to_ms: int | None = None
        self.in_delivery = False
        self._previous_to_ms: int | None = None
        self._deliveries: list[tuple[Attempt, list[Step]]] = []

    def extend(self, to_ms: int) -> None:
        """Lead on to a later instant."""
        self._previous_to_ms, self.to_ms = self.to_ms, to_ms

    def split_before(self, attempt: Attempt) -> int | None:
        """The instant at which the step must end so that another begins with this attempt; None if one step will do."""
        if self._deliveries and self._deliveries[-1][0] == attempt:
            return None
        split_ms, self._previous_to_ms = self._previous_to_ms, None
        return split_ms

    def add_step(self, attempt: Attempt, step: Step) -> None:
        """Add a step that is taken during a delivery attempt."""
        self.in_delivery = True
        if not self._deliveries or self._deliveries[-1][0] != attempt:
            self._deliveries.append((attempt, []))
        self._deliveries[-1][1].append(step)

    def remove_last_delivery(self) -> list[Step]:
        """Remove the last delivery and return its steps."""
        return self._deliveries.pop()[1] if self._deliveries else []

    def on_delivery(self) -> list[Step]:
        """The `on_delivery` member of the step."""
        return [{"event": event, "attempt": number, "steps": steps} for (event, number), steps in self._deliveries]
