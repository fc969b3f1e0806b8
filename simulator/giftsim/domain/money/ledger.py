"""The ledger: double entry, so that money never comes from nowhere; each entry sums to zero."""

from __future__ import annotations

from collections.abc import Iterable

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

OUTSIDE = "outside"
Posting = tuple[str, int]


class Entry(Record, frozen=True, gc=False):
    """One movement of money: `postings` are (ledger account, cents) with plus for what it receives.

    `owner` says whose books it stands in, like `account 3`; `ref` what it is about, like `team_order 1001`.
    """

    at_ms: int
    kind: str
    owner: str
    ref: str
    postings: tuple[Posting, ...]


class Unbalanced(Exception):
    """An entry that does not sum to zero: a bug."""


ENTRIES: TableSpec[Entry] = TableSpec("ledger", Entry, groups={"owner": lambda entry: entry.owner})


def post_entry(state: State, kind: str, owner: str, ref: str, postings: Iterable[Posting]) -> Entry:
    """Write an entry, without postings of nothing; Unbalanced unless it sums to zero."""
    kept, total_cents = [], 0
    for posting in postings:
        if posting[1]:
            kept.append(posting)
            total_cents += posting[1]
    if total_cents:
        raise Unbalanced(f"{kind} for {ref} does not sum to zero: {kept}")
    table = state[ENTRIES]
    return table.add(Entry(table.next_n, state.now_ms, kind, owner, ref, tuple(kept)))


def balance_cents(state: State, owner: str, name: str) -> int:
    """What a ledger account holds by the entries in an owner's books (walks them: for reports and proofs)."""
    entries = state[ENTRIES].rows_in("owner", owner)
    return sum(cents for entry in entries for posted, cents in entry.postings if posted == name)
