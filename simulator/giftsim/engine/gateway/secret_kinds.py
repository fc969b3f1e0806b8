"""What a secret looks like: how each kind is made, read and found in a text, and how it is hidden (G93).

Who makes, reads, records, shows or hides a secret takes its form from its kind. Each service names its kinds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.url_passwords import hide_url_passwords

REDACTED: Final = "***"

_WORLD_ID: Final = "[a-z0-9-]{1,40}"
HEX: Final = "[0-9a-f]"


class SecretKind(msgspec.Struct, frozen=True, dict=True):
    """A kind of secret: its `prefix`, then its mode and the world's id, if it has them, then its own part.

    `name` is that of the variables which stand for such secrets in recordings. The own part is `letters` in what a
    client may send, and `drawn` hexadecimal digits, with the `suffix`, in what the simulator draws. Of a `bare` one the
    own part alone is secret, else the whole. `scheme` is the word before one in `Authorization`, if that is not Bearer.
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
    scheme: str = ""

    def before(self, world_id: str = "", mode: str = "") -> str:
        """The text before the own part."""
        return self.make("", world_id, mode).removesuffix(self.suffix)

    def make(self, own: str, world_id: str = "", mode: str = "") -> str:
        """A secret, such as `sess_default_owner`."""
        mode_part = f"{mode}{self.separator}" if mode else ""
        world_part = f"{world_id}{self.separator}" if world_id else ""
        return f"{self.prefix}{mode_part}{world_part}{own}{self.suffix}"

    @property
    def is_link(self) -> bool:
        """Whether the secret is the end of a path."""
        return self.separator == "/"

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
        own = f"{HEX}{{{self.drawn}}}{re.escape(self.suffix)}"
        before = f"{self.start}{world}"
        return re.compile(rf"{before}({own})\b" if self.bare else rf"({before}{own})\b")

    def digits(self, secret: str) -> str:
        """The digits of a secret part that `drawn_form` found."""
        return secret.removeprefix(self.prefix).removesuffix(self.suffix)


WEBHOOK_SECRET: Final = SecretKind("secret", "whsec_", 32, "[A-Za-z0-9]{8,}", has_world=False, bare=False)

# A value behind such a name in a query, as in `?access_token=`.
SECRET_PARAMETER: Final = re.compile(
    r"([?&;](?:code|(?:[\w.-]*[_.-])?(?:access|key|pw|sig)|[\w.-]*(?:api_?key|auth|authorization|credentials?|jwt|passw"
    r"(?:or)?d|secret|signature|token))=)([^\s&;#\"'<>\\]+)",
    re.IGNORECASE,
)

_AUTHORIZATION, _API_KEY = "authorization", "x-api-key"
# Headers whose values the call log shows: those that giftsim reads, and standard ones that hold no credential. In any
# other a client may send a token of its own.
_SHOWN = frozenset(
    (
        *("accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection"),
        *("content-encoding", "content-language", "content-length", "content-type", "date", "dnt", "expect", "from"),
        *("host", "idempotency-key", "if-match", "if-modified-since", "if-none-match", "if-range"),
        *("if-unmodified-since", "keep-alive", "max-forwards", "mcp-protocol-version", "origin", "pragma", "prefer"),
        *("priority", "range", "referer", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "sec-fetch-user", "te"),
        *(
            "traceparent",
            "tracestate",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "upgrade-insecure-requests",
            "user-agent",
            "via",
        ),
        *("x-correlation-id", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-request-id"),
        *("mcp-method", "mcp-name", "x-requested-with", "x-sim-fault", "x-sim-source", "x-sim-world"),
    )
)
_WHOLE_HEADERS = ("cookie", "set-cookie", "proxy-authorization")
_BASIC: Final = "Basic"  # HTTP's own scheme with a password

Headers = tuple[tuple[str, str], ...]


class Secrets(msgspec.Struct, frozen=True):
    """The secrets of a service, which lists, recordings and traces hide.

    `kinds` say what they look like. `bare(state)` are those in records that may stand alone in a text.
    `lookups(state, secret)` are calls of the control API whose answer shows one, each with the JSONPath there.
    """

    kinds: Sequence[SecretKind]
    bare: Callable[[State], Iterable[str]] = lambda _state: ()
    lookups: Callable[[State, str], Iterable[tuple[str, str]]] = lambda _state, _secret: ()


class SecretTable:
    """The kinds of secrets of some services, and how each text is shown without them.

    A redacted key still shows its interface and mode, a redacted link its world.
    """

    def __init__(self, kinds: Sequence[SecretKind]) -> None:
        texts, links = [kind for kind in kinds if not kind.is_link], [kind for kind in kinds if kind.is_link]
        schemes = (_BASIC, *(kind.scheme for kind in kinds if kind.scheme))
        self._secrets = _pattern(texts, links, schemes)
        # What a secret begins with, in lower case. To find these takes a tenth of the time of the whole pattern.
        self._marks = (
            *(kind.before(mode=mode) for kind in texts for mode in kind.modes or ("",)),
            *(kind.prefix.rstrip("/") for kind in links),
            *(scheme.lower() for scheme in schemes),
        )
        keys = "|".join(kind.start for kind in texts if kind.modes)
        self._bearer = re.compile(rf"(Bearer\s+)({keys})?\S+", re.IGNORECASE)

    def redact(self, text: str) -> str:
        """The text with `***` for each secret, as the call log, traces, the activity log and the feed show it.

        Hidden are the kinds of the table, passwords in headers and URLs, and parameters with such names. Prefixes stay.
        """
        shown = hide_url_passwords(self._redact_kinds(text), lambda _userinfo: REDACTED)
        return SECRET_PARAMETER.sub(rf"\1{REDACTED}", shown) if "=" in shown else shown

    def redact_request_headers(self, headers: Headers) -> dict[str, str]:
        """The headers of a client. Bearer tokens keep the prefix of a key, and unknown headers only their names."""
        return {name: self._redact_request_header(name.lower(), value) for name, value in headers}

    def redact_response_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The headers of a response, with every secret replaced."""
        return {
            name: REDACTED if name.lower() in _WHOLE_HEADERS else self.redact(value) for name, value in headers.items()
        }

    def _redact_kinds(self, text: str) -> str:
        """As `sub` of the pattern of all kinds, which is tried only where a secret can begin."""
        lower = text.lower().replace("\u017f", "s")  # the long s, which the pattern takes for one in either case
        if len(lower) != len(text):
            return self._secrets.sub(_keep_prefix, text)
        marks = [mark for mark in self._marks if mark in lower]
        parts, end = list[str](), 0
        for start in sorted(start for mark in marks for start in _places(mark, lower)) if marks else ():
            match = self._secrets.match(text, start) if start >= end else None
            if match is not None:
                parts += [text[end:start], _keep_prefix(match)]
                end = match.end()
        return "".join([*parts, text[end:]]) if parts else text

    def _redact_request_header(self, name: str, value: str) -> str:
        """The value of a header; a client may send a token in any that giftsim does not know."""
        if name == _AUTHORIZATION:
            return self._redact_authorization(value)
        if name == _API_KEY:
            return self._redact_authorization(f"Bearer {value}").removeprefix("Bearer ")
        return self.redact(value) if name in _SHOWN else REDACTED

    def _redact_authorization(self, value: str) -> str:
        if match := self._bearer.fullmatch(value.strip()):
            return f"{match[1]}{match[2] or ''}{REDACTED}"
        scheme = value.split(" ", 1)[0]
        return f"{scheme} {REDACTED}" if " " in value else REDACTED


def _pattern(texts: Sequence[SecretKind], links: Sequence[SecretKind], schemes: Sequence[str]) -> re.Pattern[str]:
    """Any secret; the group of each kind is what stays."""
    parts = [rf"(\b(?:{'|'.join(schemes)})\s+)[A-Za-z0-9+/=_.\-]+"]  # passwords, sessions
    if links:  # in JSON with escaped slashes too
        paths = "|".join(kind.prefix.strip("/") for kind in links)
        parts.insert(0, rf"(\\?/(?:{paths})\\?/{_WORLD_ID}\\?/)[A-Za-z0-9_.%\-]+")
    if texts:
        parts.insert(0, rf"({'|'.join(kind.start for kind in texts)})[A-Za-z0-9_.\-]+")
    return re.compile("|".join(parts), re.IGNORECASE)


def _places(mark: str, text: str) -> Iterator[int]:
    """The positions of a mark in a text."""
    start = text.find(mark)
    while start >= 0:
        yield start
        start = text.find(mark, start + 1)


def _keep_prefix(match: re.Match[str]) -> str:
    return next(part for part in match.groups() if part) + REDACTED
