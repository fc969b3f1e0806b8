"""Scenarios as YAML text for people, which loads as the same data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

MODELINE = "yaml-language-server: $schema=http://127.0.0.1:8080/schemas/scenario.json"
LINE_WIDTH = 1 << 30  # lines are never folded
MAX_INLINE = 100
_NUMBER = re.compile(r"-?[0-9][0-9.eE+-]*", re.ASCII)
_BLOCK_TEXT = re.compile("[!-~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe][ -~\n\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe]*")


class OneLine(dict[str, Any]):
    """A mapping that is written on one line at any length."""


class _Block(dict[str, Any]):
    """A mapping that is written with a line for each member."""


class _Dumper(yaml.CSafeDumper):
    """Writes short collections on one line, long text and JSON as blocks, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _represent_text(dumper: yaml.CSafeDumper, value: str) -> yaml.ScalarNode:
    style = None
    if _NUMBER.fullmatch(value):
        style = '"'
    elif len(value) > MAX_INLINE or "\n" in value or value[:1] in ("{", "["):
        style = "|" if _BLOCK_TEXT.fullmatch(value) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _represent_mapping(dumper: yaml.CSafeDumper, value: Mapping[str, Any]) -> yaml.MappingNode:
    inline = isinstance(value, OneLine) or not (isinstance(value, _Block) or _inline_length(value) > MAX_INLINE)
    return dumper.represent_mapping("tag:yaml.org,2002:map", list(value.items()), flow_style=inline)


def _represent_list(dumper: yaml.CSafeDumper, value: list[Any]) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=_inline_length(value) <= MAX_INLINE)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(list, _represent_list)
_Dumper.add_representer(dict, _represent_mapping)
_Dumper.add_representer(OneLine, _represent_mapping)
_Dumper.add_representer(_Block, _represent_mapping)


def scenario_text(head: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], comments: Sequence[str] = ()) -> str:
    """The text of a scenario: comment lines, the members of its `head`, then its steps."""
    return "".join((*(f"# {line}\n" for line in comments), _dump(head), "steps:\n", *map(_list_item, steps)))


def _list_item(step: Mapping[str, Any]) -> str:
    lines = _dump(step).splitlines(keepends=True)
    return "".join(f"{'  - ' if i == 0 else '    '}{line}" if line.strip() else line for i, line in enumerate(lines))


def _dump(value: Mapping[str, Any]) -> str:
    text: str = yaml.dump(_Block(value), Dumper=_Dumper, width=LINE_WIDTH, allow_unicode=True, sort_keys=False)
    return text[:-4] if text.endswith("\n...\n") else text  # the end of a document, after text that ends in empty lines


def _inline_length(value: Any) -> int:
    """About how many characters a value takes on one line; more than fits for text that is written as a block."""
    if isinstance(value, dict):
        return sum(len(name) + 4 + _inline_length(member) for name, member in value.items())
    if isinstance(value, list):
        return sum(2 + _inline_length(item) for item in value)
    if isinstance(value, str):
        return MAX_INLINE + 1 if "\n" in value or value[:1] in ("{", "[") else len(value)
    return 5
