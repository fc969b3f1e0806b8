"""Stand-ins for secrets that a client put into paths and bodies, and that no world has given out (G93).

These are user names and passwords in URLs, tokens in queries, and webhook secrets of others. A stand-in has the form
and the length of what it stands for, so that a replay gets the same verdict; it takes its place in the responses too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from giftsim.control.redaction import SECRET_PARAMETER
from giftsim.kernel.url_passwords import HIDDEN, hide_url_passwords
from giftsim.recording.variables import map_strings

Step = dict[str, Any]

_RESPONSE: Final = "recorded"
_NESTED: Final = "on_delivery"
_WEBHOOK_SECRET: Final = re.compile(r"(?<=whsec_)[A-Za-z0-9+/=_-]{8,}")
_ASCII, _OTHER = "x", "\u00fc"


def replace_foreign_secrets(steps: Sequence[Step]) -> list[Step]:
    """The steps with stand-ins. The check of the final state is left out if what a client stored is among them."""
    requests = [{name: member for name, member in step.items() if name != _RESPONSE} for step in _flat(steps)]
    secrets = {secret for text in _texts(requests) for secret in _WEBHOOK_SECRET.findall(text)}

    def replace(text: str) -> str:
        text = hide_url_passwords(text, _stand_in)
        return _WEBHOOK_SECRET.sub(lambda match: _stand_in(match[0]) if match[0] in secrets else match[0], text)

    replaced = [_without_parameters(map_strings(step, replace)) for step in steps]
    if not any(_stores_another(*pair) for pair in zip(_flat(steps), _flat(replaced), strict=True)):
        return replaced
    return [step for step in replaced if "fingerprint" not in step.get("expect", {})]


def _without_parameters(step: Step) -> Step:
    """The step with stand-ins for tokens in the query of its call; no operation reads any."""
    if "call" in step:
        step["call"] = SECRET_PARAMETER.sub(lambda match: match[1] + _stand_in(match[2]), step["call"])
    for entry in step.get(_NESTED, ()):
        entry["steps"] = [_without_parameters(nested) for nested in entry["steps"]]
    return step


def _stand_in(secret: str) -> str:
    if secret == HIDDEN:  # the simulator's own message
        return secret
    return "".join(_ASCII if character.isascii() else _OTHER for character in secret)


def _stores_another(before: Step, after: Step) -> bool:
    """Whether a step sends another body than before, and is not refused for it."""
    bodies = [
        {name: member for name, member in step.items() if name not in ("call", _RESPONSE)} for step in (before, after)
    ]
    return bodies[0] != bodies[1] and after.get(_RESPONSE, {}).get("status", 0) < 400


def _flat(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps, each followed by those of its deliveries; a step by itself has none of them."""
    for step in steps:
        yield {name: member for name, member in step.items() if name != _NESTED}
        for entry in step.get(_NESTED, ()):
            yield from _flat(entry["steps"])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _texts(member)
