"""Where the data that a message complains about stands in a body."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from giftsim.scenario.yaml_source import YamlPath

# What messages name: a member at their beginning, as a path with dots; members or values in quotes, and numbers.
_FIRST_WORD = re.compile(r"(?:setting )?([A-Za-z_][\w.-]*)")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"|\bnot (\d+)\b")


class Culprit(NamedTuple):
    """The path of what is wrong, and whether it is the name of the member rather than its value."""

    path: YamlPath = ()
    is_name: bool = False


def find_culprit(message: str, data: Any) -> Culprit:
    """The innermost member or value of the data that a message names; the data itself if it names none."""
    found = Culprit()
    for word, quoted in _words(message):
        path = _find(data, found.path, word, names_only=not quoted)
        if path is not None:
            is_name = quoted and bool(path) and path[-1] == word and _value_at(data, path) != word
            found = Culprit(path, is_name)
    return found


def _words(message: str) -> Iterator[tuple[str, bool]]:
    """The words to look for, each with whether it was quoted."""
    if first := _FIRST_WORD.match(message):
        yield first[1], False
    for match in _QUOTED.finditer(message.partition("; ")[0]):
        yield match[1] or match[2] or match[3] or "", True


def _find(data: Any, base: YamlPath, word: str, *, names_only: bool) -> YamlPath | None:
    """The path of a word below `base`: a path with dots, the name of a member at any depth, or a value."""
    below = _value_at(data, base)
    path = _dotted(below, word)
    if path is not None:
        return (*base, *path)
    values: list[YamlPath] = []
    queue: deque[tuple[YamlPath, Any]] = deque([(base, below)])
    while queue:
        path, value = queue.popleft()
        if isinstance(value, Mapping) and word in value:
            return (*path, word)
        if not isinstance(value, Mapping | list) and str(value) == word:
            values.append(path)
        queue.extend(((*path, name), member) for name, member in _members(value))
    return values[0] if values and not names_only else None


def _dotted(data: Any, text: str) -> YamlPath | None:
    path: list[str | int] = []
    for part in text.split("."):
        key: str | int = int(part) if part.isdecimal() and isinstance(data, list) else part
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return None
        path.append(key)
    return tuple(path)


def _value_at(data: Any, path: YamlPath) -> Any:
    for key in path:
        data = data[key]
    return data


def _members(value: Any) -> list[tuple[str | int, Any]]:
    if isinstance(value, Mapping):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []
