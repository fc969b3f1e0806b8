"""Mail that the service would send; nothing is ever sent. The newest are kept (G11)."""

from __future__ import annotations

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

KEPT = 10_000


class Mail(Record, frozen=True, gc=False):
    """One letter; `links` are paths of ours with a slot for the world's id (G1)."""

    at_ms: int
    to: str
    kind: str
    subject: str
    links: tuple[str, ...]


MAILS: TableSpec[Mail] = TableSpec("mails", Mail)


def post_mail(state: State, to: str, kind: str, subject: str, links: tuple[str, ...] = ()) -> Mail:
    """Write a letter; the oldest one makes room."""
    table = state[MAILS]
    n = table.next_n
    if n >= KEPT:
        table.drop(n - KEPT)
    return table.add(Mail(n, state.now_ms, to, kind, subject, links))


def first_kept(state: State) -> int:
    """The slot of the oldest letter that is still there: asking for earlier ones is asking for what was dropped."""
    return max(0, state[MAILS].next_n - KEPT)
