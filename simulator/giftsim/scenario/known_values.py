"""Values of a step as far as they are known before the scenario is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from giftsim.scenario.compiled_scenario import Scenario, Step
from giftsim.scenario.variables import UNKNOWN, Size, UnresolvedExpression, resolve
from giftsim.scenario.yaml_source import YamlPath

_BUILT_IN: Final = ("world", "origin", "app", "run", "start", "start_date")


class KnownValues:
    """The variables that are known before the steps run; `forget` takes away those that a step saves."""

    def __init__(self, scenario: Scenario, built_in: Mapping[str, Any]) -> None:
        self._head: dict[str, Any] = {name: built_in[name] for name in _BUILT_IN if name in built_in}
        for name, value in scenario.values.items():
            self._head |= without_unknown({name: known_part(value, self._head)})

    def of_step(self, step: Step) -> Mapping[str, Any]:
        """The variables that a step can use, its loops and includes considered."""
        variables = dict(self._head)
        for layer in step.scope:
            known = {name: known_part(value, variables) for name, value in layer.items()}
            variables = {name: value for name, value in variables.items() if name not in layer} | without_unknown(known)
        return variables

    def forget(self, step: Step) -> None:
        """From here on, a variable may have the value that this step saves."""
        for saved in getattr(step, "saves", ()):
            self._head.pop(saved.name, None)

    @property
    def head(self) -> Mapping[str, Any]:
        """The variables outside of all loops and includes."""
        return self._head


def known_part(value: Any, variables: Mapping[str, Any], size: Size | None = None) -> Any:
    """The value with its variables resolved, and UNKNOWN in place of each text that depends on others."""
    size = size or Size()
    if isinstance(value, str):
        try:
            return resolve(value, variables, size)
        except (KeyError, UnresolvedExpression):
            return UNKNOWN
    if isinstance(value, Mapping):
        return {name: known_part(member, variables, size) for name, member in value.items()}
    return [known_part(item, variables, size) for item in value] if isinstance(value, list | tuple) else value


def unknown_paths(value: Any, path: YamlPath = ()) -> Iterator[YamlPath]:
    """The paths of everything UNKNOWN in a value."""
    if value is UNKNOWN:
        yield path
    for name, member in _members(value):
        yield from unknown_paths(member, (*path, name))


def is_known(value: Any) -> bool:
    """Whether nothing in a value is UNKNOWN."""
    return next(unknown_paths(value), None) is None


def without_unknown(value: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are known to the last."""
    return {name: member for name, member in value.items() if is_known(member)}


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
