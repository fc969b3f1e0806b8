"""What an app has met, as plain data: it is merged over worlds, processes and files, and written as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec


class Retries(msgspec.Struct):
    """What the app did after one error of one operation: how often it came, how often the same call followed.

    `same_key` counts the calls that followed with the same idempotency key, `other_key` those with another one. The
    delays are in seconds of the world's clock.
    """

    met: int = 0
    retried: int = 0
    same_key: int = 0
    other_key: int = 0
    least_delay_s: float | None = None
    most_delay_s: float | None = None

    def count_retry(self, delay_s: float, same_key: bool | None) -> None:
        """Count a call that followed. `same_key` is None for an operation without keys."""
        self.retried += 1
        self.same_key += same_key is True
        self.other_key += same_key is False
        self.least_delay_s = delay_s if self.least_delay_s is None else min(self.least_delay_s, delay_s)
        self.most_delay_s = delay_s if self.most_delay_s is None else max(self.most_delay_s, delay_s)

    def add(self, other: Retries) -> None:
        """Add those of another world."""
        self.met += other.met
        self.retried += other.retried
        self.same_key += other.same_key
        self.other_key += other.other_key
        least = [delay for delay in (self.least_delay_s, other.least_delay_s) if delay is not None]
        most = [delay for delay in (self.most_delay_s, other.most_delay_s) if delay is not None]
        self.least_delay_s, self.most_delay_s = min(least, default=None), max(most, default=None)


class Met(msgspec.Struct):
    """The names of the items that were met, by area, and what decides which others concern the app.

    `interfaces` were called, by credentials with the permissions in `credentials`, one entry of sorted permissions for
    each kind of credential, after its interface. `subscribed` are the event types that endpoints asked for, and
    `machines` those with a record. `uses` are the expiries that concern the app. `outcomes` are
    endings that no transition shows. `answered` are event types that the app accepted, `captured` those that giftsim
    accepted in its place. `settings` were read by the code, because what they decide
    came up. `retries` are by operation and error. The other members
    are by operation: names of parameters, of members that were sent, and of members that came with a value.
    """

    operations: set[str] = msgspec.field(default_factory=set)
    errors: set[str] = msgspec.field(default_factory=set)
    events: set[str] = msgspec.field(default_factory=set)
    transitions: set[str] = msgspec.field(default_factory=set)
    faults: set[str] = msgspec.field(default_factory=set)
    clock: set[str] = msgspec.field(default_factory=set)
    interfaces: set[str] = msgspec.field(default_factory=set)
    credentials: set[tuple[str, ...]] = msgspec.field(default_factory=set)
    subscribed: set[str] = msgspec.field(default_factory=set)
    machines: set[str] = msgspec.field(default_factory=set)
    uses: set[str] = msgspec.field(default_factory=set)
    outcomes: set[str] = msgspec.field(default_factory=set)
    captured: set[str] = msgspec.field(default_factory=set)
    answered: set[str] = msgspec.field(default_factory=set)
    settings: set[str] = msgspec.field(default_factory=set)
    parameters: dict[str, set[str]] = msgspec.field(default_factory=dict)
    sent: dict[str, set[str]] = msgspec.field(default_factory=dict)
    received: dict[str, set[str]] = msgspec.field(default_factory=dict)
    retries: dict[str, Retries] = msgspec.field(default_factory=dict)

    def area(self, name: str) -> set[str]:
        """The names that were met in an area."""
        names: set[str] = getattr(self, name)
        return names

    def add(self, other: Met) -> None:
        """Add what was met elsewhere."""
        for name in self.__struct_fields__:
            mine, others = getattr(self, name), getattr(other, name)
            if isinstance(mine, set):
                mine |= others
            else:
                _add_each(mine, others)


def _add_each(mine: dict[str, Any], others: Mapping[str, Any]) -> None:
    for name, value in others.items():
        if isinstance(value, Retries):
            mine.setdefault(name, Retries()).add(value)
        else:
            mine.setdefault(name, set()).update(value)


def merge_met(parts: Iterable[Met]) -> Met:
    """All parts together."""
    whole = Met()
    for part in parts:
        whole.add(part)
    return whole
