"""Mails that the service would send. They are only recorded, and the newest are kept (G11)."""

from __future__ import annotations

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

MAX_MAILS = 10_000


class Mail(Record, frozen=True, gc=False):
    """One mail; `links` are paths that contain the placeholder of the world's id (G1)."""

    at_ms: int
    to: str
    kind: str
    subject: str
    links: tuple[str, ...]


MAILS: TableSpec[Mail] = TableSpec("mails", Mail)


def record_mail(state: State, to: str, kind: str, subject: str, links: tuple[str, ...] = ()) -> Mail:
    """Record a mail; beyond MAX_MAILS, the oldest one is dropped."""
    table = state[MAILS]
    n = table.next_n
    if n >= MAX_MAILS:
        table.drop(n - MAX_MAILS)
    return table.add(Mail(n, state.now_ms, to, kind, subject, links))


def oldest_slot(state: State) -> int:
    """The slot of the oldest mail that is still kept."""
    return max(0, state[MAILS].next_n - MAX_MAILS)
