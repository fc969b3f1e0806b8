"""The next step of every item that an app can meet: its test, pasted as it is, meets the item."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from giftsim.build import CONTRACTS, Simulator
from giftsim.engine.gateway.contract import Contract
from giftsim.services.known import merged_service
from giftsim.testing.transport import InProcess
from giftsim.testing.world_for_test import Giftsim, open_world
from giftsim.workbench.coverage.items import AREAS, INTERFACES, OF_ONE_INTERFACE, items_of, machine_of
from giftsim.workbench.coverage.next_steps import NextSteps
from giftsim.workbench.coverage.stories import obvious_calls, read_table

CONTROL = Contract.load(CONTRACTS["control"])
ITEMS = items_of(merged_service())
READ = ITEMS.contracts
STEPS = NextSteps(ITEMS)
# The events with steps of their own. Another happens as in a scenario, which the pasted test leaves to the app.
TABLED = {(interface, kind) for interface, kinds in read_table("next_steps.yaml")["events"].items() for kind in kinds}
# Errors are many, so those of an operation are one test.
GROUPS = [
    *((area, [name]) for area in AREAS if area not in ("errors", "events") for name in ITEMS.names(area)),
    *(("events", [name]) for key, name in ITEMS.events.items() if key in TABLED),
    *(("errors", list(each.errors.values())) for each in ITEMS.operations.values()),
]
SCENARIOS = read_table("next_steps.yaml")["scenarios"]
# Machines whose records several interfaces make.
SHARED = ("shipment", "charge", "delivery")
Worlds = Callable[[], AbstractContextManager[Giftsim]]
CAUSES = ("verb", "fault", "scenario")


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    """One simulator for the worlds of all tests."""
    return Simulator()


@pytest.fixture
def worlds(simulator: Simulator) -> Worlds:
    """Opens worlds as the pytest plugin does."""
    return lambda: open_world(InProcess(simulator))


@cache
def step_of(area: str, name: str, *interfaces: str) -> Mapping[str, str]:
    """The next step of an item, for an app of all interfaces or of these."""
    return STEPS.step(area, name, interfaces) if interfaces else STEPS.step(area, name)


def pasted(step: Mapping[str, str], folder: Path) -> Any:
    """The test function of a step, from a file with its text."""
    file = folder / "test_pasted.py"
    file.write_text(step["pytest"])
    [test] = [value for name, value in runpy.run_path(str(file)).items() if name.startswith("test_")]
    return test


def interfaces_called(world: Giftsim) -> set[str]:
    """The interfaces that a test called."""
    return set(world.control("GET", "/coverage?next=false")["met"]["interfaces"])


@pytest.mark.parametrize(("area", "names"), GROUPS, ids=lambda value: value if isinstance(value, str) else value[0])
def test_a_pasted_test_meets_its_gap(area: str, names: list[str], worlds: Worlds, tmp_path: Path) -> None:
    for name in names:
        step = step_of(area, name)
        with worlds() as world:
            pasted(step, tmp_path)(world)  # which asserts that the item is met now
            assert name in world.control("GET", "/coverage?next=false")["areas"][area]["met"]


@pytest.mark.parametrize("interface", INTERFACES)
def test_an_app_of_one_interface_gets_steps_that_call_no_other(interface: str, worlds: Worlds, tmp_path: Path) -> None:
    rows = [name for name in ITEMS.names("transitions") if machine_of(name) in SHARED]
    possible = [name for name in rows if interface != "museum" and OF_ONE_INTERFACE.get(name, interface) == interface]
    table = {area: read_table("next_steps.yaml")[area] for area in ("faults", "clock")}
    situations = [
        (area, name) for area in table for name in table[area] if interface in table[area][name]["interfaces"]
    ]
    for area, name in [*(("transitions", name) for name in possible), *situations]:
        with worlds() as world:
            pasted(step_of(area, name, interface), tmp_path)(world)
            assert interfaces_called(world) <= {interface}, name


def test_the_obvious_call_of_every_operation_succeeds(worlds: Worlds, tmp_path: Path) -> None:
    for name in ITEMS.names("operations"):
        with worlds() as world:
            pasted(step_of("operations", name), tmp_path)(world)
            for call in world.listed("calls"):
                assert (call["response"] or {}).get("status") in (200, 201, 202, 204), (name, call)


def test_every_operation_has_an_obvious_call_and_every_table_names_only_items() -> None:
    calls = {(interface, name) for interface, contract in READ.items() for name in obvious_calls(interface, contract)}
    assert set(ITEMS.operations) <= calls
    tables = read_table("next_steps.yaml")
    for area in ("faults", "clock"):
        assert list(tables[area]) == ITEMS.names(area)
    events = {(interface, kind) for interface, kinds in tables["events"].items() for kind in kinds}
    assert events <= set(ITEMS.events)  # what it does not have happens as in a scenario


@pytest.mark.parametrize("area", AREAS)
def test_every_step_says_why_what_causes_it_and_how_to_test_it(area: str) -> None:
    for name in ITEMS.names(area):
        step = step_of(area, name)
        assert step["gap"] == name
        assert step["why"].endswith((".", '."', ")"))
        causes = [member for member in CAUSES if member in step]
        assert len(causes) == 1 or (area == "operations" and not causes)  # a call needs no more than the app
        assert list(step) == ["gap", "why", *causes, "pytest", "vitest"]
        if causes != ["scenario"]:
            assert "YOUR APP" in step["pytest"] or area == "events", name
        assert max(map(len, step["pytest"].splitlines())) <= 120
        assert max(map(len, step["vitest"].splitlines())) <= 120


def test_names_of_pasted_tests_differ() -> None:
    steps = [step_of(area, name) for area in AREAS for name in ITEMS.names(area)]
    names = [line for step in steps for line in step["pytest"].splitlines() if line.startswith("def ")]
    assert len(set(names)) == len(steps)


@pytest.mark.parametrize("area", AREAS)
def test_a_verb_is_a_call_of_the_control_api_and_a_fault_a_body(area: str) -> None:
    steps = [step_of(area, name) for name in ITEMS.names(area)]
    for verb in {step["verb"].partition(" ")[0] for step in steps if "verb" in step}:
        assert CONTROL.match(f"/worlds/w/{verb}"), verb
    for fault in {step["fault"] for step in steps if "fault" in step}:
        assert {"effect"} <= set(yaml.safe_load(fault)) <= {"effect", "match", "when"}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_meets_the_items_that_name_it(name: str) -> None:
    simulator = Simulator()
    simulator.keep_coverage(all_worlds=True)
    transport = InProcess(simulator)
    with open_world(transport) as world:
        world.play(name)
    areas = transport.call("GET", "/_sim/v1/coverage?next=false").json()["areas"]
    met = {item for area in areas.values() for item in area["met"]}
    # What becomes of webhooks is up to the app, and here is none.
    webhooks = {*ITEMS.names("events"), *(item for item in ITEMS.names("faults") if "webhook" in item)}
    assert set(SCENARIOS[name]) - webhooks <= met


def test_rows_that_only_another_interface_takes_are_apart(worlds: Worlds, tmp_path: Path) -> None:
    row = "charge: sent --reconcile_paid--> paid"
    for interface, kind in (("team", "apart"), ("partner", "missing")):
        with worlds() as world:
            pasted(step_of("transitions", "charge: sent --settle--> paid", interface), tmp_path)(world)
            assert row in world.control("GET", "/coverage?next=false")["areas"]["transitions"][kind]


def test_a_report_has_the_next_step_of_every_gap_unless_it_is_to_be_short(worlds: Worlds) -> None:
    with worlds() as world:
        world.call("GET", "/api/external/team-orders", credential="partner.prepaid")
        whole, short = world.control("GET", "/coverage"), world.control("GET", "/coverage?next=false")
    missing = [(area, name) for area, each in whole["areas"].items() for name in each["missing"]]
    assert whole["next"] == [step_of(area, name, "partner") for area, name in missing]
    assert {**whole, "next": []} == short


# The first call of an app of each interface.
FIRST_CALLS = {"partner": "createTeamOrder", "team": "sendGift", "museum": "buyMuseumTickets"}


@pytest.mark.parametrize("interface", INTERFACES)
def test_gaps_that_are_followed_one_by_one_come_to_an_end(interface: str, tmp_path: Path) -> None:
    simulator = Simulator()
    simulator.keep_coverage(all_worlds=True)
    transport = InProcess(simulator)
    gaps = [("operations", ITEMS.operations[interface, FIRST_CALLS[interface]].name)]
    followed, areas = [], {}
    while gaps:
        followed.append(gaps[0])
        with open_world(transport) as world:
            pasted(step_of(*gaps[0], interface), tmp_path)(world)
        areas = transport.call("GET", "/_sim/v1/coverage?next=false").json()["areas"]
        gaps = [(area, name) for area, each in areas.items() for name in each["missing"]]
    assert len(set(followed)) == len(followed)
    assert [area["percent"] for area in areas.values()] == [100.0] * len(AREAS)
