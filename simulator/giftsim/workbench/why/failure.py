"""What a failed test tells of its question: the event type or status that it expected, and the ids that it names.

Everything is read from the text of the failed assertion and from `values`, the values of the failed line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.workbench.why.about import ANSWER, EVENT, STATUS, Expected, event_types, statuses_of

_WORD: Final = re.compile(r"[\w.-]+", re.ASCII)
# The two sides of a comparison in the first line of an assertion: what is there, and what should be.
_SIDE: Final = r"""['"]?([\w.]+)['"]?"""
_ASSERTED: Final = re.compile(rf"assert {_SIDE} == {_SIDE}(?![\w.'\"])", re.ASCII)
_FOUND: Final = ", actual "
_TOO_MANY: Final = re.compile(r"expected no webhook", re.ASCII)
_STATUS_CODE: Final = re.compile(r"[1-5]\d\d", re.ASCII)
_STEP: Final = re.compile(rf"expected {_SIDE}, actual {_SIDE}", re.ASCII)  # a step of a scenario (matching.Mismatch)


class Failure(msgspec.Struct, frozen=True):
    """What a failed test names. `actual` is the other side of the comparison with `expected`."""

    message: str = ""
    text: str = ""
    expected: Expected | None = None
    actual: str | None = None
    ids: frozenset[str] = frozenset()
    values: tuple[Any, ...] = ()


def read_failure(failure: Mapping[str, Any], state: State) -> Failure:
    """The failure of a test as it was told: `message`, `text`, and `values` if the test's framework knows them."""
    message, values = failure.get("message", ""), tuple(failure.get("values", ()))
    expected, actual = _compared(message, state)
    words = {*_WORD.findall(message), *_words_in(values)}
    if expected is None and (type_ := _missing_type(message, event_types(state))) is not None:
        expected = Expected(EVENT, type_)
    return Failure(message, failure.get("text", ""), expected, actual, frozenset(words), values)


def _compared(message: str, state: State) -> tuple[Expected | None, str | None]:
    """What the right side of a comparison expects, or the left one where only that is known; and the other side."""
    if (asserted := _ASSERTED.search(message)) is not None:
        left, right = asserted.groups()
    elif (step := _STEP.search(message)) is not None:
        right, left = step.groups()
    else:
        return None, None
    for wanted, other in ((right, left), (left, right)):
        if (expected := _expected(wanted, state)) is not None:
            return expected, other
    return None, None


def _missing_type(message: str, types: Sequence[str]) -> str | None:
    """The event type that a message misses: one that it names and does not find. None if it is one too many."""
    if _TOO_MANY.search(message):
        return None
    wanted, _, found = message.partition(_FOUND)
    there = set(_WORD.findall(found))
    return next((word for word in _WORD.findall(wanted) if word in types and word not in there), None)


def _expected(word: str, state: State) -> Expected | None:
    if _STATUS_CODE.fullmatch(word):
        return Expected(ANSWER, word)
    if word in event_types(state):
        return Expected(EVENT, word)
    return Expected(STATUS, word) if word in statuses_of(service_of(state)) else None


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
