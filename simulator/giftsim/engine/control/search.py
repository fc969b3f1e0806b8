"""The one search of all lists: words that must all occur, and fields such as `status:unpaid` or `since:2d`.

search  terms with blanks between them; all of them must hold
term    a word, or a field, a colon and values with commas between them, of which one must hold
-term   the term must not hold
"a b"   a word or a value with blanks, colons or commas; \\" and \\\\ stand for themselves
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, NoReturn, TypeVar

import msgspec

from giftsim.engine.gateway.record_search import Group
from giftsim.engine.problem import Problem

T = TypeVar("T")

_FIELD = re.compile(r"([A-Za-z][A-Za-z_]*):(?!//)")
_PLAIN = re.compile(r'[^\s",:\\-][^\s",:\\]*')
_ESCAPED = '"\\'


class InvalidSearch(Problem, status=400, code="invalid_search"):
    """A search has a field that its list does not have, or a value that the field cannot have."""


class Term(msgspec.Struct, frozen=True):
    """One term of a search: its words or values, and the field if it has one. `text` is how it was written."""

    text: str
    values: tuple[str, ...]
    field: str | None = None
    negated: bool = False


def parse(text: str | None) -> list[Term]:
    """The terms of a search in order. A quote that is not closed ends with the text."""
    terms, at, text = list[Term](), 0, text or ""
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        term, at = _read_term(text, at)
        if term.field is not None or any(term.values):
            terms.append(term)
    return terms


def _read_term(text: str, first: int) -> tuple[Term, int]:
    """The term that begins at a place, and the place behind it."""
    negated = text[first] == "-" and not text[first + 1 : first + 2].isspace() and first + 1 < len(text)
    at = first + negated
    found = _FIELD.match(text, at)
    values, end = _read_values(text, found.end() if found else at, parted=found is not None)
    return Term(text[first:end], tuple(values), found[1].lower() if found else None, negated), end


def _read_values(text: str, at: int, *, parted: bool) -> tuple[list[str], int]:
    """The values from a place to the next blank outside quotes. With `parted`, commas are between them."""
    values, is_quoted = [""], False
    while at < len(text) and (is_quoted or not text[at].isspace()):
        char = text[at]
        if char == '"':
            is_quoted = not is_quoted
        elif is_quoted and char == "\\" and text[at + 1 : at + 2] and text[at + 1] in _ESCAPED:
            at += 1
            values[-1] += text[at]
        elif char == "," and parted and not is_quoted:
            values.append("")
        else:
            values[-1] += char
        at += 1
    return [value for value in values if value], at


def write(field: str | None, values: Iterable[str], *, negated: bool = False) -> str:
    """A term as a search has it; what `parse` reads from it has the same field and values."""
    written = ",".join(map(quoted, values))
    return f"{'-' if negated else ''}{f'{field}:' if field else ''}{written}"


def quoted(value: str) -> str:
    """A word or a value as a search has it, in quotes if it needs some."""
    if _PLAIN.fullmatch(value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def join(*searches: str | None) -> str:
    """One search of several: what all of them find."""
    return " ".join(filter(None, (search and search.strip() for search in searches)))


class Once(Generic[T]):
    """What `make` makes, made when it is first called for."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._made = make, list[T]()

    def __call__(self) -> T:
        if not self._made:
            self._made.append(self._make())
        return self._made[0]


class Section(msgspec.Struct, Generic[T], frozen=True):
    """The rows that have failed, or wait: whether a row does, and the slots of all of them if they are known."""

    has: Callable[[T], bool]
    slots: Callable[[], AbstractSet[int]] | None = None

    def numbers(self) -> Sequence[int] | None:
        """The numbers of the rows in order, if they are known."""
        return None if self.slots is None else [n + 1 for n in sorted(self.slots())]


class Searchable(msgspec.Struct, Generic[T], frozen=True):
    """A list that can be searched: its conditions for a value of each field, and for words in lower case. `group()` is
    what makes rows of a section alike.

    A condition for a value that is not possible raises a ValueError, which says what is.
    """

    noun: str
    fields: Mapping[str, Callable[[str], Callable[[T], bool]]]
    words: Callable[[Sequence[str]], Callable[[T], bool]]
    sections: Mapping[str, Section[T]] = {}
    group: Callable[[], Callable[[T], Group]] = lambda: lambda _: Group("", ())

    def check(self, terms: Iterable[Term]) -> None:
        """InvalidSearch for the first term with an unknown field or a value that is not possible."""
        for term in terms:
            if term.field is not None:
                self._condition(term)

    def numbers(self, terms: Iterable[Term]) -> Sequence[int] | None:
        """The numbers of the rows among which all that terms find are; None if those are not known."""
        for term in terms:
            section = self.sections.get(term.values[0].casefold()) if term.field == "is" else None
            if section is not None and not term.negated and len(term.values) == 1:
                return section.numbers()
        return None

    def conditions(self, terms: Iterable[Term]) -> list[Callable[[T], bool]]:
        """The conditions of terms, those of fields first. InvalidSearch."""
        terms = list(terms)
        found = [self._condition(term) for term in terms if term.field is not None]
        words = [term for term in terms if term.field is None]
        if wanted := [term.values[0].casefold() for term in words if not term.negated]:
            found.append(self.words(wanted))
        return found + [_negated(self.words([term.values[0].casefold()])) for term in words if term.negated]

    def _condition(self, term: Term) -> Callable[[T], bool]:
        field = term.field or ""
        if field not in self.fields:
            known = ", ".join(self.fields) or "no fields"
            self._refuse(term, f'{self.noun} has no field {field}, but {known}; "{field}:…" in quotes is text')
        if not term.values:
            self._refuse(term, "nothing stands behind the colon")
        try:
            found = [self.fields[field](value) for value in term.values]
        except ValueError as error:
            self._refuse(term, str(error))
        has_one = found[0] if len(found) == 1 else _any(found)
        return _negated(has_one) if term.negated else has_one

    def _refuse(self, term: Term, why: str) -> NoReturn:
        raise InvalidSearch(f"{term.text}: {why}", term=term.text, fields=list(self.fields))


def _negated(condition: Callable[[T], bool]) -> Callable[[T], bool]:
    return lambda row: not condition(row)


def _any(conditions: Sequence[Callable[[T], bool]]) -> Callable[[T], bool]:
    return lambda row: any(condition(row) for condition in conditions)


def every(conditions: Sequence[Callable[[T], bool]]) -> Callable[[T], bool] | None:
    """All conditions as one; None if there are none."""
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    first, second, *others = conditions
    if rest := every(others):
        return lambda row: first(row) and second(row) and rest(row)
    return lambda row: first(row) and second(row)


def one_of(value: str, possible: Iterable[str], noun: str, what: str) -> str:
    """A value in the spelling of those that are possible: `In production` is `in_production`. ValueError."""
    wanted, known = "_".join(value.casefold().replace("-", " ").split()), list(possible)
    if wanted in known:
        return wanted
    raise ValueError(f"{noun} has no such {what}; it can be {', '.join(known)}")


def text_condition(search: str | None) -> Callable[[str], bool] | None:
    """Whether a text has the words of a search; None if it has none. InvalidSearch for a field."""
    listed = Searchable[str]("an entry", {}, lambda words: lambda text: all(word in text.casefold() for word in words))
    return every(listed.conditions(parse(search)))
