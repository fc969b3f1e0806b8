"""Checks of the members of verbs against the schemas that the simulator publishes for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from giftsim.engine.client.matching import preview_value
from giftsim.workbench.scenario.compiled_scenario import Scenario, Step
from giftsim.workbench.scenario.scenario_error import suggest_known
from giftsim.workbench.scenario.variables import UNKNOWN, Size, UnresolvedExpression, map_texts, resolve_variables
from giftsim.workbench.scenario.yaml_source import YamlPath, iterate_members

if TYPE_CHECKING:
    from giftsim.engine.gateway.body_schema import Schema, Violation


class KnownValues:
    """The variables that are known before the steps run; `forget` takes away those that a step saves.

    `head` are those outside of all loops and includes.
    """

    def __init__(self, scenario: Scenario, built_in: Mapping[str, Any]) -> None:
        self.head = dict(built_in)
        for name, value in scenario.values.items():
            self.head |= without_unknown({name: known_part(value, self.head)})

    def of_step(self, step: Step) -> Mapping[str, Any]:
        """The variables that a step can use, its loops and includes considered."""
        variables = dict(self.head)
        for layer in step.scope:
            known = {name: known_part(value, variables) for name, value in layer.items()}
            variables = {name: value for name, value in variables.items() if name not in layer} | without_unknown(known)
        return variables

    def forget(self, step: Step) -> None:
        """From here on, a variable may have the value that this step saves."""
        for saved in getattr(step, "saves", ()):
            self.head.pop(saved.name, None)


def known_part(value: Any, variables: Mapping[str, Any]) -> Any:
    """The value with its variables resolved, and UNKNOWN in place of each text that depends on others."""
    size = Size()

    def resolve_text(text: str) -> Any:
        try:
            return resolve_variables(text, variables, size)
        except (KeyError, UnresolvedExpression):
            return UNKNOWN

    return map_texts(value, resolve_text)


def unknown_paths(value: Any, path: YamlPath = ()) -> Iterator[YamlPath]:
    """The paths of everything UNKNOWN in a value."""
    if value is UNKNOWN:
        yield path
    for name, member in iterate_members(value):
        yield from unknown_paths(member, (*path, name))


def is_known(value: Any) -> bool:
    """Whether nothing in a value is UNKNOWN."""
    return next(unknown_paths(value), None) is None


def without_unknown(value: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are known to the last."""
    return {name: member for name, member in value.items() if is_known(member)}


# Keywords that are broken by the names of members, whatever the values of the members are.
_ABOUT_NAMES: Final = ("additionalProperties", "required", "minProperties", "maxProperties")


class Verbs:
    """The verbs of the outside world by their names; `listed` is how `GET /simulate` lists them."""

    def __init__(self, listed: Sequence[Mapping[str, Any]]) -> None:
        self._schemas = {verb["verb"]: verb["schema"] for verb in listed}
        self._schema = cache(self._load)

    def check_name(self, step: Step, verb: str, path: YamlPath) -> None:
        """Raise InvalidScenario if there is no such verb; its name is at `path`."""
        if verb not in self._schemas:
            raise step.error(path, f'"{verb}" is not a verb of the outside world{suggest_known(verb, self._schemas)}')

    def check_members(
        self, step: Step, verb: str, members: Mapping[str, Any], verb_path: YamlPath, path: YamlPath
    ) -> None:
        """Raise InvalidScenario for the first wrong one of the `members` of a known verb; they are at `path`."""
        unknown = list(unknown_paths(members))
        if verb not in self._schemas:
            return
        found = [
            violation
            for violation in self._schema(verb).violations(_with_text(members))
            if not any(_depends_on(violation, path) for path in unknown)
        ]
        if found:
            violation = min(found, key=lambda violation: violation.keyword != "additionalProperties")
            self._raise(step, verb, violation, members, path if members else verb_path)

    def _load(self, verb: str) -> Schema:
        # Imported here because it imports a library that only files with verbs need.
        from giftsim.engine.gateway.body_schema import Schema

        return Schema(self._schemas[verb], self._schemas[verb])

    def _raise(self, step: Step, verb: str, violation: Violation, members: Mapping[str, Any], path: YamlPath) -> None:
        """Raise InvalidScenario for a violation."""
        from giftsim.engine.gateway.node import described_node

        schema = self._schemas[verb]
        node, value = described_node(schema, schema, members, violation.path)
        name = next((str(part) for part in reversed(violation.path) if isinstance(part, str)), verb)
        known = list(node.get("properties", {}))
        member = next((each for each in value if each not in known), None) if isinstance(value, Mapping) else None
        if violation.keyword == "additionalProperties" and known and member is not None:
            message = f'"{member}" is not a member of "{name}"{suggest_known(member, known)}'
            raise step.error((*path, *violation.path, member), message, name=True)
        if violation.keyword == "required":
            owner = next((str(part) for part in reversed(violation.path[:-1]) if isinstance(part, str)), verb)
            raise step.error((*path, *violation.path[:-1]), f'"{owner}" needs "{name}"')
        raise step.error((*path, *violation.path), _message(name, node, value, violation))


def _message(name: str, node: Mapping[str, Any], value: Any, violation: Violation) -> str:
    if violation.keyword == "enum" and "enum" in node:
        shown = value if isinstance(value, str) else preview_value(value)
        return f'"{shown}" is not a value of "{name}"{suggest_known(shown, map(str, node["enum"]))}'
    takes = node.get("x-takes")
    return f'"{name}" takes {takes}, not {preview_value(value)}' if takes else violation.message


def _with_text(value: Any) -> Any:
    """The value with text in place of what is not known."""
    if isinstance(value, Mapping):
        return {name: _with_text(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_with_text(item) for item in value]
    return "" if value is UNKNOWN else value


def _depends_on(violation: Violation, unknown: YamlPath) -> bool:
    """Whether a violation may come from a value that is not known."""
    if violation.path[: len(unknown)] == unknown:
        return True
    return unknown[: len(violation.path)] == violation.path and violation.keyword not in _ABOUT_NAMES
