"""What the pages of a coverage say of its areas, and how they group the names in one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from giftsim.frontend.states import words

ABOUT: Final[Mapping[str, str]] = {
    "operations": "Operations that the app called, of those that its credentials may call.",
    "errors": "Documented errors that the app got, of the operations that it calls.",
    "events": "Webhook events that the app received and accepted, of those that it subscribes to.",
    "transitions": "Steps of the state machines that its records took.",
    "faults": "Failures that the app lived through: lost answers, rate limits, repeated and late webhooks.",
    "clock": "Edges of the calendar, and expiries, that passed while the app had something at stake.",
}
WAYS: Final[Mapping[str, str]] = {
    "verb": "Verb",
    "fault": "Fault",
    "scenario": "Scenario",
    "pytest": "A test with pytest",
    "vitest": "A test with Vitest",
}
STATES: Final[Mapping[str, str]] = {"missing": "Missing", "met": "Met", "apart": "Not counted"}
NOT_COUNTED: Final = "What this app has nothing to do with: parts of the service that it never calls or may not call."
_MOVE: Final = re.compile(r"(\w+): (\w+) --(\w+)--> (\w+)")


def grouped(area: str, names: Iterable[str]) -> dict[str, dict[str, str]]:
    """The names of an area as they are shown, in groups: errors by operation, steps by machine, others in one."""
    groups: dict[str, dict[str, str]] = {}
    for name in names:
        group, shown = _place(area, name)
        groups.setdefault(group, {})[name] = shown
    return groups


def _place(area: str, name: str) -> tuple[str, str]:
    if area == "errors":
        operation, _, error = name.partition(" ")
        return operation, error
    if area == "transitions" and (move := _MOVE.fullmatch(name)):
        machine, source, trigger, target = move.groups()
        return words(machine).capitalize(), f"{words(trigger)}: {words(source)} → {words(target)}"
    return "", name
