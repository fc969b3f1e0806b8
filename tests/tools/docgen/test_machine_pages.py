"""The pages of the state machines: their words are those of the machines, and each line names its source."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from giftsim.build import MACHINES
from giftsim.engine.kernel.state_machine import Machine
from giftsim.services.known import make_definitions
from giftsim.services.statements.decision import load_decisions
from giftsim.services.statements.machine_texts import TEXTS_FILE, load_texts
from giftsim.services.statements.statement import load_statements
from tests.docs.pages import ROOT
from tools.docgen.machine_pages import FOLDERS, INK, TIMED_INK, draw, drawings, machines, timers

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


HELP = f"{TEXTS_FILE.name} says what the machines model"
TRIGGERS = {machine.name: {row.trigger for row in machine.rows} for machine in MACHINES}
TIMED = {machine.name: {row.trigger for row in machine.rows if row.after} for machine in MACHINES}

# Triggers that fall due by a timer which is not their own row's.
BY_OTHER_TIMERS = {("delivery", "fail")}


def test_every_trigger_of_every_machine_has_its_words() -> None:
    assert {name: set(text.triggers) for name, text in load_texts().machines.items()} == TRIGGERS, HELP


def test_the_triggers_that_fall_due_by_themselves_say_when() -> None:
    said = {(name, trigger) for name, text in load_texts().machines.items() for trigger in text.triggers
            if text.triggers[trigger].after}  # fmt: skip
    timed = {(name, trigger) for name, triggers in TIMED.items() for trigger in triggers}
    assert said == timed | BY_OTHER_TIMERS, HELP


def test_every_other_timer_has_its_words() -> None:
    of_machines = {f"{name}.{trigger}" for name, triggers in TIMED.items() for trigger in triggers}
    assert set(load_texts().timers) == set(make_definitions().timers) - of_machines, HELP


def test_every_line_names_sources_and_settings_that_exist() -> None:
    texts = load_texts()
    triggers = list(chain(texts.timers.values(), *(text.triggers.values() for text in texts.machines.values())))
    timings = list(chain(triggers, *(each.in_state.values() for each in triggers)))
    ids = load_statements().keys() | load_decisions().keys()
    assert [each for each in timings if not each.source or not ids.issuperset(each.source)] == []
    assert [name for name, text in texts.machines.items() if not text.source or not ids.issuperset(text.source)] == []
    assert {name for each in timings for name in each.settings} <= make_definitions().settings.keys()


def test_a_machine_is_drawn_and_each_trigger_says_its_states_and_when_it_is_due() -> None:
    [shipment] = [part for part in machines().split("\n## ") if part.startswith("shipment\n")]
    assert "](machines/shipment.svg)\n" in shipment
    assert "- `claim` `awaiting,expired→submitted`: The recipient enters an address" in shipment
    when = "after payment and address, and with `ship_on` just in time; half with rush"
    setting = "(`partner.lead_times.production` 24h)"
    assert f" *By itself* {when} {setting}. In `delayed`: after the delay (`partner.delay` null).\n" in shipment


def test_retries_of_deliveries_have_the_schedule_that_runs() -> None:
    assert "5m, 15m, 1h, 3h, 6h, 12h, 1d, 2d after the previous attempt" in timers()
