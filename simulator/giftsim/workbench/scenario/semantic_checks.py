"""Checks that the schema cannot express: times, variables, operators, methods, and members that exclude each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from giftsim.engine.client.matching import OPERATORS, check_operators, is_operator
from giftsim.engine.client.world import goal_of
from giftsim.engine.kernel.instants import parse_duration, parse_instant
from giftsim.services.statements.entry import source_texts
from giftsim.workbench.app.app_calls import check_app_url
from giftsim.workbench.scenario.recorded_response import decode_base64
from giftsim.workbench.scenario.scenario_error import suggest_known
from giftsim.workbench.scenario.steps.step_source import StepSource
from giftsim.workbench.scenario.variables import (
    NO_APP,
    UNKNOWN,
    check_expressions,
    check_names,
    has_expressions,
    parse_time,
)
from giftsim.workbench.scenario.world_expectations import check_owners, check_times, has_standard_owners
from giftsim.workbench.scenario.yaml_source import Source, YamlPath, iterate_members

# Members that need a response, which a background call does not have yet.
_NEED_RESPONSE = ("expect", "save", "repeat", "recorded")


class References:
    """The background calls, forks and snapshots of the steps so far."""

    def __init__(self) -> None:
        self.background_calls: set[str] = set()
        self.forks: set[str] = set()
        self.snapshots: set[tuple[str | None, str]] = set()

    def check(self, step: StepSource) -> None:
        """Raise InvalidScenario for a reference to nothing; note what the step makes itself."""
        for member, check in _CHECKS.items():
            if member in step.data:
                check(self, step)

    def check_background(self, step: StepSource) -> None:
        """The name of a background call must be free."""
        name = step.data["background"]
        for member in _NEED_RESPONSE:
            if member in step.data:
                message = f'"{member}" needs the response; give it to `await: {name}`'
                raise step.error((member,), message, name=True)
        if name in self.background_calls:
            raise step.error(("background",), f'"{name}" is in the background already; await it first')
        self.background_calls.add(name)

    def check_await(self, step: StepSource) -> None:
        """The call must be in the background; it can be awaited once."""
        _check_known(
            step, "await", self.background_calls, 'no call "{}" is in the background', "`background: NAME` starts one"
        )
        self.background_calls.remove(step.data["await"])

    def check_fork(self, step: StepSource) -> None:
        """The name of a fork must be free."""
        name = step.data["fork"]
        if name in self.forks:
            raise step.error(("fork",), f'there is already a fork "{name}"')
        self.forks.add(name)

    def check_world(self, step: StepSource) -> None:
        """The fork that a step runs in must exist."""
        _check_known(step, "in", self.forks, 'no earlier step makes a fork "{}"', "`fork: NAME` makes one")

    def check_snapshot(self, step: StepSource) -> None:
        """Note a snapshot of the world of the step."""
        self.snapshots.add((step.data.get("in"), step.data["snapshot"]))

    def check_restore(self, step: StepSource) -> None:
        """The snapshot must exist in the world of the step."""
        taken = {name for world, name in self.snapshots if world == step.data.get("in")}
        way = "`snapshot: NAME` takes one of the same world"
        _check_known(step, "restore", taken, 'no earlier step takes a snapshot "{}"', way)


def _check_known(step: StepSource, member: str, known: set[str], problem: str, way: str) -> None:
    """Raise InvalidScenario for a name that is not known; `way` is how to make one if none is."""
    name = step.data[member]
    if name not in known:
        hint = suggest_known(name, sorted(known)) if known else f"; {way}"
        raise step.error((member,), problem.format(name) + hint)


_CHECKS: Mapping[str, Callable[[References, StepSource], None]] = {
    "in": References.check_world,
    "background": References.check_background,
    "await": References.check_await,
    "snapshot": References.check_snapshot,
    "restore": References.check_restore,
    "fork": References.check_fork,
}


# Offsets are checked from here if the file has no `now`; the real start may be years away and they still fit.
_DEFAULT_START = "2027-01-04T09:00:00Z"
_MAY_HOLD_OPERATORS = ("body", "headers", "events", "events_exactly", "mail", "money", "state")

# What no service lets its clients choose.
_NOT_IN_SANDBOX = ("now", "settings", "app")

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")

# Where a step has times and durations.
_TIMES: tuple[YamlPath, ...] = (
    ("advance", "to"),
    ("receiver", "outage", "from"),
    ("receiver", "outage", "to"),
    ("fault", "when", "from"),
    ("fault", "when", "to"),
)
_DURATIONS: tuple[YamlPath, ...] = (("advance",), ("advance", "by"))  # the first may be any goal


class Head(NamedTuple):
    """What the head of a file settles for all steps: the instant that offsets count from, and the app.

    `has_standard_owners` is whether all owners of money are those of the standard fixtures.
    """

    start_ms: int
    app: str | None
    has_standard_owners: bool


def check_head(source: Source, app: str | None) -> Head:
    """Check the head of a file; InvalidScenario if it is wrong, ValueError for an `app` that is not on this machine."""
    with source.checking(("now",)):
        start_ms = parse_instant(source.data.get("now", _DEFAULT_START))
    for name in _NOT_IN_SANDBOX if "sandbox" in source.data else ():
        if name in source.data:
            raise source.error(
                (name,), f'a service has no "{name}" to set; a scenario with "sandbox" has none', name=True
            )
    if "sources" in source.data:
        _check_sources(source)
    if app is None and "app" in source.data:
        app = source.data["app"]
        with source.checking(("app",)):
            check_app_url(app)
    elif app is not None:
        check_app_url(app)
    return Head(start_ms, app, has_standard_owners(source.data))


def _check_sources(source: Source) -> None:
    """Each id must be that of a statement or a decision."""
    known = source_texts(source.data["sources"])
    for index, name in enumerate(source.data["sources"]):
        if name not in known:
            message = f'neither a statement nor a decision has the id "{name}"; `giftsim statements` lists them'
            raise source.error(("sources", index), message)


def check_step(step: StepSource, head: Head, known: Mapping[str, Any]) -> None:
    """Raise InvalidScenario for the first error in a step that fits the schema; `known` are the variables so far."""
    data = step.data
    if step.kind == "app" and head.app is None:
        raise step.error(("app",), NO_APP, name=True)
    variables = _check_nesting(step, head, known)
    if "repeat" in data:
        variables = {**variables, "n": UNKNOWN}
    for name, member in data.items():
        if name == "save":
            _check_saved_names(step, member)
        elif name != "on_delivery":  # its steps are checked one by one
            saved = dict.fromkeys(data.get("save", ()), UNKNOWN) if name == "recorded" else {}
            check_expressions(step.source, (*step.path, name), member, {**variables, **saved}, head.start_ms)
    _check_method(step)
    _check_recorded(step)
    _check_times(step, head)
    _check_fault(step)
    _check_expect(step.source, head, (*step.path, "expect"), data.get("expect", {}))


def _check_nesting(step: StepSource, head: Head, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check the variables of the loops and includes around a step; return them with the `known` ones."""
    variables = known
    for layer in step.nesting.layers:
        for name, path in layer.paths.items():
            check_names(layer.source, path[:-1] if path[-1] == name else path[:-2], (name,))
            check_expressions(layer.source, path, layer.values[name], variables, head.start_ms)
        variables = {**variables, **layer.values}
    return variables


def _check_saved_names(step: StepSource, saves: Mapping[str, str]) -> None:
    check_names(step.source, (*step.path, "save"), saves)
    for name in saves:
        if name in step.nesting.variables:
            message = f'"{name}" is a variable of the loop or include around this step; save under another name'
            raise step.error(("save", name), message, name=True)


def _check_method(step: StepSource) -> None:
    """An unknown method is a typing error, unless the call was recorded."""
    method = str(step.data.get("call", "GET")).partition(" ")[0]
    lost = "connection" in step.data.get("expect", {})
    if method not in METHODS and not (lost or "recorded" in step.data or "background" in step.data):
        raise step.error(("call",), f'"{method}" is not an HTTP method{suggest_known(method, METHODS)}')


def _check_recorded(step: StepSource) -> None:
    body = step.data.get("recorded", {}).get("body")
    if isinstance(body, dict):
        with step.source.checking((*step.path, "recorded", "body", "base64")):
            decode_base64(body["base64"])


def _check_times(step: StepSource, head: Head) -> None:
    for path in _TIMES:
        text = _value_at(step.data, path)
        if text is not None:
            _check_time(step.source, head, (*step.path, *path), text)
    for path in _DURATIONS:
        text = _value_at(step.data, path)
        if not isinstance(text, str) or has_expressions(text):
            continue
        [(name, goal)] = goal_of(text).items() if not path[1:] else [("by", text)]
        if name == "to":
            _check_time(step.source, head, (*step.path, *path), goal)
        if name == "by":
            with step.source.checking((*step.path, *path)):
                parse_duration(goal)


def _check_time(source: Source, head: Head, path: YamlPath, text: str) -> None:
    if not has_expressions(text):
        with source.checking(path):
            parse_time(text, head.start_ms)


def _value_at(value: Any, path: YamlPath) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _check_fault(step: StepSource) -> None:
    fault = step.data.get("fault")
    if fault is None:
        return
    if "clear" in fault and len(fault) > 1:
        raise step.error(("fault", "clear"), '"clear" ends a fault and takes no other members', name=True)
    if "clear" not in fault and "effect" not in fault:
        raise step.error(("fault",), 'a fault needs "effect" or "clear"')


def _check_expect(source: Source, head: Head, path: YamlPath, expect: Mapping[str, Any]) -> None:
    if "connection" in expect and not expect.keys().isdisjoint({"status", "headers", "body"}):
        raise source.error((*path, "connection"), "a lost connection has no status, headers or body", name=True)
    for name in _MAY_HOLD_OPERATORS:
        _check_operators(source, (*path, name), expect.get(name))
    if head.has_standard_owners and "scenario" in source.data:
        check_owners(source, (*path, "money"), expect.get("money", {}))
    check_times(source, (*path, "state"), expect.get("state", {}), head.start_ms)
    for name in ("events", "events_exactly", "mail"):
        for index, item in enumerate(expect.get(name, [])):
            if isinstance(item, dict) and isinstance(item.get("at"), str):
                _check_time(source, head, (*path, name, index, "at"), item["at"])


def _check_operators(source: Source, path: YamlPath, expected: Any) -> None:
    if is_operator(expected):
        for name in expected:
            if name.startswith("$") and name not in OPERATORS:
                message = f'"{name}" is not an operator{suggest_known(name, OPERATORS)}'
                raise source.error((*path, name), message, name=True)
        with source.checking(path):
            check_operators(expected)
    for key, member in iterate_members(expected):
        _check_operators(source, (*path, key), member)
