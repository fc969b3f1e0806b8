"""The settings of a world in short lists, each with the other readings of the documents that it turns on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from giftsim.engine.kernel.setting import Setting
from giftsim.services.known import make_definitions
from giftsim.workbench.assumptions.variants import Variant, load_variants
from tools.docgen.markdown import written

OTHERS: Final = "others"  # the heading of settings whose names have one part
COUNTRY: Final = re.compile(r"\.[A-Z]{2}$")  # at the end of the name of a setting of one country
NAMED: Final = re.compile(r" (?:to|in) (?:the )?[A-Z][a-z]+(?: [A-Z][a-z]+)*")  # that country, in what it means
CITED: Final = re.compile(r" \(([^()]*)\)$")


def settings() -> str:
    """Every setting by the first part of its name, and the readings that it turns on."""
    known = sorted(make_definitions().settings.values(), key=lambda setting: (_area(setting) == OTHERS, _area(setting)))
    parts = []
    for area, found in groupby(known, _area):
        parts.append("\n".join([f"### {area}", "", *_lines(found)]))
    return "\n\n".join(parts)


def _area(setting: Setting[Any]) -> str:
    return setting.name.partition(".")[0] if "." in setting.name else OTHERS


def _lines(found: Iterable[Setting[Any]]) -> Iterator[str]:
    """A line for each setting; those that differ in their country alone share one."""
    for name, group in groupby(found, lambda setting: COUNTRY.sub("", setting.name)):
        same = list(group)
        countries = [setting for setting in same if COUNTRY.search(setting.name)]
        yield from (
            _line(f"`{each.name}`", _value(each), each.meaning, [each]) for each in same if each not in countries
        )
        if countries:
            values = ", ".join(f"{each.name[-2:]} {written(each.default)}" for each in countries)
            if len({written(each.default) for each in countries}) == 1:
                values = f"`{written(countries[0].default)}`"
            yield _line(f"`{name}.COUNTRY`", values, NAMED.sub("", countries[0].meaning, count=1), countries)


def _line(name: str, value: str, meaning: str, same: Sequence[Setting[Any]]) -> str:
    readings = [each for each in load_variants().values() if {setting.name for setting in same} & each.settings.keys()]
    default = f" ({value})" if value else ""
    return f"- {name}{default}: {' '.join([_cited(meaning, readings), *(_reading(each, same) for each in readings)])}"


def _cited(meaning: str, readings: Iterable[Variant]) -> str:
    """What a setting means, with the decision that it belongs to if only its readings name one."""
    decisions = ", ".join(dict.fromkeys(each.decision for each in readings))
    return f"{meaning}." if not decisions or CITED.search(meaning) else f"{meaning} ({decisions})."


def _reading(variant: Variant, same: Sequence[Setting[Any]]) -> str:
    """Which value the reading takes, and code that bears it; of several settings, the first has the code."""
    first = next(iter(variant.settings))
    values = {name: value for name, value in variant.settings.items() if name in {each.name for each in same}}
    told = ", ".join(f"{name[-2:]} {value}" if len(same) > 1 else written(value) for name, value in values.items())
    value = "" if told == "true" else f" `{told}`"
    return f"*`{variant.variant}`{value}{f': {variant.safe}' if first in values else '.'}*"


def _value(setting: Setting[Any]) -> str:
    """The default, and the words that may take its place; nothing for a switch that is off."""
    if setting.default is False:
        return ""
    default, choices = written(setting.default), setting.takes.removeprefix("one of ")
    others = [choice for choice in choices.split(", ") if choice != default] if choices != setting.takes else []
    return " or ".join(filter(None, [f"`{default}`", ", ".join(f"`{other}`" for other in others)]))
