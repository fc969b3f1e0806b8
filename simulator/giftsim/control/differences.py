"""What differs between two states: rows by their slots, and the entries that only one of them has (G163).

Tables that two worlds still share are not looked at, and neither are rows that are the same object, so a fork that has
gone its own way for a while is compared in a fraction of a second, however much it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import compress
from operator import is_not
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from giftsim.domain.access.api_key import API_KEYS
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.mail import MAILS, Mail
from giftsim.domain.money.ledger import ENTRIES, Entry
from giftsim.domain.team.session import SESSIONS
from giftsim.kernel.state import State
from giftsim.kernel.table import Record
from giftsim.webhooks.attempt import ATTEMPT, Attempt
from giftsim.webhooks.event import EVENT, Event

R = TypeVar("R", bound=Record)
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
# What follows from a world's id, from its seed or from the time of a machine, and what a tester must not see.
LEFT_OUT = frozenset(
    {"n", "token", "share_token", "secret", "fingerprint", "links", "data", "headers", "body", "mark", "serial"}
)
# The name of a key or a session is the end of its text; the tally of an order follows from its parcels.
HIDDEN = {
    API_KEYS.name: LEFT_OUT | {"name"}, SESSIONS.name: LEFT_OUT | {"name"}, FULFILMENTS.name: LEFT_OUT | {"tally"},
}  # fmt: skip


def _event_key(event: Event) -> object:
    return event.kind, event.owner, event.subject, event.facts, event.occurred_ms


def _entry_key(entry: Entry) -> object:
    return entry.kind, entry.owner, entry.ref, entry.at_ms, entry.postings


def _mail_key(mail: Mail) -> object:
    return mail.kind, mail.to, mail.subject, mail.at_ms


def _attempt_key(attempt: Attempt) -> object:
    return attempt.kind, attempt.endpoint, attempt.number, attempt.at_ms, attempt.outcome, attempt.status


# Tables that only grow. Their slots say the order of things, not what they are: they are compared by these keys.
LOGS: Mapping[str, Callable[[Any], object]] = MappingProxyType(
    {EVENT.name: _event_key, ENTRIES.name: _entry_key, MAILS.name: _mail_key, ATTEMPT.name: _attempt_key}
)


class Difference(NamedTuple):
    """A row of a table that only one state has, or that differs; `this` is None if it was added, `other` if removed."""

    table: str
    this: Record | None
    other: Record | None

    @property
    def what(self) -> str:
        """Whether the other state has it in addition, lacks it, or has it changed."""
        return ADDED if self.this is None else REMOVED if self.other is None else CHANGED

    @property
    def members(self) -> list[str]:
        """The members that differ."""
        if self.this is None or self.other is None:
            return []
        this, other, hidden = self.this, self.other, HIDDEN.get(self.table, LEFT_OUT)
        names = (name for name in this.__struct_fields__ if name not in hidden)
        return [name for name in names if getattr(this, name) != getattr(other, name)]


def differences(this: State, other: State) -> dict[str, list[Difference]]:
    """All rows that differ, by table; a table without any is left out."""
    found = {}
    for name, table in this.tables.items():
        if table.spec.hashed and table.rows is not other.tables[name].rows:
            rows = list(_differing(name, table.rows, other.tables[name].rows))
            if rows:
                found[name] = rows
    return found


def _differing(name: str, this: list[Any], other: list[Any]) -> Iterator[Difference]:
    common = min(len(this), len(other))
    slots = compress(range(common), map(is_not, this, other))
    pairs = [(this[n], other[n]) for n in slots]
    pairs += [(row, None) for row in this[common:]] + [(None, row) for row in other[common:]]
    if name in LOGS:
        yield from _only_in_one(name, LOGS[name], pairs)
        return
    for left, right in pairs:
        if left is None and right is None:
            continue
        if left is None or right is None or Difference(name, left, right).members:
            yield Difference(name, left, right)


def _only_in_one(
    name: str, key_of: Callable[[Any], object], pairs: list[tuple[Record | None, Record | None]]
) -> Iterator[Difference]:
    """The entries of a log that only one state has, whatever their order."""
    this, other = ([row for row in rows if row is not None] for rows in zip(*pairs, strict=True)) if pairs else ((), ())
    in_this, in_other = Counter(map(key_of, this)), Counter(map(key_of, other))
    more_in_this, more_in_other = in_this - in_other, in_other - in_this
    yield from (Difference(name, row, None) for row in this if _take(more_in_this, key_of(row)))
    yield from (Difference(name, None, row) for row in other if _take(more_in_other, key_of(row)))


def _take(counts: Counter[object], key: object) -> bool:
    """Whether one more of a key is left, which is taken."""
    if counts[key] <= 0:
        return False
    counts[key] -= 1
    return True


def settings_that_differ(this: State, other: State) -> dict[str, tuple[Any, Any]]:
    """The settings that differ, with the values of both."""
    settings = this.definitions.settings
    values = (
        (name, [state.setting_values.get(name, settings[name].default) for state in (this, other)]) for name in settings
    )
    return {name: (left, right) for name, (left, right) in values if left != right}


def postings_by_account(entries: list[Entry]) -> Counter[str]:
    """The cents that entries move to each ledger account."""
    totals: Counter[str] = Counter()
    for entry in entries:
        for account, cents in entry.postings:
            totals[account] += cents
    return totals
