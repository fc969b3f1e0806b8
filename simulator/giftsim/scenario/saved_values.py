"""The `save` member of a step: values taken from a response by JSONPath, for later steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from jsonpath_ng import JSONPath


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
    try:
        return SavedValue(name, text, parse(text))
    except JSONPathError as error:
        raise ValueError(f"{text!r} is not a JSONPath: {error}") from None
