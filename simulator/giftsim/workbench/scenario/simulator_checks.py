"""Checks of a scenario against the simulator that will play it: whatever it would refuse in any case is refused before.

A scratch world is created from the scenario's head. Settings, faults, receivers and actors are tried in it, since they
are refused for what they say and not for what happened before. Verbs are compared with the schemas of `GET /simulate`,
and credentials with those of the world. Members that depend on values saved while playing are left out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.client.control import Control
from giftsim.engine.client.response import Client, Response
from giftsim.workbench.scenario.compiled_scenario import Scenario, Step
from giftsim.workbench.scenario.scenario_error import InvalidScenario, suggest_known
from giftsim.workbench.scenario.schema import fit_step_part
from giftsim.workbench.scenario.variables import RUN, UNKNOWN, with_instants
from giftsim.workbench.scenario.verb_checks import KnownValues, Verbs, is_known, known_part, without_unknown
from giftsim.workbench.scenario.webhook_names import WebhookNames
from giftsim.workbench.scenario.world_client import WorldClient, path_segment, world_body
from giftsim.workbench.scenario.yaml_source import YamlPath, iterate_members

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
        queue.extend(((*path, name), member) for name, member in iterate_members(value))
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


# What is wrong with a call itself, whatever the state of the world.
INVALID_BODY: Final = 400
UNKNOWN_ROUTE: Final = 404
WRONG_METHOD: Final = 405
EXPRESSION: Final = re.compile(r"\$\{[^}]*\}")
NO_PARAMETER: Final = re.compile(r"there is no operation|unknown parameter")
NO_OPERATION: Final = re.compile(r'there is no operation [^"]*|[^" ]+ has [A-Z, ]+, not [A-Z]+')
REFUSALS: Final = (INVALID_BODY, UNKNOWN_ROUTE, 422)
# Control calls that are tried in the scratch world.
TRIED: Final = re.compile(r"PATCH /settings|POST /faults|POST /actors|PUT /receivers/[^/]+")
VERB: Final = re.compile(r"POST /simulate/([^/?]+)")
# Verbs that are tried in the scratch world too: they act on accounts, teams and products, which it has from the start.
TRIED_VERBS: Final = ("account", "team", "single_order", "price", "stock", "personalization")
# Control calls that may wait for something to happen.
WAITING: Final = re.compile(r"[?&]wait=|/stream\b")
# Calls that create or rename a key or a session, so that later steps can use credentials unknown before.
CREDENTIAL_CALL: Final = re.compile(r"(POST|PATCH) (\$\{|.*(/keys|/sessions|/mcp))")


def check_scenario(scenario: Scenario, client: Client) -> None:
    """Raise InvalidScenario for the first thing in a scenario that the simulator would refuse whenever it is played."""
    response = Control(client).call("POST", "/worlds", world_body(scenario))
    if response.status in REFUSALS:
        raise _head_error(scenario, response)
    if response.is_success:
        world = WorldClient(client, response.json())
        try:
            _WorldCheck(scenario, world, Control(client)).check_all()
        finally:
            world.delete()


class _WorldCheck:
    """The checks of one scenario in its scratch world; `credentials_open` says that steps may have created more."""

    def __init__(self, scenario: Scenario, world: WorldClient, simulator: Control) -> None:
        self.scenario, self.world, self.simulator = scenario, world, simulator
        self.known = KnownValues(scenario, world.variables(RUN, scenario.app))
        self.names = WebhookNames(scenario, world)
        self.credentials_open = False

    @cached_property
    def verbs(self) -> Verbs:
        """The verbs of the outside world."""
        return Verbs(self.world.control("GET", "/simulate?limit=1000")["verbs"])

    @cached_property
    def rehearsals(self) -> Mapping[str, Sequence[str]]:
        """The members that each rehearsal takes."""
        rows = self.simulator.send("GET", "/reference/rehearsals?limit=1000")["rehearsals"]
        return {row["name"]: row["takes"] for row in rows}

    def check_all(self) -> None:
        """Check the actors, then all steps in order."""
        for index, actor in enumerate(self.scenario.actors):
            members = known_part(actor.members, self.known.head)
            if is_known(members):
                self._dry_run_actor(index, members)
        for written in _steps(self.scenario):
            variables = self.known.of_step(written)
            step = _with_known_expectations(written, variables)
            if step.kind in _CHECKS:
                _CHECKS[step.kind](self, step, variables)
            self.names.check(step, variables)
            self.credentials_open |= _may_create_credentials(step, self.scenario)
            self.known.forget(step)

    def check_credential(self, step: Any, variables: Mapping[str, Any]) -> None:
        """A credential must exist, unless an earlier step may have created it."""
        name = known_part(step.credential, variables)
        if self._lacks(name):
            raise step.error(("as",), f'the world has no credential "{name}"{suggest_known(name, self._names)}')

    def check_call(self, step: Any, variables: Mapping[str, Any]) -> None:
        """A call must have a credential that exists, and the path of an operation."""
        self.check_credential(step, variables)
        path = known_part(step.path, variables)
        path = EXPRESSION.sub("1", step.path) if path is UNKNOWN else str(path)
        is_meant = step.recorded or any(_expects(step, status) for status in (UNKNOWN_ROUTE, WRONG_METHOD))
        if is_meant or not path.startswith("/"):
            return
        answer = self.world.call(step.method, path, None, {})  # without a credential, which a route is found before
        if answer.status in (UNKNOWN_ROUTE, WRONG_METHOD) and (found := NO_OPERATION.search(answer.text)):
            raise step.error(("call",), found[0])

    def check_settings(self, step: Any, variables: Mapping[str, Any]) -> None:
        """Settings and their values must exist."""
        self._dry_run(step, ("settings",), "PATCH", "/settings", without_unknown(known_part(step.value, variables)))

    def check_fault(self, step: Any, variables: Mapping[str, Any]) -> None:
        """A fault must be able to act."""
        if hasattr(step, "members"):
            members = known_part(step.members, variables)
            self._dry_run_fault(
                step, ("fault",), self._fitted(step, "fault", members) if is_known(members) else members
            )

    def check_receiver(self, step: Any, variables: Mapping[str, Any]) -> None:
        """A receiver must have a valid target and valid addresses."""
        members, host = known_part(step.members, variables), known_part(step.host, variables)
        if host is not UNKNOWN and is_known(members):
            members = self._fitted(step, "receiver", {"host": host, **self._with_instants(members, "outage")})
            del members["host"]
            self._dry_run(step, ("receiver",), "PUT", f"/receivers/{path_segment(str(host).lower())}", members)

    def check_verb(self, step: Any, variables: Mapping[str, Any]) -> None:
        """The members of a verb and their values must exist."""
        self._check_verb(step, step.verb, known_part(step.members, variables), ("simulate",), ("with",))

    def check_rehearsal(self, step: Any, variables: Mapping[str, Any]) -> None:
        """A rehearsal must take the members that it is given."""
        takes, members = self.rehearsals.get(step.name, ()), known_part(step.members, variables)
        unknown = next((name for name in members if name not in takes), None)
        if unknown is not None and step.name in self.rehearsals and not _expects(step, INVALID_BODY):
            message = f'{step.name} does not take "{unknown}"{suggest_known(unknown, takes)}'
            raise step.error(("with", unknown), message, name=True)
        if not _expects(step, UNKNOWN_ROUTE) and self._lacks(members.get("key")):
            message = f'the world has no key "{members["key"]}"{suggest_known(members["key"], self._names)}'
            raise step.error(("with", "key"), message)

    def check_control(self, step: Any, variables: Mapping[str, Any]) -> None:
        """A control call that sets something up is checked like the step of its kind, and one that reads is made."""
        call = known_part(f"{step.method} {step.path}", variables)
        body = known_part(step.body, variables)
        if step.method == "GET":
            self._dry_run_reading(step, call)
        if call is UNKNOWN or not isinstance(body, Mapping):
            return
        if verb := VERB.fullmatch(call):
            self._check_verb(step, verb[1], body, ("control",), ("body",))
        elif call == "POST /faults":
            self._dry_run_fault(step, ("body",), body)
        elif TRIED.fullmatch(call) and is_known(body):
            method, path = call.split(" ", 1)
            self._dry_run(step, ("body",), method, path, body)

    def _check_verb(self, step: Step, verb: str, members: Any, verb_path: YamlPath, members_path: YamlPath) -> None:
        if not _expects(step, UNKNOWN_ROUTE):
            self.verbs.check_name(step, verb, verb_path)
        if not _expects(step, INVALID_BODY) and isinstance(members, Mapping):
            self.verbs.check_members(step, verb, members, verb_path, members_path)
        if not _expects(step, UNKNOWN_ROUTE) and isinstance(members, Mapping) and self._lacks(members.get("key")):
            message = f'the world has no key "{members["key"]}"{suggest_known(members["key"], self._names)}'
            raise step.error((*members_path, "key"), message)
        if verb in TRIED_VERBS and is_known(members) and not self.credentials_open:
            self._dry_run(step, members_path, "POST", f"/simulate/{verb}", members)

    def _dry_run_reading(self, step: Any, call: Any) -> None:
        """A path and its query must be those of an operation; values of variables may be wrong in the scratch world."""
        path = EXPRESSION.sub("1", step.path) if call is UNKNOWN else str(call).removeprefix("GET ")
        if WAITING.search(path) or _expects(step, UNKNOWN_ROUTE) or _expects(step, INVALID_BODY):
            return
        response = self.world.call("GET", self.world.path(path), None, {})
        is_known_call = call is not UNKNOWN and response.status == INVALID_BODY
        if response.status in REFUSALS and (is_known_call or NO_PARAMETER.search(response.text)):
            raise step.error(("control",), self._message(response))

    @property
    def _names(self) -> list[str]:
        return sorted(self.world.credential_names)

    def _lacks(self, name: Any) -> bool:
        """Whether the world has no credential of that name, and no step may have created it."""
        return isinstance(name, str) and not self.credentials_open and not self.world.has_credential(name)

    def _dry_run_fault(self, step: Step, path: YamlPath, members: Mapping[str, Any]) -> None:
        """Try a fault, without the conditions that are not known yet; it acts on more without them."""
        parts = {
            name: without_unknown(members[name]) for name in ("match", "when") if isinstance(members.get(name), Mapping)
        }
        members = self._with_instants({**members, **parts}, "when")
        credential = members.get("match", {}).get("credential")
        if self.credentials_open and credential is not None and not self.world.has_credential(credential):
            match = {name: value for name, value in members["match"].items() if name != "credential"}
            members = {**members, "match": match}
        if is_known(members):
            self._dry_run(step, path, "POST", "/faults", members)
            self.world.control("DELETE", "/faults")

    def _fitted(self, step: Step, definition: str, members: Mapping[str, Any]) -> dict[str, Any]:
        """The members of a step with what its variables stand for. InvalidScenario if that does not fit."""
        try:
            return dict(fit_step_part(definition, members))
        except ValueError as error:
            raise step.error((definition,), str(error), name=True) from None

    def _with_instants(self, members: Mapping[str, Any], span: str) -> dict[str, Any]:
        """The members with the times of a span as instants."""
        if not isinstance(members.get(span), Mapping):
            return dict(members)
        return {**members, span: with_instants(members[span], ("from", "to"), self.world.start_ms)}

    def _dry_run_actor(self, index: int, members: Mapping[str, Any]) -> None:
        response = self.world.call("POST", self.world.path("/actors"), members, {})
        if response.status in REFUSALS:
            message = self._message(response)
            place = find_culprit(message, self.scenario.source.value_at(("actors", index)))
            raise self.scenario.source.error(("actors", index, *place.path), message, name=place.is_name)

    def _dry_run(self, step: Step, path: YamlPath, method: str, call_path: str, body: Mapping[str, Any]) -> None:
        response = self.world.call(method, self.world.path(call_path), body, {})
        if response.status in REFUSALS and not _expects(step, response.status):
            message = self._message(response)
            place = find_culprit(message, body)
            raise step.error((*path, *place.path), message, name=place.is_name)

    def _message(self, response: Response) -> str:
        return _message(response).replace(f"world {self.world.id}", "the world")


_CHECKS: Final[Mapping[str, Any]] = {
    "call": _WorldCheck.check_call,
    "control": _WorldCheck.check_control,
    "fault": _WorldCheck.check_fault,
    "receiver": _WorldCheck.check_receiver,
    "rehearse": _WorldCheck.check_rehearsal,
    "settings": _WorldCheck.check_settings,
    "simulate": _WorldCheck.check_verb,
}


def _steps(scenario: Scenario) -> Iterator[Step]:
    """All steps in the order in which they are written; those during a delivery follow their advance."""
    for step in scenario.steps:
        yield step
        yield from step.nested


def _may_create_credentials(step: Any, scenario: Scenario) -> bool:
    """Whether keys or sessions may exist after this step that the world did not start with."""
    if step.kind in ("call", "control"):
        return bool(CREDENTIAL_CALL.match(f"{step.method} {step.path}"))
    return step.kind == "app" or (scenario.app is not None and step.kind == "advance")


def _with_known_expectations(step: Step, variables: Mapping[str, Any]) -> Step:
    """The step with the values that it is known to expect. InvalidScenario for a variable whose value does not fit."""
    expect = known_part(step.expect, variables)
    if expect == step.expect:
        return step
    if is_known(expect):
        try:
            expect = fit_step_part(step.expectation, expect)
        except ValueError as error:
            raise step.error(("expect",), str(error), name=True) from None
    return msgspec.structs.replace(step, expect=expect)


def _expects(step: Step, status: int) -> bool:
    """Whether the step is there to see a call refused in this way, or may be."""
    return step.expect.get("status") in (status, UNKNOWN)


def _head_error(scenario: Scenario, response: Response) -> InvalidScenario:
    message, source = _message(response), scenario.source
    head = {name: source.data[name] for name in ("fixture", "settings", "seed", "now") if name in source.data}
    place = find_culprit(message, head)
    return source.error(place.path, message, name=place.is_name)


def _message(response: Response) -> str:
    return str(response.json()["error"]["message"])
