"""The coverage of a run: read facts, write a folder, show a table, and compare the areas with a gate."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.engine.client.control import Control
from giftsim.engine.kernel.texts import suggest_name
from giftsim.workbench.coverage.coverage_page import render_coverage_page
from giftsim.workbench.coverage.items import AREAS
from giftsim.workbench.coverage.judgment import VERSION
from giftsim.workbench.coverage.met import Met

FOLDER, NAME, PAGE = Path(".giftsim"), "coverage.json", "coverage.html"
_GATE: Final = re.compile(r"(?:(\w+)=)?(\d{1,3}(?:\.\d+)?)", re.ASCII)

NO_CALL = (
    "no call came: no operation of the service was called, and no webhook accepted, so these figures say nothing; "
    "give your app the address of the simulator that keeps the coverage"
)


class UnreadableCoverage(ValueError):
    """A file or an answer is not a coverage of this version."""


class InvalidGate(ValueError):
    """A text does not say how much coverage there must be."""


def read_facts(source: str, content: bytes) -> Met:
    """The facts in the content of a file or an answer; `source` names it in messages. UnreadableCoverage."""
    try:
        data = msgspec.json.decode(content, type=dict[str, Any])
        if not {"version", "met"} <= data.keys():
            raise UnreadableCoverage(f'{source} is not a coverage.json of giftsim: it has no "version" and "met"')
        if data["version"] != VERSION:
            raise UnreadableCoverage(f"{source} is a coverage of version {data['version']}, not {VERSION}")
        return msgspec.convert(data["met"], Met)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UnreadableCoverage(f"{source} is not a coverage.json of giftsim: {error}") from None


def facts_of(control: Control) -> Met:
    """The facts of the worlds or the world of this part of the control API. ControlRefused."""
    return read_facts(control.path("/coverage"), msgspec.json.encode(control.send("GET", "/coverage?next=false")))


def encoded(data: Mapping[str, Any]) -> bytes:
    """A coverage as the content of a file. The same facts give the same bytes."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"


def write_coverage(folder: Path, data: Mapping[str, Any]) -> list[Path]:
    """Write a coverage into a folder, which is made if need be; the paths of its files."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {folder / NAME: encoded(data), folder / PAGE: render_coverage_page(data)}
    for path, content in contents.items():
        path.write_bytes(content)
    return list(contents)


def area_table(areas: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The areas with their counts and percentages, a line each."""
    lines = [f"{'area':12}{'met':>6}{'missing':>9}{'apart':>7}{'percent':>10}"]
    for name in AREAS:
        area = areas[name]
        counts = "".join(f"{len(area[kind]):>{width}}" for kind, width in (("met", 6), ("missing", 9), ("apart", 7)))
        lines.append(f"{name:12}{counts}{area['percent']:>8.1f} %")
    return [*lines, *no_call(areas)]


def no_call(areas: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A line that says so if the app met nothing of the service: then no percentage means anything."""
    if any(areas.get(name, {}).get("met") for name in ("operations", "events")):
        return []
    return [NO_CALL]


def read_gate(texts: Sequence[str]) -> dict[str, float]:
    """The least percentage of each area: `80` for every area, `errors=50` for one; commas separate. InvalidGate."""
    general: dict[str, float] = {}
    own: dict[str, float] = {}
    for text in (part.strip() for each in texts for part in each.split(",")):
        match = _GATE.fullmatch(text)
        if match is None or float(match[2]) > 100:
            raise InvalidGate(f"it takes a percentage from 0 to 100, or AREA=PERCENTAGE, not {text!r}")
        if match[1] is None:
            general = dict.fromkeys(AREAS, float(match[2]))
        elif match[1] in AREAS:
            own[match[1]] = float(match[2])
        else:
            raise InvalidGate(f"there is no area {match[1]!r}; {suggest_name(match[1], AREAS)}")
    return general | own


def areas_below_gate(gate: Mapping[str, float], areas: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """For each area that is below its gate, a line that says so."""
    return [
        f"coverage of {name} is {areas[name]['percent']:.1f} %, below {gate[name]:g} %"
        for name in AREAS
        if name in gate and areas[name]["percent"] < gate[name]
    ]
