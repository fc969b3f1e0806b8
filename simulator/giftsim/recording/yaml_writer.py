"""The text of a scenario: YAML that people read, and that says the same when it is read again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

MODELINE = "# yaml-language-server: $schema=../../simulator/giftsim/scenario/schema.json"
WIDTH = 1 << 30  # lines are never folded
SHORT = 100
_NUMBER = re.compile(r"-?[0-9][0-9.eE+-]*", re.ASCII)
_BLOCK = re.compile("[!-~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe][ -~\n\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe]*")


class Line(dict[str, Any]):
    """A mapping that stands on one line, however long."""


class _Outer(dict[str, Any]):
    """A mapping that never does."""


class _Dumper(yaml.CSafeDumper):
    """Short collections on one line, JSON and other long text as blocks, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _text(dumper: yaml.CSafeDumper, value: str) -> yaml.ScalarNode:
    style = None
    if _NUMBER.fullmatch(value):
        style = '"'
    elif len(value) > SHORT or "\n" in value or value[:1] in ("{", "["):
        style = "|" if _BLOCK.fullmatch(value) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _mapping(dumper: yaml.CSafeDumper, value: Mapping[str, Any]) -> yaml.MappingNode:
    flow = isinstance(value, Line) or not (isinstance(value, _Outer) or _length(value) > SHORT)
    return dumper.represent_mapping("tag:yaml.org,2002:map", list(value.items()), flow_style=flow)


def _sequence(dumper: yaml.CSafeDumper, value: list[Any]) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=_length(value) <= SHORT)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _sequence)
_Dumper.add_representer(dict, _mapping)
_Dumper.add_representer(Line, _mapping)
_Dumper.add_representer(_Outer, _mapping)


def written(head: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], why: str) -> str:
    """The text of a scenario; `why` is its comment, one sentence."""
    return "".join((f"{MODELINE}\n# {why}\n", _dumped(head), "steps:\n", *map(_item, steps)))


def _item(step: Mapping[str, Any]) -> str:
    lines = _dumped(step).splitlines(keepends=True)
    return "".join(f"{'  - ' if i == 0 else '    '}{line}" if line.strip() else line for i, line in enumerate(lines))


def _dumped(value: Mapping[str, Any]) -> str:
    text: str = yaml.dump(_Outer(value), Dumper=_Dumper, width=WIDTH, allow_unicode=True, sort_keys=False)
    return text


def _length(value: Any) -> int:
    if isinstance(value, dict):
        return sum(len(name) + 4 + _length(member) for name, member in value.items())
    if isinstance(value, list):
        return sum(2 + _length(item) for item in value)
    if isinstance(value, str):
        return SHORT + 1 if "\n" in value or value[:1] in ("{", "[") else len(value)
    return 5
