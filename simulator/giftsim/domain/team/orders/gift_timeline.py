"""What happened to a gift send, entry by entry (T-4.42)."""

from __future__ import annotations

from collections.abc import Sequence

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec


class TimelineEntry(Record, frozen=True, gc=False):
    """One entry of a gift (a slot): `recipient` (a slot) is None for the whole send, `status` what is so from then."""

    gift: int
    at_ms: int
    kind: str
    recipient: int | None
    status: str


TIMELINE_ENTRIES: TableSpec[TimelineEntry] = TableSpec(
    "team.gift_moment", TimelineEntry, groups={"gift": lambda row: row.gift}
)


def add_timeline_entry(state: State, gift: int, kind: str, status: str, recipient: int | None = None) -> None:
    """Write down that something happened now."""
    table = state[TIMELINE_ENTRIES]
    table.add(TimelineEntry(table.next_n, gift, state.now_ms, kind, recipient, status))


def timeline(state: State, gift: int) -> Sequence[TimelineEntry]:
    """The history of a gift, oldest first."""
    return state[TIMELINE_ENTRIES].rows_in("gift", gift)
