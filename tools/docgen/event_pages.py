"""The webhook events: their types in Python, and their documentation, with a sample of each that a real run sent.

The run is the scenario scenarios/together/every_event.yaml, in a world of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from giftsim.build import CONTRACTS, Simulator
from giftsim.engine.client.control import Control
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.gateway.contract import Contract
from tools.docgen.markdown import linked_sources

RUN = Path(__file__).parents[2] / "scenarios" / "together" / "every_event.yaml"
HOSTS: Final = {"partner": "hooks.partner.example", "team": "hooks.team.example"}
WIDTH: Final = 110
REASON = "reason"  # the member of `data` by which events of one type differ

Attempt = Mapping[str, Any]


KINDS_FILE: Final = Path("simulator/giftsim/services/gifting/domain/webhook_kinds.py")
KINDS_TEXT: Final = '''"""The types of webhook events that partners and teams can subscribe to.

Generated from the contracts: `python -m tools docgen` renews this file.
"""

from __future__ import annotations

{partner}
{team}
# Every type that an endpoint may receive: the events, and the types of the two pings.
KINDS = (*dict.fromkeys((*PARTNER_KINDS, *TEAM_KINDS)), {tests})
'''


class NoSample(Exception):
    """The run sent no event of a type that the contract has; the message names it."""


def kinds_module(root: Path) -> dict[Path, str]:
    """The module with the types of events: those of the contracts' schema EventKind, and then the tests."""
    parts, tests = {}, []
    for interface in HOSTS:
        document = Contract.load(CONTRACTS[interface]).document
        kinds = document["components"]["schemas"]["EventKind"]["enum"]
        lines = "".join(f"    {json.dumps(kind)},\n" for kind in kinds)
        parts[interface] = f"{interface.upper()}_KINDS = (\n{lines})\n"
        tests += [json.dumps(kind) for kind in document["webhooks"] if kind not in kinds]
    return {root / KINDS_FILE: KINDS_TEXT.format(**parts, tests=", ".join(tests))}


def event_request() -> str:
    """One event as it is sent, with its headers."""
    attempt = _samples("partner")["team_order.shipped"][0]
    headers = "\n".join(f"{name}: {value}" for name, value in attempt["request"]["headers"].items())
    return f"```text\nPOST /gifts HTTP/1.1\n{headers}\n\n{attempt['request']['body']}\n```"


def events(interface: str) -> str:
    """Every event of an interface."""
    kinds = Contract.load(CONTRACTS[interface]).published["webhooks"]
    samples = _samples(interface)
    return "\n\n".join(part for kind in kinds for part in _event(kind, kinds[kind]["post"], samples))


def _event(kind: str, node: Mapping[str, Any], samples: Mapping[str, list[Attempt]]) -> Iterator[str]:
    yield f"### {kind}"
    description = " ".join(node.get("description", "").split())
    yield f"{node['summary']}. {description} ({linked_sources(node['x-source'])})".replace(".  (", ". (")
    if kind not in samples:
        raise NoSample(f"{RUN.name} sends no {kind}: let it happen there")
    for attempt in samples[kind]:
        yield f"```json\n{_filled(json.loads(attempt['request']['body'])['data'])}\n```"


def _filled(data: Mapping[str, Any]) -> str:
    """The JSON of an event's data: each member begins a line, and what is in an object fills its lines."""
    return "{" + ",\n ".join(_filled_member(name, value) for name, value in data.items()) + "}"


def _filled_member(name: str, value: Any) -> str:
    key = f"{json.dumps(name)}: "
    if not isinstance(value, dict) or len(key + _dumped(value)) < WIDTH:
        return key + _dumped(value)
    lines = [f"{key}{{"]
    for part in (f"{json.dumps(inner)}: {_dumped(of)}" for inner, of in value.items()):
        if len(lines[-1]) + len(part) > WIDTH:
            lines.append("   ")
        lines[-1] += f"{part}, "
    return "\n".join(line.rstrip() for line in lines).removesuffix(",") + "}"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def bodies(interface: str) -> list[dict[str, Any]]:
    """The bodies of all samples, whose `data` are on the page."""
    return [json.loads(each["request"]["body"]) for found in _samples(interface).values() for each in found]


def _samples(interface: str) -> Mapping[str, list[Attempt]]:
    """The first attempt of each type, and of each reason of a type, that the run sent to an interface's endpoint."""
    found: dict[str, dict[str | None, Attempt]] = {}
    for attempt in _attempts():
        if f"//{HOSTS[interface]}/" in attempt["url"]:
            reason = json.loads(attempt["request"]["body"])["data"].get(REASON)
            found.setdefault(attempt["type"], {}).setdefault(reason, attempt)
    return {kind: list(by_reason.values()) for kind, by_reason in found.items()}


@cache
def _attempts() -> tuple[Attempt, ...]:
    """Every attempt to deliver an event that the run makes."""
    control = Control(Simulator(fixture="bare").client)
    yaml = {"Content-Type": "application/yaml"}
    report = control.send("POST", "/scenarios/play?keep=true", RUN.read_bytes(), headers=yaml)
    if report["outcome"] != "passed":
        raise NoSample(f"{RUN.name} failed: play it to see where")
    return tuple(ClientWorld(control, report["world"]).rows("/deliveries", "deliveries"))
