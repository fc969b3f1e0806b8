"""The service's credentials: read from the environment, sent in headers, and hidden in everything that is written."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from giftsim.workbench.compare.target import CannotCompare

HIDDEN = "***"
SHORTEST = 6  # a shorter text cannot be hidden without hiding much else
_NAME = re.compile(r"(?:partner|team|session)\.[A-Za-z0-9_.-]{1,60}|museum")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,80}")
_WHOLE_HEADER = re.compile(r"(Authorization|Cookie|X-API-Key): *(\S.*)", re.IGNORECASE)


class Credentials:
    """The headers of each credential by its name, and all texts that no output may have."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.headers: Mapping[str, Mapping[str, str]] = {name: _headers(name, text) for name, text in values.items()}
        secrets = {secret for text in values.values() for secret in _secrets(text)}
        secrets |= {secret for sent in self.headers.values() for text in sent.values() for secret in _secrets(text)}
        # The longest first, so that no part of it is left over.
        self._secrets = sorted((text for text in secrets if len(text) >= SHORTEST), key=len, reverse=True)

    def hide(self, text: str) -> str:
        """The text without the credentials."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text


NO_CREDENTIALS = Credentials({})


def read_credentials(options: Iterable[str], environ: Mapping[str, str]) -> Credentials:
    """The credentials that `NAME=VARIABLE` options name; CannotCompare says what is wrong, and never shows a value."""
    return Credentials(dict(_read(option, environ) for option in options))


def _read(option: str, environ: Mapping[str, str]) -> tuple[str, str]:
    name, _, variable = option.partition("=")
    if not _NAME.fullmatch(name):
        raise CannotCompare(
            "--credential takes NAME=VARIABLE, where NAME is that of a credential in scenarios: partner.prepaid, "
            "team.test, session.owner, museum"
        )
    if not _VARIABLE.fullmatch(variable):  # perhaps the secret itself, which is not repeated
        raise CannotCompare(
            f"--credential {name}=...: behind = stands the name of an environment variable, such as PARTNER_KEY, "
            "and not the credential"
        )
    value = environ.get(variable, "").strip()
    if not value:
        raise CannotCompare(f"--credential {name}={variable}: the environment has no variable {variable}")
    if not value.isascii() or not value.isprintable():
        raise CannotCompare(f"--credential {name}={variable}: the value has characters that no header can have")
    return name, value


def _headers(name: str, value: str) -> Mapping[str, str]:
    """The header of a value, which may be a whole header; else it is sent as the interface's documents say."""
    if whole := _WHOLE_HEADER.fullmatch(value):
        return {whole[1]: whole[2]}
    if name == "museum":
        if ":" not in value:
            raise CannotCompare("--credential museum=...: the value of the variable must be user:password")
        return {"Authorization": f"Basic {b64encode(value.encode()).decode()}"}
    return {"Authorization": f"{'Session' if name.startswith('session.') else 'Bearer'} {value}"}


def _secrets(text: str) -> Iterator[str]:
    """A text and its parts in the forms in which they could come back."""
    for part in (text, text.partition(" ")[2], text.partition(": ")[2], text.partition(":")[2], text.partition("=")[2]):
        yield from (part.strip(), quote(part, safe=""), b64encode(part.encode()).decode())
