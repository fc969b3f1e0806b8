"""What a trace hides: all that a recording hides, in every text of it, and random idempotency keys as `key-1` (G93)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from giftsim.control.redaction import REDACTED, SECRET_PARAMETER, redact_text
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, PartnerOrder
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.kernel.state import State
from giftsim.kernel.url_passwords import hide_url_passwords
from giftsim.recording.stand_ins import looks_random
from giftsim.webhooks.endpoint import ENDPOINT

_BARE: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{16,32}(?![0-9A-Za-z])")
# Begins with a fixed text, which is found ten times as fast.
_IDEMPOTENCY: Final = re.compile(r'dempotency[_-][kK]ey\\*"\s*:\s*\\*"([^"\\]{10,})')
_WORD: Final = re.compile(r"[\w.=-]{10,}", re.ASCII)
# The secrets that `recording.secrets` finds, by patterns that begin with a fixed text, which are ten times as fast.
_SHAPES: Final = (
    re.compile(r"whsec_([0-9a-f]{32})\b"),
    re.compile(r"/claim/[a-z0-9-]{1,40}/([0-9a-f]{20})\b"),
    re.compile(r"k_(?:live|test)_[a-z0-9-]{1,40}_([0-9a-f]{16})\b"),
    re.compile(r"\.(?:(?<=partner\.)|(?<=team\.))([0-9a-f]{16})\b"),
    re.compile(r"sess_[a-z0-9-]{1,40}_([0-9a-f]{20})\b"),
    re.compile(r"/previews/[a-z0-9-]{1,40}/([0-9a-f]{20})\.png\b"),
)
# `redact_text` in parts of the same kind, for texts in their usual case.
_USUAL: Final = (
    ("k_live_", re.compile(r"(k_live_)[A-Za-z0-9_.\-]+")),
    ("k_test_", re.compile(r"(k_test_)[A-Za-z0-9_.\-]+")),
    ("whsec_", re.compile(r"(whsec_)[A-Za-z0-9_.\-]+")),
    ("sess_", re.compile(r"(sess_)[A-Za-z0-9_.\-]+")),
    ("/claim/", re.compile(r"(/claim/[a-z0-9-]{1,40}/)[A-Za-z0-9_.%\-]+")),
    ("basic ", re.compile(r"(\bBasic +)[A-Za-z0-9+/=_.\-]+", re.IGNORECASE)),
    ("session ", re.compile(r"(\bSession +)[A-Za-z0-9+/=_.\-]+", re.IGNORECASE)),
)
_URL: Final = re.compile(r"//[^\s/?#\"'<>\\]*(?:@|%40)")
_UNUSUAL: Final = ("%2f", "\\/")  # slashes that are escaped


def hide_secrets(text: str, state: State) -> str:
    """A text without the secrets of a world, wherever they stand in it, and without credentials of others."""
    secrets = {secret for shape in _SHAPES for secret in shape.findall(text)}.union(_secrets_of(state))
    if secrets:
        text = _BARE.sub(lambda match: REDACTED if match[0] in secrets else match[0], text)
    return _redacted(_numbered_keys(text))


def _secrets_of(state: State) -> Iterator[str]:
    """The secrets that the records of a world hold, which may stand bare in a text."""
    yield from (row.token for row in state[RECIPIENTS] if row.token)
    yield from (row.share_token for row in state[FULFILMENTS] if isinstance(row, PartnerOrder) and row.share_token)
    yield from (row.secret.removeprefix("whsec_") for row in state[ENDPOINT])


def _redacted(text: str) -> str:
    """As `redact_text`."""
    lower = text.lower()
    found = [(begin, shape) for begin, shape in _USUAL if begin in lower]
    if any(begin in lower for begin in _UNUSUAL) or any(
        lower.count(begin) != text.count(begin) for begin, _ in found if not begin.endswith(" ")
    ):
        return redact_text(text)
    for _, shape in found:
        text = shape.sub(rf"\1{REDACTED}", text)
    if _URL.search(text):
        text = hide_url_passwords(text, lambda _: REDACTED)
    return SECRET_PARAMETER.sub(rf"\1{REDACTED}", text)


def _numbered_keys(text: str) -> str:
    """Random idempotency keys as `key-1`, so that one sees which calls had the same."""
    keys = dict.fromkeys(key for key in _IDEMPOTENCY.findall(text) if looks_random(key))
    names = {key: f"key-{number}" for number, key in enumerate(keys, 1)}
    return _WORD.sub(lambda match: names.get(match[0], match[0]), text) if names else text
