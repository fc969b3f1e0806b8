"""Checks of the names by which steps select webhooks, types of events and hosts: a misspelt one selects nothing.

An expectation of nothing, such as `count: 0`, would pass then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from giftsim.workbench.scenario.compiled_scenario import Scenario, Step
from giftsim.workbench.scenario.scenario_error import suggest_known
from giftsim.workbench.scenario.variables import UNKNOWN, has_expressions
from giftsim.workbench.scenario.verb_checks import known_part
from giftsim.workbench.scenario.world_client import WorldClient
from giftsim.workbench.scenario.yaml_source import YamlPath, iterate_members

_URL_HOST: Final = re.compile(r"https://([^/?#\s\"'&]+)")
_ANY_HOST: Final = "*"
_SUBSCRIBED: Final = re.compile(r"/webhooks(/[^/?]+)?(\?|$)")
_TYPED_LISTS: Final = re.compile(r"/(events|deliveries)\?(\S+)")

Named = tuple[YamlPath, Any]


class WebhookNames:
    """The types and hosts that the webhooks of a scenario can have; a subscribed address begins with https."""

    def __init__(self, scenario: Scenario, world: WorldClient) -> None:
        self._scenario, self._world = scenario, world

    def check(self, step: Step, variables: Mapping[str, Any]) -> None:
        """Raise InvalidScenario for a type or a host in a step that no webhook has."""
        for path, kind in _types(step):
            kind = known_part(kind, variables)
            if isinstance(kind, str) and not self._is_known(kind):
                raise step.error(path, f'no event has the type "{kind}"{suggest_known(kind, self._kinds)}')
        for path, host in _hosts(step):
            host = known_part(host, variables)
            if isinstance(host, str) and self._known_hosts is not None and not self._has(host):
                message = (
                    f'no webhook of this scenario goes to "{host}"{suggest_known(host, sorted(self._known_hosts))}'
                )
                raise step.error(path, message)

    def _is_known(self, kind: str) -> bool:
        if "partner" in self._world.interfaces:  # asking the simulator loads every contract
            from giftsim.services.gifting.domain.webhook_kinds import KINDS

            if kind in KINDS:
                return True
        return kind in self._kinds

    @cached_property
    def _kinds(self) -> list[str]:
        kinds: list[str] = self._world.control("GET", "/faults/choices")["events"]
        return kinds

    def _has(self, host: str) -> bool:
        return host == _ANY_HOST or host.lower() in (self._known_hosts or ())

    @cached_property
    def _known_hosts(self) -> frozenset[str] | None:
        """The hosts of all addresses in the scenario and its world. None if there may be others, or there are none.

        An app may subscribe an address that the scenario does not have, and so may a step with a variable for a host.
        """
        if self._scenario.app is not None:
            return None
        steps = [each for step in self._scenario.steps for each in (step, *step.nested)]
        sources = {id(step.source): step.source.data for step in steps}
        texts = [*_texts([self._scenario.source.data, *sources.values(), dict(self._scenario.values)])]
        found = [host for text in texts for host in _URL_HOST.findall(unquote(text))]
        found += [urlsplit(row["url"]).hostname or "" for row in self._world.rows("endpoints")]
        if not found or any(has_expressions(host) for host in found):
            return None
        return frozenset(host.rpartition("@")[2].partition(":")[0].lower() for host in found)


def _types(step: Any) -> Iterator[Named]:
    for name in ("deliveries", "events", "events_exactly"):
        yield from _named(step.expect.get(name), ("expect", name), "type")
    for index, entry in enumerate(getattr(step, "entries", ())):
        yield ("on_delivery", index, "type"), entry.conditions.get("type", UNKNOWN)
    if step.kind == "call" and _SUBSCRIBED.search(step.path) and _shall_succeed(step):
        listed_events = step.body.get("events") if isinstance(step.body, Mapping) else None
        yield from _named(listed_events, ("body", "events"), "type")
    if step.kind == "control" and (listed := _TYPED_LISTS.search(step.path)):
        yield from ((("control",), value) for name, value in parse_qsl(listed[2]) if name == "type")


def _shall_succeed(step: Any) -> bool:
    """Whether a call is an error of the scenario if it is refused; what a recorded one got is checked otherwise."""
    status = step.expect.get("status", HTTPStatus.OK)
    return (
        step.recorded is None
        and step.background is None
        and isinstance(status, int)
        and status < HTTPStatus.MULTIPLE_CHOICES
    )


def _hosts(step: Any) -> Iterator[Named]:
    yield from _named(step.expect.get("deliveries"), ("expect", "deliveries"), "host")
    for index, entry in enumerate(getattr(step, "entries", ())):
        yield ("on_delivery", index, "host"), entry.conditions.get("host", UNKNOWN)
    if step.kind == "receiver" and not step.optional:
        yield ("receiver", "host"), step.host
    if step.kind == "fault" and hasattr(step, "members") and isinstance(step.members.get("match"), Mapping):
        yield ("fault", "match", "host"), step.members["match"].get("host", UNKNOWN)


def _named(expected: Any, path: YamlPath, member: str) -> Iterator[Named]:
    """The member of an expected entry, or of each of a list; of events, a text is its type."""
    if isinstance(expected, Mapping):
        yield (*path, member), expected.get(member, UNKNOWN)
    elif isinstance(expected, list):
        for index, item in enumerate(expected):
            if isinstance(item, str):
                yield (*path, index), item
            else:
                yield from _named(item, (*path, index), member)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for _, member in iterate_members(value):
        yield from _texts(member)
