"""Mails that the service would send. They are only recorded, and the newest are kept (G11). Some bounce (G458)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import InvalidState

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


class Bounce(Record, frozen=True, gc=False):
    """A mail (a slot) that did not reach anybody; `token` is that of its claim link."""

    mail: int
    at_ms: int
    token: str


MAILS: TableSpec[Mail] = TableSpec("mails", Mail)
BOUNCES: TableSpec[Bounce] = TableSpec(
    "mail bounces", Bounce, unique={"mail": "mail"}, groups={"token": "token"}, sparse=True
)


def record_mail(state: State, to: str, kind: str, subject: str, links: tuple[str, ...] = ()) -> Mail:
    """Record a mail; beyond MAX_MAILS, the oldest one is dropped."""
    table = state[MAILS]
    n = table.next_n
    if n >= MAX_MAILS:
        table.drop(n - MAX_MAILS)
    return table.add(Mail(n, state.now_ms, to, kind, subject, links))


def bounce_mail(state: State, mail: Mail) -> Bounce:
    """Let a mail bounce: its claim link still works, but nobody has it. InvalidState if it has bounced before."""
    if state[BOUNCES].find("mail", mail.n) is not None:
        raise InvalidState(f"mail {mail.n + 1} has bounced already: a new link is sent in a new mail")
    return state[BOUNCES].add(Bounce(state[BOUNCES].next_n, mail.n, state.now_ms, link_token(mail)))


def link_token(mail: Mail) -> str:
    """The token of the claim link in a mail."""
    return mail.links[0].rpartition("/")[2]


def mail_with_link(state: State, token: str) -> Mail | None:
    """The mail with the claim link of a token, if it is still kept."""
    slots = range(state[MAILS].next_n - 1, oldest_slot(state) - 1, -1)
    return next((mail for mail in map(state[MAILS].get, slots) if link_token(mail) == token), None)


def bounces_of(state: State, token: str | None) -> Sequence[Bounce]:
    """The bounces of mails with the claim link of a token."""
    return state[BOUNCES].rows_in("token", token) if token and state[BOUNCES].next_n else ()


def oldest_slot(state: State) -> int:
    """The slot of the oldest mail that is still kept."""
    return max(0, state[MAILS].next_n - MAX_MAILS)


def mail_text(mail: Mail, links: Sequence[str]) -> str:
    """The text of a mail with full `links`. It depends only on the kind and the subject (G155)."""
    return f"Hello,\n\n{mail.subject}.\n\n{_TEXTS[mail.kind].format(links=chr(10).join(links))}\n"
