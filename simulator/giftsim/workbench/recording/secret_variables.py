"""Secrets of a recording: variables in place of webhook secrets, claim tokens, keys and session tokens (G4).

Each variable is saved from the response, mail or claim link of the replaying world that shows the secret first, so a
recording holds no secret and still compares every byte. What a step shows first is saved by that step. What a client
used without showing it, such as the token of a mail, is read by a `control` step before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.random_streams import draw_token
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import SnapshotRestored, WorldReset
from giftsim.engine.log.log import EventLog
from giftsim.services.secrets import CANDIDATE, CLAIM, CREDENTIAL_NAME, KINDS, PARTNER_KEY, SESSION
from giftsim.workbench.recording.world_text import NESTED, RESPONSE, collect_texts
from giftsim.workbench.scenario.variables import map_texts

Step = dict[str, Any]

# By the control call that draws a secret: its stream, its length, and the JSONPath of the response that shows it.
_DRAWS: Final = {
    "POST /keys": (PARTNER_KEY.name, PARTNER_KEY.drawn, "$.key.`split(_, -1, -1)`"),
    "POST /sessions": (SESSION.name, SESSION.drawn, "$.token.`split(_, -1, -1)`"),
}
_LENGTHS: Final = {stream: length for stream, length, _ in _DRAWS.values()}
_MOST_SKIPPED: Final = 50


class KeyDraws:
    """The draws of each stream so far, as steps make, save and restore them."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn: dict[str, int] = {}
        self._snapshots: dict[str, dict[str, int]] = {}

    def drawn_by(self, step: Step) -> tuple[str, str] | None:
        """The secret that a step draws and the JSONPath of its response that shows it; None if it draws none."""
        self._follow(step)
        draw = _DRAWS.get(step.get("control", ""))
        if draw is None or "name" in (step.get("body") or {}):
            return None
        stream, length, path = draw
        self._drawn[stream] = self._drawn.get(stream, 0) + 1
        return draw_token(self._seed, stream, self._drawn[stream], length), path

    def note(self, secret: str, kind: str) -> None:
        """A client's call has drawn a secret; the next draw follows it."""
        if kind in _LENGTHS:
            drawn = self._drawn.get(kind, 0)
            for number in range(drawn + 1, drawn + _MOST_SKIPPED):
                if draw_token(self._seed, kind, number, _LENGTHS[kind]) == secret:
                    self._drawn[kind] = number

    def _follow(self, step: Step) -> None:
        """Keep the draws for a snapshot, or return to those of one."""
        if "snapshot" in step:
            self._snapshots[step["snapshot"]] = dict(self._drawn)
        elif ends_branch(step):
            self._drawn = dict(self._snapshots.get(step.get("restore", ""), {}))


FormerStates = Callable[[], Mapping[int, State]]


class BranchEnds:
    """The last state of each branch of a world: those that restores and resets replaced, and that of now.

    What a client used in a branch, such as the token of a mail, is known in its last state. `former` computes the
    states that were replaced, by the numbers of the events that did so; it is called if the log does not keep all.
    """

    def __init__(self, log: EventLog, state: State, former: FormerStates) -> None:
        self._log, self.now, self._former = log, state, former

    def state(self, branch: int) -> State:
        """The last state of a branch; they count from 0."""
        return self._replaced[branch] if branch < len(self._replaced) else self.now

    @cached_property
    def _replaced(self) -> list[State]:
        events = [event.n for _, event in self._log.all() if isinstance(event, SnapshotRestored | WorldReset)]
        states: Mapping[int, State] = self._log.replaced_states()
        if not states.keys() >= set(events):
            states = self._former()
        return [states[n] for n in events]


def ends_branch(step: Step) -> bool:
    """Whether a step puts another state in place of the world's."""
    return "restore" in step or step.get("control") == "POST /reset"


Lookup = tuple[str, str]
Path = tuple[str | int, ...]

_MEMBER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def json_path(body: Any, secret: str) -> str | None:
    """The JSONPath of the first value in a JSON text that ends with the secret; None if there is none.

    A longer value, such as a link, is split at the character before the secret.
    """
    try:
        data = msgspec.json.decode(body)
    except (TypeError, msgspec.DecodeError):
        return None
    for path, value in _strings(data, ()):
        before = value.removesuffix(secret)
        if before == value or (before and before[-1] not in "/_"):
            continue
        if all(isinstance(part, int) or _MEMBER.fullmatch(part) for part in path):
            members = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
            return f"${members}" + (f".`split({before[-1]}, -1, -1)`" if before else "")
    return None


def find_lookup(token: str, state: State) -> Lookup | None:
    """A call of the control API that shows a claim token, and its JSONPath there; None if the state has none."""
    return next((found for own in service_of(state).secrets for found in own.lookups(state, token)), None)


def _strings(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _strings(member, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, (*path, index))


# What a secret of each kind looks like; the group is the part that a variable replaces.
SHAPES: Final = (*((kind.name, kind.drawn_form) for kind in KINDS), ("key", CREDENTIAL_NAME))
_BARE_TOKEN: Final = re.compile(rf"[0-9a-f]{{{CLAIM.drawn}}}")


def hide_secrets(steps: Sequence[Step], ends: BranchEnds) -> list[Step]:
    """The steps with variables for their secrets; `ends` know where a claim token was shown."""
    hidden = _Hidden(steps, ends)
    return list(hidden.process(steps))


class _Hidden:
    """The secrets of one recording: `kinds` of all that appear, and the variables of those that have one so far."""

    def __init__(self, steps: Sequence[Step], ends: BranchEnds) -> None:
        self.kinds: dict[str, str] = {}
        self._candidates: dict[str, tuple[str, ...]] = {}
        for text in collect_texts(list(steps)):
            for kind, pattern in SHAPES if self._candidates_of(text) else ():
                self.kinds |= dict.fromkeys(pattern.findall(text), kind)
        self.kinds |= dict.fromkeys(_bare_tokens(steps), CLAIM.name)
        self.variables: dict[str, str] = {}
        self._ends, self._branch, self._count = ends, 0, Counter[str]()
        self._draws = KeyDraws(ends.now.seed)

    def process(self, steps: Sequence[Step]) -> Iterator[Step]:
        """The steps with variables, and the steps that read what must be known before."""
        for step in steps:
            nested = [{**entry, "steps": list(self.process(entry["steps"]))} for entry in step.get(NESTED, ())]
            request = {name: member for name, member in step.items() if name not in (RESPONSE, NESTED)}
            response = step.get(RESPONSE, {})
            self._branch += ends_branch(step)
            saves = self._saves(step, response)
            yield from self._lookups(request, response)
            replaced = self._replace(request)
            yield (
                replaced
                | ({"save": saves} if saves else {})
                | ({RESPONSE: self._replace(response)} if response else {})
                | ({NESTED: nested} if nested else {})
            )

    def _saves(self, step: Step, response: Step) -> dict[str, str]:
        """What the step saves: the secrets that its response shows first, and the key or session that it creates."""
        saves = {}
        drawn = self._draws.drawn_by(step)
        if drawn is not None and drawn[0] in self.kinds and drawn[0] not in self.variables:
            saves[self._name(drawn[0])] = drawn[1]
        requested = set(self._found(collect_texts({**step, RESPONSE: None})))
        for secret in self._new(collect_texts(response)):
            path = None if secret in requested else json_path(response.get("body"), secret)
            if path is not None:
                saves[self._name(secret)] = path
                self._draws.note(secret, self.kinds[secret])
        return saves

    def _lookups(self, request: Step, response: Step) -> Iterator[Step]:
        """Steps that read the secrets that this step needs and no earlier one has shown."""
        for secret in self._new(collect_texts([request, response])):
            is_claim = self.kinds[secret] == CLAIM.name
            lookup = find_lookup(secret, self._ends.state(self._branch)) if is_claim else None
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
            found = self._candidates[text] = tuple(CANDIDATE.findall(text))
        return found

    def _name(self, secret: str) -> str:
        """The variable that replaces a secret, such as `webhook_secret_1`."""
        kind = self.kinds[secret]
        self._count[kind] += 1
        self.variables[secret] = f"{kind}_{self._count[kind]}"
        return self.variables[secret]

    def _replace(self, value: Any) -> Any:
        """The data with the secrets replaced that have a variable."""
        return map_texts(value, self._replace_text) if self.variables else value

    def _replace_text(self, text: str) -> str:
        return CANDIDATE.sub(self._variable_or_text, text) if self._candidates_of(text) else text

    def _variable_or_text(self, match: re.Match[str]) -> str:
        name = self.variables.get(match[0])
        return match[0] if name is None else f"${{{name}}}"


def _bare_tokens(steps: Sequence[Step]) -> Iterator[str]:
    """The claim tokens that `simulate: claim` names without their link."""
    for step in steps:
        token = step.get("with", {}).get("token") if step.get("simulate") == "claim" else None
        if isinstance(token, str) and _BARE_TOKEN.fullmatch(token):
            yield token
        for entry in step.get(NESTED, ()):
            yield from _bare_tokens(entry["steps"])
