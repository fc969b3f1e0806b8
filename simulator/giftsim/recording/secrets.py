"""Secrets of a recording: variables in place of webhook secrets, claim tokens, keys and session tokens (G4).

Each variable is saved from the response, mail or claim link of the replaying world that shows the secret first, so a
recording holds no secret and still compares every byte. What a step shows first is saved by that step. What a client
used without showing it, such as the token of a mail, is read by a `control` step before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from giftsim.kernel.state import State
from giftsim.recording.secret_draws import KeyDraws
from giftsim.recording.secret_places import find_lookup, json_path
from giftsim.recording.variables import map_strings

Step = dict[str, Any]

_WORLD: Final = r"(?:\$\{world\}|[a-z0-9-]{1,40})"
# What a secret of each kind looks like; the group is the part that a variable replaces. A key without a name is also in
# the name of its credential.
_PATTERNS: Final = (
    ("secret", re.compile(r"\b(whsec_[0-9a-f]{32})\b")),
    ("claim", re.compile(rf"/claim/{_WORLD}/([0-9a-f]{{20}})\b")),
    ("key", re.compile(rf"\bpt?k_(?:live|test)_{_WORLD}_([0-9a-f]{{16}})\b")),
    ("key", re.compile(r"\b(?:partner|team)\.([0-9a-f]{16})\b")),
    ("session", re.compile(rf"\bsess_{_WORLD}_([0-9a-f]{{20}})\b")),
    ("preview", re.compile(rf"/previews/{_WORLD}/([0-9a-f]{{20}}\.png)\b")),
)
_BARE_TOKEN: Final = re.compile(r"[0-9a-f]{20}")
# Every text that may be a secret, so that one pass over a text finds all of them.
_CANDIDATE: Final = re.compile(
    r"whsec_[0-9a-f]{32}|(?<![0-9a-f])(?:[0-9a-f]{20}\.png|(?:[0-9a-f]{20}|[0-9a-f]{16})(?![0-9a-f]))"
)
_RESPONSE: Final = "recorded"
_NESTED: Final = "on_delivery"


def hide_secrets(steps: Sequence[Step], states: Sequence[State]) -> list[Step]:
    """The steps with variables for their secrets; `states` are those that know where a claim token was shown."""
    hidden = _Hidden(steps, states)
    return list(hidden.process(steps))


class _Hidden:
    """The secrets of one recording: `kinds` of all that appear, and the variables of those that have one so far."""

    def __init__(self, steps: Sequence[Step], states: Sequence[State]) -> None:
        self.kinds: dict[str, str] = {}
        self._candidates: dict[str, tuple[str, ...]] = {}
        for text in _texts(list(steps)):
            for kind, pattern in _PATTERNS if self._candidates_of(text) else ():
                self.kinds |= dict.fromkeys(pattern.findall(text), kind)
        self.kinds |= dict.fromkeys(_bare_tokens(steps), "claim")
        self.variables: dict[str, str] = {}
        self._states, self._count = states, Counter[str]()
        self._draws = KeyDraws(states[0].seed)

    def process(self, steps: Sequence[Step]) -> Iterator[Step]:
        """The steps with variables, and the steps that read what must be known before."""
        for step in steps:
            nested = [{**entry, "steps": list(self.process(entry["steps"]))} for entry in step.get(_NESTED, ())]
            request = {name: member for name, member in step.items() if name not in (_RESPONSE, _NESTED)}
            response = step.get(_RESPONSE, {})
            saves = self._saves(step, response)
            yield from self._lookups(request, response)
            replaced = self._replace(request)
            yield (
                replaced
                | ({"save": saves} if saves else {})
                | ({_RESPONSE: self._replace(response)} if response else {})
                | ({_NESTED: nested} if nested else {})
            )

    def _saves(self, step: Step, response: Step) -> dict[str, str]:
        """What the step saves: the secrets that its response shows first, and the key or session that it creates."""
        saves = {}
        drawn = self._draws.drawn_by(step)
        if drawn is not None and drawn[0] in self.kinds and drawn[0] not in self.variables:
            saves[self._name(drawn[0])] = drawn[1]
        requested = set(self._found(_texts({**step, _RESPONSE: None})))
        for secret in self._new(_texts(response)):
            path = None if secret in requested else json_path(response.get("body"), secret)
            if path is not None:
                saves[self._name(secret)] = path
                self._draws.note(secret, self.kinds[secret])
        return saves

    def _lookups(self, request: Step, response: Step) -> Iterator[Step]:
        """Steps that read the secrets that this step needs and no earlier one has shown."""
        for secret in self._new(_texts([request, response])):
            lookup = find_lookup(secret, self._states) if self.kinds[secret] == "claim" else None
            if lookup is not None:
                call, path = lookup
                yield {"control": call, "save": {self._name(secret): path}}

    def _new(self, texts: Iterator[str]) -> list[str]:
        return [secret for secret in self._found(texts) if secret not in self.variables]

    def _found(self, texts: Iterator[str]) -> list[str]:
        """The secrets that occur in texts, each once."""
        found = dict.fromkeys(candidate for text in texts for candidate in self._candidates_of(text))
        return [candidate for candidate in found if candidate in self.kinds]

    def _candidates_of(self, text: str) -> tuple[str, ...]:
        """What may be a secret in a text. It is remembered: a body of megabytes is looked at many times."""
        found = self._candidates.get(text)
        if found is None:
            found = self._candidates[text] = tuple(_CANDIDATE.findall(text))
        return found

    def _name(self, secret: str) -> str:
        """The new variable of a secret."""
        kind = self.kinds[secret]
        self._count[kind] += 1
        self.variables[secret] = f"{kind}_{self._count[kind]}"
        return self.variables[secret]

    def _replace(self, value: Any) -> Any:
        """The data with the secrets replaced that have a variable."""
        return map_strings(value, self._replace_text) if self.variables else value

    def _replace_text(self, text: str) -> str:
        return _CANDIDATE.sub(self._variable_or_text, text) if self._candidates_of(text) else text

    def _variable_or_text(self, match: re.Match[str]) -> str:
        name = self.variables.get(match[0])
        return match[0] if name is None else f"${{{name}}}"


def _bare_tokens(steps: Sequence[Step]) -> Iterator[str]:
    """The claim tokens that `simulate: claim` names without their link."""
    for step in steps:
        token = step.get("with", {}).get("token") if step.get("simulate") == "claim" else None
        if isinstance(token, str) and _BARE_TOKEN.fullmatch(token):
            yield token
        for entry in step.get(_NESTED, ()):
            yield from _bare_tokens(entry["steps"])


def _texts(value: Any) -> Iterator[str]:
    """All texts in data; not those of binary bodies."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            if name != "base64":
                yield from _texts(member)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
