"""What a failed test tells of its question: the event type or status that it expected, and the ids that it names.

A test's framework tells what the failed line names (`failure` in the test-control API). Without that, everything is
read from the text of the failed assertion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import chain
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.workbench.why.about import ANSWER, EVENT, STATUS, Expected, event_types, statuses_of

_WORD: Final = re.compile(r"[\w.-]+", re.ASCII)
# The two sides of a comparison in the first line of an assertion: what is there, and what should be.
_SIDE: Final = r"""['"]?([\w.]+)['"]?"""
_ASSERTED: Final = re.compile(rf"assert {_SIDE} (==|>=|<=|>|<|in) {_SIDE}(?![\w.'\"])", re.ASCII)
_STEP: Final = re.compile(rf"expected {_SIDE}, actual {_SIDE}", re.ASCII)  # a step of a scenario (matching.Mismatch)
_FOUND: Final = ", actual "
_TOO_MANY: Final = "expected no webhook"
_CONTAINS: Final = ("in", "not in")
_ANSWERS: Final = frozenset(status for status in HTTPStatus if status >= HTTPStatus.OK)


class Count(NamedTuple):
    """A number that was found, and the one that was expected."""

    found: int
    wanted: int


class Failure(msgspec.Struct, frozen=True):
    """What a failed test names. `actual` is the other side of the comparison with `expected`.

    `ids` are words and numbers that may be ids: of what differs, else of the line, else of the rest of the test.
    """

    message: str = ""
    text: str = ""
    expected: Expected | None = None
    actual: str | None = None
    ids: tuple[frozenset[str], ...] = ()
    values: tuple[Any, ...] = ()
    count: Count | None = None


def read_failure(failure: Mapping[str, Any], state: State) -> Failure:
    """The failure of a test as it was told."""
    message, values, told = failure.get("message", ""), tuple(failure.get("values", ())), failure.get("expected", {})
    op, left, right = _sides(failure, message)
    left, right = _answers(*differing(left, right))
    wanted, other = (left, right) if op in _CONTAINS else (right, left)
    known = _Known(state)
    expected, actual = known.compared(wanted, other)
    if expected is None and "answer" in told:
        expected = Expected(ANSWER, str(told["answer"]))
    if expected is None and actual is None and _TOO_MANY not in message:
        mentions, words = failure.get("mentions", ()), [told.get("event", ""), *failure.get("words", ())]
        expected = known.spoken(_missing(message)) or known.spoken(words, mentions) or known.only(mentions)
    sides, line = _words_in((left, right, told.get("data"))), chain(_WORD.findall(message), _words_in(values))
    named = frozenset(sides), frozenset(line), frozenset(map(str, failure.get("ids", ())))
    count = Count(told["found"], told["count"]) if "count" in told else _count(expected, other, wanted)
    return Failure(message, failure.get("text", ""), expected, actual, named, values, count)


def _sides(failure: Mapping[str, Any], message: str) -> tuple[str, Any, Any]:
    """The operator and the sides of the comparison that failed, each None if it is not known."""
    if compared := failure.get("compared"):
        return compared["op"], compared.get("left"), compared.get("right")
    if asserted := _ASSERTED.search(message):
        return asserted[2], _number_or_text(asserted[1]), _number_or_text(asserted[3])
    if step := _STEP.search(message):
        return "==", _number_or_text(step[2]), _number_or_text(step[1])
    return "", None, None


def differing(left: Any, right: Any) -> tuple[Any, Any]:
    """Of two objects or lists, what differs."""
    if isinstance(left, dict) and isinstance(right, dict):
        names = [name for name in {**left, **right} if left.get(name) != right.get(name)]
        return [[name, left.get(name)] for name in names], [[name, right.get(name)] for name in names]
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
        return [one for one, _ in pairs], [other for _, other in pairs]
    return left, right


def _answers(left: Any, right: Any) -> tuple[Any, Any]:
    """Of two lists of HTTP statuses, the first of each."""
    sides = (left, right)
    are_answers = all(isinstance(side, list) and side and all(map(_is_answer, side)) for side in sides)
    return (left[0], right[0]) if are_answers else sides


def _is_answer(value: Any) -> bool:
    return _is_number(value) and value in _ANSWERS


def _number_or_text(side: str) -> int | str:
    return int(side) if side.isdecimal() else side


def _missing(message: str) -> Sequence[str]:
    """The words that a message has before what it found, unless they were found too."""
    wanted, _, found = message.partition(_FOUND)
    there = set(_WORD.findall(found))
    return [word for word in _WORD.findall(wanted) if word not in there]


def _count(expected: Expected | None, found: Any, wanted: Any) -> Count | None:
    """The numbers that were compared, unless they are HTTP statuses."""
    are_counts = expected is None or expected.kind != ANSWER
    return Count(found, wanted) if are_counts and _is_number(found) and _is_number(wanted) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class _Known:
    """The words of a simulator: types of events, and statuses of records."""

    def __init__(self, state: State) -> None:
        self.types, self.statuses = event_types(state), statuses_of(service_of(state))

    def compared(self, wanted: Any, other: Any) -> tuple[Expected | None, str | None]:
        """What one side of a comparison expects, or the other where only that is known; and its counterpart.

        Of lists it is the first that the other side lacks.
        """
        if _is_number(wanted) and wanted in _ANSWERS and (not _is_number(other) or other in _ANSWERS):
            return Expected(ANSWER, str(wanted)), None if other is None else str(other)
        for one, against in ((wanted, other), (other, wanted)):
            there = [*_words_in(against)]
            for word in (word for word in _words_in(one) if word not in there):
                if (found := self.named(word)) is not None:
                    return found, there[0] if there else None
        return None, None

    def spoken(self, words: Sequence[str], mentions: Sequence[str] = ()) -> Expected | None:
        """What words name: a type of events, or by its last part one that the test mentions, or else a status."""
        parts = {part.lower() for word in words for part in word.split(".")}
        meant = (word for word in mentions if word.rpartition(".")[2] in parts)
        type_ = next((word for word in (*words, *meant) if word in self.types), None)
        found = type_ or next((word for word in words if word in self.statuses), None)
        return None if found is None else self.named(found)

    def only(self, mentions: Sequence[str]) -> Expected | None:
        """The only type of an event that a test mentions."""
        types = {word for word in mentions if word in self.types}
        return Expected(EVENT, types.pop()) if len(types) == 1 else None

    def named(self, word: str) -> Expected | None:
        """The event type or status that a word names."""
        type_ = next((each for each in (word, word.rpartition(".")[0]) if each in self.types), None)
        if type_ is not None:  # perhaps with what is expected of it, as in team_order.shipped.outcomes
            return Expected(EVENT, type_)
        return Expected(STATUS, word) if word in self.statuses else None


def _words_in(value: Any) -> Iterator[str]:
    """All texts and numbers in JSON, as texts."""
    if isinstance(value, Mapping):
        for member in value.values():
            yield from _words_in(member)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _words_in(item)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)
