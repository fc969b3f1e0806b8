"""The double-entry ledger of money: the postings of each entry sum to zero."""

from __future__ import annotations

from collections.abc import Iterable

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

OUTSIDE = "outside"
Posting = tuple[str, int]


class Entry(Record, frozen=True, gc=False):
    """One movement of money: `postings` are (ledger account, cents) pairs, positive for the account that receives.

    `owner` is the owner of the ledger accounts, such as `account 3`; `ref` is what was paid, such as `team_order 1001`.
    """

    at_ms: int
    kind: str
    owner: str
    ref: str
    postings: tuple[Posting, ...]


class Unbalanced(Exception):
    """The postings of an entry do not sum to zero, which is a bug."""


ENTRIES: TableSpec[Entry] = TableSpec("ledger", Entry, groups={"owner": "owner"})


def post_entry(state: State, kind: str, owner: str, ref: str, postings: Iterable[Posting]) -> Entry:
    """Add an entry, without postings of zero cents; Unbalanced unless it sums to zero."""
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
    """The balance of an owner's ledger account, computed from all its entries; for reports and tests."""
    entries = state[ENTRIES].rows_in("owner", owner)
    return sum(cents for entry in entries for posted, cents in entry.postings if posted == name)
