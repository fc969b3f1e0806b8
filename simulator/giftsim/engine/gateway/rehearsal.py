"""Situations that can be rehearsed by one word: what a user fears, and the control calls that let it happen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Step(NamedTuple):
    """A call of the control API below a world, such as `POST /clock/advance`, with the fixed members of its body.

    `takes` are the members of the rehearsal that it gets too, each with the name that it has there; a dot leads into
    an object. A step that is `usual` has mostly happened before: it is left out if it is refused. One with a member
    `each` is a call for each record, by its place from 0 as that member; those that are gone (410) are left out.
    """

    call: str
    body: Mapping[str, Any] = {}
    takes: Mapping[str, str] = {}
    usual: bool = False
    each: str | None = None

    def body_with(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The body of the call with the members of the rehearsal that are given."""
        body = dict(self.body)
        for name, value in given.items():
            if name in self.takes:
                outer, dot, last = self.takes[name].partition(".")
                body[outer] = {**body.get(outer, {}), last: value} if dot else value
        return body


class Rehearsal(NamedTuple):
    """A situation: its word, what it is about, and what a user fears, in one sentence.

    `happens` is what the world does, `check` what an app must then do. `source` are ids with commas. `needs` are groups
    of the members that it takes: one of each group must be given.
    """

    name: str
    about: str
    fear: str
    happens: str
    check: str
    steps: tuple[Step, ...]
    source: str
    needs: tuple[tuple[str, ...], ...] = ()

    @property
    def takes(self) -> tuple[str, ...]:
        """The members that name what it is about, each once."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.takes))


def verb(name: str, *takes: str, usual: bool = False, **body: Any) -> Step:
    """A step by a verb of the outside world, which has the same names for all that it takes."""
    return Step(f"POST /simulate/{name}", body, {each: each for each in takes}, usual)
