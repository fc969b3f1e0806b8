"""The drawings of state machines: every state and transition is there, legible, and the same each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from giftsim.build import MACHINES
from giftsim.docgen.machine_pages import FOLDERS, INK, TIMED_INK, draw, drawings
from giftsim.kernel.state_machine import Machine
from tests.docs.pages import ROOT

SVG = "{http://www.w3.org/2000/svg}"
NAMES = [machine.name for machine in MACHINES]


def texts(machine: Machine[Any], fill: str | None = None) -> list[str]:
    """The texts of a drawing, of one colour or of all."""
    found = ElementTree.fromstring(draw(machine)).iter(f"{SVG}text")
    return [text.text or "" for text in found if fill in (None, text.get("fill"))]


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
def test_every_state_is_a_box_and_every_transition_a_labeled_line(machine: Machine[Any]) -> None:
    labels = [label for line in (*texts(machine, INK), *texts(machine, TIMED_INK)) for label in line.split(", ")]
    assert sorted(labels) == sorted(row.trigger for row in machine.rows)
    assert set(machine.states) <= set(texts(machine))


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
def test_what_happens_by_itself_is_dashed(machine: Machine[Any]) -> None:
    lines = ElementTree.fromstring(draw(machine)).findall(f"{SVG}path")
    dashed = sum("stroke-dasharray" in line.attrib for line in lines)
    assert dashed == len({(row.state, row.target) for row in machine.rows if row.after})


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
def test_no_two_lines_lie_on_each_other(machine: Machine[Any]) -> None:
    spans: dict[str, list[tuple[float, float]]] = {}
    for line in ElementTree.fromstring(draw(machine)).findall(f"{SVG}path"):
        start, lane, end = (part.lstrip("MHV") for part in line.attrib["d"].replace(" ", ",", 1).split()[:3])
        low, high = sorted((float(start.split(",")[1]), float(end)))
        assert all(high < first or last < low for first, last in spans.setdefault(lane, []))
        spans[lane].append((low, high))


@pytest.mark.parametrize("folder", FOLDERS, ids=["docs", "console"])
def test_the_reference_and_the_console_have_a_drawing_of_each_machine_and_no_other(folder: Path) -> None:
    fresh = {path.name: svg for path, svg in drawings(ROOT).items() if path.parent == ROOT / folder}
    assert {path.name: path.read_text(encoding="utf-8") for path in (ROOT / folder).iterdir()} == fresh


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
def test_a_page_finds_each_state_by_its_name(machine: Machine[Any]) -> None:
    svg = ElementTree.fromstring(draw(machine))
    assert [group.get("data-state") for group in svg.findall(f"{SVG}g[@class='state']")] == [
        *(state for state in machine.states if state not in machine.final), *machine.final,
    ]  # fmt: skip
    assert all("style" not in element.attrib for element in svg.iter())
