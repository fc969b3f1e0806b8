"""Values taken out of an answer by JSONPath, for later steps to use by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from jsonpath_ng import JSONPath


class Saving(msgspec.Struct, frozen=True):
    """One value to save: the name it gets and the path it is found by."""

    name: str
    text: str
    path: JSONPath

    def take(self, body: Any) -> Any:
        """The first value the path finds; LookupError where it finds none."""
        found = self.path.find(body)
        if not found:
            raise LookupError(self.text)
        return found[0].value


def saving(name: str, text: str) -> Saving:
    """Reads a JSONPath; ValueError names what is wrong with it."""
    # Only a file that saves something pays for this import, which is as dear as all the others together.
    from jsonpath_ng.exceptions import JSONPathError
    from jsonpath_ng.ext.parser import parse

    if not text.startswith("$"):
        raise ValueError(f"{text!r} is no JSONPath: it begins with $, the whole body")
    try:
        return Saving(name, text, parse(text))
    except JSONPathError as error:
        raise ValueError(f"{text!r} is no JSONPath: {error}") from None
