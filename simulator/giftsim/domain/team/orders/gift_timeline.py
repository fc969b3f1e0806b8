"""The timeline of a gift send (T-4.42)."""

from __future__ import annotations

from collections.abc import Sequence

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec


class TimelineEntry(Record, frozen=True, gc=False):
    """One entry for a gift (a slot): `recipient` (a slot) is None for the whole send, `status` is the new status."""

    gift: int
    at_ms: int
    kind: str
    recipient: int | None
    status: str


TIMELINE_ENTRIES: TableSpec[TimelineEntry] = TableSpec("team.gift_moment", TimelineEntry, groups={"gift": "gift"})


def add_timeline_entry(state: State, gift: int, kind: str, status: str, recipient: int | None = None) -> None:
    """Add an entry at the present instant."""
    table = state[TIMELINE_ENTRIES]
    table.add(TimelineEntry(table.next_n, gift, state.now_ms, kind, recipient, status))


def timeline(state: State, gift: int) -> Sequence[TimelineEntry]:
    """The entries of a gift, oldest first."""
    return state[TIMELINE_ENTRIES].rows_in("gift", gift)
