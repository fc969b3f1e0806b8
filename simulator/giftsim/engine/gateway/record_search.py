"""How a list of records is searched: what its fields are, and which of its rows have failed or wait.

A service says it once for each list, and every face searches in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record

R = TypeVar("R", bound=Record)
Texts = Iterable[str | None]


class SearchField(msgspec.Struct, Generic[R], frozen=True):
    """A field of a search. `of(state, record)` are the values that a record has; `prepared(state)` gives records them.

    With `in_part` a record is found by a part of a value, else by a whole one, or by its beginning as in `order.*`.
    `values` are the values that are possible, if they are few.
    """

    name: str
    means: str
    example: str
    of: Callable[[State, R], Texts] = lambda _, __: ()
    prepared: Callable[[State], Callable[[R], Texts]] | None = None
    in_part: bool = False
    values: Sequence[str] = ()

    def values_in(self, state: State) -> Callable[[R], Texts]:
        """What gives the records of a state their values."""
        return self.prepared(state) if self.prepared is not None else partial(self.of, state)


class Outcome(msgspec.Struct, frozen=True):
    """Which records have failed, or wait for somebody. `means` says it in words.

    They are those with one of the `statuses`, or those in the slots that `slots(state)` finds.
    """

    means: str
    statuses: Sequence[str] = ()
    slots: Callable[[State], AbstractSet[int]] | None = None


class Group(NamedTuple):
    """Records that are alike: the words for what they have in common, and the fields of a search that find it."""

    title: str
    terms: tuple[tuple[str, str], ...]


class Search(msgspec.Struct, Generic[R], frozen=True):
    """How the list of a kind at the path `name` is searched.

    - `noun` is what messages call a record. `words` says in what its words are searched, and `text` are these texts.
    - `parts` are the records from which the texts come. With it they are kept, because they take long to make.
    - `has_words(state, words)` says whether a record has words in lower case, if there is a faster way than by `text`.
    - `at` is when a record began, in milliseconds. With it the list has the fields `since` and `call`.
    - `status(state)` gives records their statuses; without it that is the one of the kind. `counts(state)` are the
      numbers of all records with each status, if they are known without looking at each.
    - `fields` are those beside `status`, which the kind has if it has statuses. `http_status` are statuses of HTTP
      that count as one too.
    - `group(state)` says what a record that has failed or waits has in common with others; by default the status.
    """

    name: str
    kind: Kind[R]
    noun: str
    words: str
    text: Callable[[State, R], Iterable[object]]
    parts: Callable[[State, R], Sequence[Any]] | None = None
    at: Callable[[R], int] | None = None
    fields: Sequence[SearchField[R]] = ()
    failed: Outcome | None = None
    waiting: Outcome | None = None
    has_words: Callable[[State, Sequence[str]], Callable[[R], bool]] | None = None
    group: Callable[[State], Callable[[R], Group]] | None = None
    status: Callable[[State], Callable[[R], str]] | None = None
    counts: Callable[[State], Mapping[str, int]] | None = None
    http_status: Callable[[State], Callable[[R], Texts]] | None = None

    def statuses_in(self, state: State) -> Callable[[R], str]:
        """What gives the records of a state their statuses."""
        return self.status(state) if self.status is not None else partial(self.kind.status, state)

    @property
    def outcomes(self) -> Mapping[str, Outcome]:
        """The outcomes that it has, by the value of `is` that finds them."""
        named = {"failed": self.failed, "waiting": self.waiting}
        return {name: outcome for name, outcome in named.items() if outcome is not None}
