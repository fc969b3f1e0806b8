"""The `save` member of a step: values taken from a response by JSONPath, for later steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from jsonpath_ng import JSONPath

MAX_LENGTH = 200
MAX_SEARCHES = 2


class SavedValue(msgspec.Struct, frozen=True):
    """One value to save: the name of its variable and its JSONPath."""

    name: str
    text: str
    path: JSONPath

    def extract(self, body: Any) -> Any:
        """The first value at the path; LookupError if there is none."""
        matches = self.path.find(body)
        if not matches:
            raise LookupError(self.text)
        return matches[0].value


def parse_saved_value(name: str, text: str) -> SavedValue:
    """Parse a JSONPath; ValueError says what is wrong with it."""
    # Imported here because it takes as long as all other imports together, and only files with `save` need it.
    from jsonpath_ng.exceptions import JSONPathError
    from jsonpath_ng.ext.parser import parse

    if not text.startswith("$"):
        raise ValueError(f"{text!r} is not a JSONPath: it must begin with $, which is the whole body")
    if len(text) > MAX_LENGTH:
        raise ValueError(f"a JSONPath has at most {MAX_LENGTH} characters, this one has {len(text):,}")
    try:
        path = parse(text)
    except JSONPathError as error:
        raise ValueError(f"{text!r} is not a JSONPath: {error}") from None
    _check_cost(text, path)
    return SavedValue(name, text, path)


def _check_cost(text: str, path: Any) -> None:
    """Refuse what could take long on a large body: regular expressions, and a search within a search."""
    from jsonpath_ng.ext.filter import Expression
    from jsonpath_ng.ext.string import Sub
    from jsonpath_ng.jsonpath import Descendants, Parent

    parts = list(_parts(path))
    if any(isinstance(part, Sub) or (isinstance(part, Expression) and part.op == "=~") for part in parts):
        raise ValueError(f"{text!r} changes or matches texts; save the value, and compare it with $matches")
    searches = sum(isinstance(part, Descendants | Parent) for part in parts)
    if searches > MAX_SEARCHES:
        raise ValueError(f"{text!r} has {searches} parts like `..` or `parent`; a JSONPath has at most {MAX_SEARCHES}")


def _parts(part: Any) -> Iterator[Any]:
    """A part of a JSONPath and all parts inside it."""
    yield part
    for inner in vars(part).values() if hasattr(part, "__dict__") else ():
        for each in inner if isinstance(inner, list | tuple) else [inner]:
            if type(each).__module__.startswith("jsonpath_ng"):
                yield from _parts(each)
