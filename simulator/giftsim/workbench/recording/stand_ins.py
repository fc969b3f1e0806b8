"""Stand-ins for what a recording must not keep: secrets, credentials of others, random idempotency keys (G93)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log2
from typing import Any, Final

from giftsim.engine.gateway.secret_kinds import SECRET_PARAMETER, WEBHOOK_SECRET
from giftsim.engine.kernel.url_passwords import HIDDEN, hide_url_passwords
from giftsim.services.secrets import CREDENTIALS
from giftsim.workbench.recording.world_text import NESTED, RESPONSE, collect_texts
from giftsim.workbench.scenario.variables import map_texts

Step = dict[str, Any]

# Keys and sessions in the form of this service: what stays, and the end that may be a secret.
_STARTS: Final = "|".join(kind.start for kind in CREDENTIALS)
_OURS: Final = re.compile(rf"((?:{_STARTS})(?:\$\{{world\}}|[a-z0-9-]{{1,40}})_)(\S+)", re.ASCII)
_RANDOM: Final = re.compile(r"[0-9a-f]{16,}")
_THIS_WORLD: Final = "${world}"
_PART: Final = re.compile(r"\S+")
_SESSION_COOKIE: Final = re.compile(r"(?:^|;)\s*session=([^;\s]+)")
_WHOLE: Final = ("x-api-key",)
UNAUTHORIZED: Final = 401


class ForeignCredentials:
    """The foreign credentials of one recording; each has its own replacement, so that two stay two."""

    def __init__(self) -> None:
        self._replacements: dict[str, str] = {}

    def process(self, steps: Sequence[Step]) -> list[Step]:
        """The steps without foreign credentials."""
        return [self._step(step) for step in steps]

    def _step(self, step: Step) -> Step:
        if "on_delivery" in step:
            entries = [{**entry, "steps": self.process(entry["steps"])} for entry in step["on_delivery"]]
            return {**step, "on_delivery": entries}
        if "headers" not in step:
            return step
        refused = step.get("recorded", {}).get("status") == UNAUTHORIZED
        headers = {
            name: kept
            for name, value in step["headers"].items()
            if (kept := self._header(name, value, refused=refused)) or not value
        }
        rest = {name: member for name, member in step.items() if name != "headers"}
        if not headers:
            return rest
        return {name: headers if name == "headers" else member for name, member in step.items()}

    def _header(self, name: str, value: str, *, refused: bool) -> str:
        """The header without foreign credentials; "" to leave it out. `refused` is whether the call was."""
        lower = name.lower()
        if lower == "authorization":
            scheme, space, credential = value.partition(" ")
            hidden = self._hide(credential if space else value, refused=refused)
            return f"{scheme} {hidden}" if space else hidden
        if lower in _WHOLE:
            return self._hide(value, refused=refused)
        if lower == "cookie":
            session = _SESSION_COOKIE.search(value)
            return f"session={self._hide(session[1], refused=refused)}" if session else ""
        return value

    def _hide(self, credential: str, *, refused: bool) -> str:
        return _PART.sub(lambda match: self._replacement(match[0], refused=refused), credential)

    def _replacement(self, word: str, *, refused: bool) -> str:
        """The word itself if it may be a credential of this world."""
        ours = _OURS.fullmatch(word)
        if ours is None:
            return self._unknown(word)
        known = _THIS_WORLD in ours[1] and not (refused and _RANDOM.search(ours[2]))
        return word if known else ours[1] + self._unknown(ours[2])

    def _unknown(self, secret: str) -> str:
        return self._replacements.setdefault(secret, f"unknown{len(self._replacements) + 1}")


_HEADER: Final = "idempotency-key"
_MEMBER: Final = "idempotency_key"
_IN_TEXT: Final = re.compile(rf'("{_MEMBER}"\s*:\s*")([^"\\]+)(?=")')
_RANDOM_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
_KEYLIKE: Final = re.compile(r"(?=.*[0-9])[\w.=-]{10,}", re.ASCII)
_MOST_BITS: Final = 3.5  # per character; more looks random


class IdempotencyKeys:
    """The random keys of one recording, each with its variable; `values` are the variables for the head."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    @property
    def values(self) -> dict[str, str]:
        """The keys by the names of their variables."""
        return {name: key for key, name in self._names.items()}

    def process(self, steps: Sequence[Step]) -> list[Step]:
        """The steps with variables in place of random keys."""
        return [self._replace(step) for step in steps]

    def _replace(self, value: Any) -> Any:
        if isinstance(value, dict):
            return type(value)({name: self._member(name, member) for name, member in value.items()})
        if isinstance(value, list):
            return [self._replace(item) for item in value]
        return map_texts(value, lambda text: _IN_TEXT.sub(lambda match: match[1] + self._variable(match[2]), text))

    def _member(self, name: str, member: Any) -> Any:
        is_key = isinstance(member, str) and name.lower() in (_HEADER, _MEMBER)
        return self._variable(member) if is_key else self._replace(member)

    def _variable(self, key: str) -> str:
        if not looks_random(key):
            return key
        name = self._names.setdefault(key, f"idempotency_{len(self._names) + 1}")
        return f"${{{name}}}"


def looks_random(text: str) -> bool:
    """Whether a text is a random UUID, or one word with digits in which characters rarely repeat."""
    if _RANDOM_UUID.fullmatch(text):
        return True  # also one in which digits happen to repeat
    if not _KEYLIKE.fullmatch(text):
        return False
    counts = Counter(text)
    return -sum(count / len(text) * log2(count / len(text)) for count in counts.values()) >= _MOST_BITS


_WEBHOOK_SECRET: Final = re.compile(rf"(?<={WEBHOOK_SECRET.prefix})[A-Za-z0-9+/=_-]{{8,}}")
_ASCII, _OTHER = "x", "\u00fc"


def replace_foreign_secrets(steps: Sequence[Step]) -> list[Step]:
    """The steps with stand-ins; without the check of the final state if something that a client stored was replaced."""
    requests = [{name: member for name, member in step.items() if name != RESPONSE} for step in _flat(steps)]
    secrets = {secret for text in collect_texts(requests) for secret in _WEBHOOK_SECRET.findall(text)}

    def replace(text: str) -> str:
        text = hide_url_passwords(text, _stand_in)
        return _WEBHOOK_SECRET.sub(lambda match: _stand_in(match[0]) if match[0] in secrets else match[0], text)

    replaced = [_without_parameters(map_texts(step, replace)) for step in steps]
    if not any(_stores_another(*pair) for pair in zip(_flat(steps), _flat(replaced), strict=True)):
        return replaced
    return [step for step in replaced if "fingerprint" not in step.get("expect", {})]


def _without_parameters(step: Step) -> Step:
    """The step with stand-ins for tokens in the query of its call; no operation reads any."""
    if "call" in step:
        step["call"] = SECRET_PARAMETER.sub(lambda match: match[1] + _stand_in(match[2]), step["call"])
    for entry in step.get(NESTED, ()):
        entry["steps"] = [_without_parameters(nested) for nested in entry["steps"]]
    return step


def _stand_in(secret: str) -> str:
    if secret == HIDDEN:  # the simulator's own message
        return secret
    return "".join(_ASCII if character.isascii() else _OTHER for character in secret)


def _stores_another(before: Step, after: Step) -> bool:
    """Whether a step sends another body than before, and is not refused for it."""
    bodies = [
        {name: member for name, member in step.items() if name not in ("call", RESPONSE)} for step in (before, after)
    ]
    return bodies[0] != bodies[1] and after.get(RESPONSE, {}).get("status", 0) < 400


def _flat(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps, each followed by those of its deliveries; a step by itself has none of them."""
    for step in steps:
        yield {name: member for name, member in step.items() if name != NESTED}
        for entry in step.get(NESTED, ()):
            yield from _flat(entry["steps"])
