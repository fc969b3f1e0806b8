"""A family of effects: its name, what it takes, what it means, and on which operations it can act at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from giftsim.gateway.contract import Operation, resolve


def one_of(*words: Any) -> Callable[[Any], bool]:
    """Fits these values alone; `True` and 1 are two things."""
    return lambda value: any(type(value) is type(word) and value == word for word in words)


@dataclass(frozen=True)
class Family:
    """One effect of the vocabulary, the same in scenario, control plane and header.

    `takes` says in words what `fits` accepts; `read` makes a value of what a header writes; `companions` are members
    that may stand beside it, each with how it is read. `acts(operation, value)` is whether it can do anything there,
    `where` says so for the README. One that acts `within` the work does not hit a call that is refused before.
    """

    name: str
    takes: str
    means: str
    where: str
    fits: Callable[[Any], bool]
    read: Callable[[str], Any] = str
    companions: Mapping[str, Companion] = field(default_factory=lambda: MappingProxyType({}))
    acts: Callable[[Operation, Any], bool] = lambda _operation, _value: True
    within: bool = False


@dataclass(frozen=True)
class Companion:
    """A member that goes with an effect: what it takes in words, what fits, how a header writes it."""

    takes: str
    fits: Callable[[Any], bool]
    read: Callable[[str], Any] = str


def number(text: str) -> Any:
    """What a header writes as a number, or the text itself, which then does not fit."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def response(operation: Operation, status: int) -> Mapping[str, Any]:
    """What the contract says of an answer of this status."""
    return resolve(operation.document, operation.node["responses"].get(str(status), {}))


def codes(operation: Operation, status: int) -> Sequence[str]:
    """The codes that the contract gives a status of the operation."""
    found: Sequence[str] = response(operation, status).get("x-codes", ())
    return found
