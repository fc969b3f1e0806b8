"""What a trace hides: what the call log hides, the bare secrets of its world, and random idempotency keys (G93)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.secret_kinds import REDACTED, WEBHOOK_SECRET
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.services.secrets import CREDENTIAL_NAME, KINDS, redact
from giftsim.workbench.recording.stand_ins import looks_random

_BARE: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{16,32}(?![0-9A-Za-z])")
# Begins with a fixed text, which is found ten times as fast.
_IDEMPOTENCY: Final = re.compile(r'dempotency[_-][kK]ey\\*"\s*:\s*\\*"([^"\\]{10,})')
_WORD: Final = re.compile(r"[\w.=-]{10,}", re.ASCII)


def hide_secrets(text: str, states: Sequence[State]) -> str:
    """The JSON of a trace without the secrets of its world, wherever they stand, and else as the call log shows it.

    `states` are those that know the secrets: the last, and each that another was put in place of.
    """
    drawn = {kind.digits(secret) for kind in KINDS for secret in kind.drawn_form.findall(text)}
    secrets = drawn.union(CREDENTIAL_NAME.findall(text), *map(_secrets_of, states))
    if secrets:
        text = _BARE.sub(lambda match: REDACTED if match[0] in secrets else match[0], text)
    data = _redacted(msgspec.json.decode(_numbered_keys(text)), {})
    return msgspec.json.encode(data).decode()


def _secrets_of(state: State) -> Iterator[str]:
    """The secrets that the records of a world hold, which may stand bare in a text."""
    for own in service_of(state).secrets:
        yield from own.bare(state)
    yield from (WEBHOOK_SECRET.digits(row.secret) for row in state[ENDPOINT])


def _redacted(value: Any, known: dict[str, str]) -> Any:
    """Data in which each text is as the call log shows it; `known` are texts that were met. Names of members stay."""
    if isinstance(value, str):
        if value not in known:
            known[value] = redact(value)
        return known[value]
    if isinstance(value, dict):
        return {name: _redacted(member, known) for name, member in value.items()}
    return [_redacted(item, known) for item in value] if isinstance(value, list) else value


def _numbered_keys(text: str) -> str:
    """Random idempotency keys as `key-1`, so that one sees which calls had the same."""
    keys = dict.fromkeys(key for key in _IDEMPOTENCY.findall(text) if looks_random(key))
    names = {key: f"key-{number}" for number, key in enumerate(keys, 1)}
    return _WORD.sub(lambda match: names.get(match[0], match[0]), text) if names else text
