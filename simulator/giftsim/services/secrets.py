"""What a secret of the service looks like: how each kind is made, read and found in a text, and how it is hidden (G93).

Who makes, reads, records, shows or hides a secret takes its form from the table `KINDS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

import msgspec

from giftsim.engine.kernel.url_passwords import hide_url_passwords

REDACTED: Final = "***"

_WORLD_ID: Final = "[a-z0-9-]{1,40}"
_HEX: Final = "[0-9a-f]"
MODES: Final = ("live", "test")


class Kind(msgspec.Struct, frozen=True, dict=True):
    """A kind of secret: its `prefix`, then its mode and the world's id, if it has them, then its own part.

    `name` is that of the variables which stand for such secrets in recordings. The own part is `letters` in what a
    client may send, and `drawn` hexadecimal digits, with the `suffix`, in what the simulator draws. Of a `bare` one the
    own part alone is secret, else the whole.
    """

    name: str
    prefix: str
    drawn: int
    letters: str = "[A-Za-z0-9]{1,64}"
    modes: tuple[str, ...] = ()
    separator: str = "_"
    suffix: str = ""
    has_world: bool = True
    bare: bool = True

    def before(self, world_id: str = "", mode: str = "") -> str:
        """The text before the own part."""
        return self.make("", world_id, mode).removesuffix(self.suffix)

    def make(self, own: str, world_id: str = "", mode: str = "") -> str:
        """A secret, such as `sess_default_owner`."""
        mode_part = f"{mode}{self.separator}" if mode else ""
        world_part = f"{world_id}{self.separator}" if world_id else ""
        return f"{self.prefix}{mode_part}{world_part}{own}{self.suffix}"

    @property
    def start(self) -> str:
        """The pattern of what is before the world's id."""
        modes = f"(?:{'|'.join(self.modes)}){self.separator}" if self.modes else ""
        return re.escape(self.prefix) + modes

    @cached_property
    def form(self) -> re.Pattern[str]:
        """The pattern of a whole secret as a client sends it; its groups are the mode, the world's id and the name."""
        modes = f"(?P<mode>{'|'.join(self.modes)}){self.separator}" if self.modes else ""
        world = f"(?P<world>{_WORLD_ID}){self.separator}" if self.has_world else ""
        own = f"(?P<name>{self.letters}){re.escape(self.suffix)}"
        return re.compile(f"{re.escape(self.prefix)}{modes}{world}{own}", re.ASCII)

    @cached_property
    def drawn_form(self) -> re.Pattern[str]:
        """The pattern of one that the simulator drew, also with `${world}`; its group is the secret part.

        Only its beginning may stand within a word: a pattern that begins with a fixed text is found ten times as fast.
        """
        world = rf"(?:\$\{{world\}}|{_WORLD_ID}){self.separator}" if self.has_world else ""
        own = f"{_HEX}{{{self.drawn}}}{re.escape(self.suffix)}"
        before = f"{self.start}{world}"
        return re.compile(rf"{before}({own})\b" if self.bare else rf"({before}{own})\b")

    def digits(self, secret: str) -> str:
        """The digits of a secret part that `drawn_form` found."""
        return secret.removeprefix(self.prefix).removesuffix(self.suffix)


PARTNER_KEY: Final = Kind("key", "pk_", 16, modes=MODES)
TEAM_KEY: Final = Kind("key", "ptk_", 16, "[A-Za-z0-9-]{1,64}", modes=MODES)
SESSION: Final = Kind("session", "sess_", 20)
WEBHOOK_SECRET: Final = Kind("secret", "whsec_", 32, "[A-Za-z0-9]{8,}", has_world=False, bare=False)
CLAIM: Final = Kind("claim", "/claim/", 20, separator="/")
PREVIEW_IMAGE: Final = Kind("preview", "/previews/", 20, separator="/", suffix=".png")
# In the order in which recordings look for them.
KINDS: Final = (WEBHOOK_SECRET, CLAIM, PARTNER_KEY, TEAM_KEY, SESSION, PREVIEW_IMAGE)
KEYS: Final = {"partner": PARTNER_KEY, "team": TEAM_KEY}
CREDENTIALS: Final = (PARTNER_KEY, TEAM_KEY, SESSION)
LINKS: Final = (CLAIM, PREVIEW_IMAGE)
# A key without a name of its own is also in the name of its credential.
CREDENTIAL_NAME: Final = re.compile(rf"\.(?:{'|'.join(rf'(?<={each}[.])' for each in KEYS)})({_HEX}{{16}})\b")

# Every text that may be drawn, so that one pass over a text finds all of them.
_LENGTHS: Final = sorted({kind.drawn for kind in KINDS if kind.bare}, reverse=True)
CANDIDATE: Final = re.compile(
    "|".join(
        (
            *(f"{kind.prefix}{_HEX}{{{kind.drawn}}}" for kind in KINDS if not kind.bare),
            *(f"(?<!{_HEX}){_HEX}{{{kind.drawn}}}{re.escape(kind.suffix)}" for kind in KINDS if kind.suffix),
            f"(?<!{_HEX})(?:{'|'.join(f'{_HEX}{{{length}}}' for length in _LENGTHS)})(?!{_HEX})",
        )
    )
)


# A redacted key still shows its interface and mode, a redacted link its world.
_STARTS: Final = "|".join(kind.start for kind in (*CREDENTIALS, WEBHOOK_SECRET))
_PATHS: Final = "|".join(kind.prefix.strip("/") for kind in LINKS)
_SECRETS: Final = re.compile(
    rf"""
    ({_STARTS}) [A-Za-z0-9_.\-]+                                          # keys, webhook secrets, session tokens
    | (\\?/(?:{_PATHS})\\?/{_WORLD_ID}\\?/) [A-Za-z0-9_.%\-]+             # links, in JSON with escaped slashes too
    | (\b(?:Basic|Session)\s+) [A-Za-z0-9+/=_.\-]+                        # passwords, sessions
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What a secret begins with, in lower case. To find these takes a tenth of the time of the whole pattern.
_MARKS: Final = (
    *(kind.before(mode=mode) for kind in CREDENTIALS for mode in kind.modes or ("",)),
    WEBHOOK_SECRET.prefix,
    *(kind.prefix.rstrip("/") for kind in LINKS),
    *("basic", "session"),
)
# A value behind such a name in a query, as in `?access_token=`.
SECRET_PARAMETER: Final = re.compile(
    r"([?&;](?:code|(?:[\w.-]*[_.-])?(?:access|key|pw|sig)|[\w.-]*(?:api_?key|auth|authorization|credentials?|jwt|passw"
    r"(?:or)?d|secret|signature|token))=)([^\s&;#\"'<>\\]+)",
    re.IGNORECASE,
)


def redact(text: str) -> str:
    """The text with `***` for every secret, as the call log, traces, the activity log and the list of changes show it.

    Hidden are the kinds of the table, passwords in headers and URLs, and parameters with such names. Prefixes stay.
    """
    shown = hide_url_passwords(_redact_kinds(text), lambda _userinfo: REDACTED)
    return SECRET_PARAMETER.sub(rf"\1{REDACTED}", shown) if "=" in shown else shown


def _redact_kinds(text: str) -> str:
    """As `_SECRETS.sub`, which is tried only where a secret can begin."""
    lower = text.lower().replace("\u017f", "s")  # the long s, which the pattern takes for one in either case
    if len(lower) != len(text):
        return _SECRETS.sub(_keep_prefix, text)
    marks = [mark for mark in _MARKS if mark in lower]
    parts, end = list[str](), 0
    for start in sorted(start for mark in marks for start in _places(mark, lower)) if marks else ():
        match = _SECRETS.match(text, start) if start >= end else None
        if match is not None:
            parts += [text[end:start], _keep_prefix(match)]
            end = match.end()
    return "".join([*parts, text[end:]]) if parts else text


def _places(mark: str, text: str) -> Iterator[int]:
    """The positions of a mark in a text."""
    start = text.find(mark)
    while start >= 0:
        yield start
        start = text.find(mark, start + 1)


def _keep_prefix(match: re.Match[str]) -> str:
    return next(part for part in match.groups() if part) + REDACTED


# Whole credentials as a client may send them, for messages to it.
SENT: Final = "|".join(
    re.sub(r"\?P<\w+>", "?:", kind.form.pattern).replace("{1,64}", "+") for kind in (*CREDENTIALS, WEBHOOK_SECRET)
)
