"""Mails that the service would send. They are only recorded, and the newest are kept (G11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec

MAX_MAILS = 10_000
CLAIM_LINK, SHARED_CLAIM_LINK = "claim_link", "shared_claim_link"
_TEXTS: Final[Mapping[str, str]] = {
    CLAIM_LINK: (
        "Open this link to see your gift, and to say where it shall go:\n\n{links}\n\n"
        "The link is yours: whoever opens it can claim the gift."
    ),
    SHARED_CLAIM_LINK: (
        "Send this link to the people who shall get a gift. Each of them enters a name and an address:\n\n{links}"
        "\n\nThe first to open it claim a gift, until none is left."
    ),
}


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


def mail_text(mail: Mail, links: Sequence[str]) -> str:
    """The text of a mail with full `links`. It depends only on the kind and the subject (G155)."""
    return f"Hello,\n\n{mail.subject}.\n\n{_TEXTS[mail.kind].format(links=chr(10).join(links))}\n"
