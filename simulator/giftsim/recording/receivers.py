"""Receivers that somebody else answered for: in a scenario they answer by a script, as it was then (G4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.event_log.events import Landed
from giftsim.webhooks.outgoing import CONNECTION_REFUSED, CONNECTION_RESET, DELIVERED, DNS_ERROR, HTTP_STATUS, TLS_ERROR
from giftsim.webhooks.receiver import ANY_HOST, FORWARD, HOLD

Entry = Mapping[str, Any]
GOOD = {"status": 200}
FAILED = {
    CONNECTION_REFUSED: {"refuse": True},
    CONNECTION_RESET: {"reset": True},
    TLS_ERROR: {"tls_error": True},
    DNS_ERROR: {"dns_error": True},
}


class Placement:
    """A receiver from the moment it was put there; `landed` is what its attempts came back with, by their slots.

    One that `holds` lets each attempt stand, so that steps can be taken meanwhile.
    """

    def __init__(self, host: str, entry: Entry, *, again: bool = False, holds: bool = False) -> None:
        self.host, self.entry, self.again, self.holds = host, entry, again, holds
        self.landed: dict[int, Entry] = {}

    @property
    def is_away(self) -> bool:
        """Whether somebody else answers."""
        return self.entry.get("mode") in (FORWARD, HOLD)

    @property
    def is_needed(self) -> bool:
        """Whether it makes a difference: one that only comes back with an earlier state does so by its answers."""
        return self.holds or not self.again or bool(self.landed)

    @property
    def can_hold(self) -> bool:
        """Whether all its answers are the other side's, none of them a script's of its own."""
        return self.is_away and (self.entry["mode"] == HOLD or not self.entry.get("script"))

    def step(self) -> dict[str, Any]:
        """The step that puts it there."""
        members = self.members()
        return {"receiver": {"host": self.host} | members | ({"optional": True} if members.get("script") else {})}

    def members(self) -> dict[str, Any]:
        """The entry as it is replayed: nobody is dialled."""
        if not self.is_away:
            return dict(self.entry)
        own = [] if self.entry["mode"] == HOLD else list(self.entry.get("script") or ())
        script = [*own, *(self.landed[attempt] for attempt in sorted(self.landed))]
        then = script[-1] if script else GOOD
        while len(script) > len(own) and script[-1] == then:
            script.pop()
        kept = {name: self.entry[name] for name in ("addresses", "outage") if self.entry.get(name) is not None}
        told = ({"script": script} if script else {}) | ({"then": then} if then != GOOD else {})
        return ({"mode": HOLD} if self.holds else {}) | kept | told


class Placements:
    """The receivers of one world as its inputs go by; `first` are those that it began with."""

    def __init__(self, first: Mapping[str, str]) -> None:
        self._first = {host: {"mode": FORWARD, "to": to} for host, to in first.items()}
        self._saved: dict[str, dict[str, Entry]] = {}
        self.there: dict[str, Placement] = {}

    def begin(self, *, again: bool = False) -> list[Placement]:
        """The world is as it was created; what must be put there."""
        return self._put_back(self._first, again=again)

    def put(self, host: str, entry: Entry) -> Placement:
        """Somebody answers for a host from now on."""
        placed = self.there[host.lower()] = Placement(host, entry)
        return placed

    def remove(self, host: str) -> None:
        """Nobody does any more."""
        self.there.pop(host.lower(), None)

    def save(self, name: str) -> None:
        """A state is kept."""
        self._saved[name] = {host: placed.entry for host, placed in self.there.items()}

    def restore(self, name: str) -> list[Placement]:
        """A kept state is back; what must be put there anew, since other answers come this time."""
        return self._put_back(self._saved.get(name, self._first), again=True)

    def land(self, came: Landed) -> None:
        """An attempt is back."""
        placed = self.of(came)
        if placed is not None:
            placed.landed[came.attempt] = _answer(came)

    def of(self, came: Landed) -> Placement | None:
        """Who answered an attempt."""
        return self.there.get(came.host) or self.there.get(ANY_HOST)

    def hold(self, placed: Placement) -> Placement:
        """From here on its attempts stand until they are answered."""
        held = self.there[placed.host.lower()] = Placement(placed.host, placed.entry, holds=True)
        return held

    def let_go(self) -> list[Placement]:
        """None holds any more; what must be put in the place of those that did."""
        held = [placed for placed in self.there.values() if placed.holds]
        for placed in held:
            self.there[placed.host.lower()] = Placement(placed.host, placed.entry, again=True)
        return [self.there[placed.host.lower()] for placed in held]

    def _put_back(self, entries: Mapping[str, Entry], *, again: bool) -> list[Placement]:
        self.there = {host: Placement(host, entry, again=again) for host, entry in entries.items()}
        return [placed for placed in self.there.values() if placed.is_away]


def _answer(came: Landed) -> Entry:
    if came.outcome in (DELIVERED, HTTP_STATUS) and came.status is not None:
        return {"status": max(came.status, 200)}
    return FAILED.get(came.outcome, {"timeout": True})
