"""The samples of events: one of each type and reason, as a real run sends them, and always the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import jsonschema_rs
import pytest
import yaml

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from giftsim.services.statements.decision import load_decisions
from tools.docgen.event_pages import RUN, bodies, event_request, events

SAMPLE = re.compile(r"```json\n(.*?)\n```", re.DOTALL)
INTERFACES = ("partner", "team")


def samples(interface: str) -> list[dict[str, Any]]:
    return [json.loads(text) for text in SAMPLE.findall(events(interface))]


def events_of(interface: str) -> dict[str, Any]:
    return dict(Contract.load(CONTRACTS[interface]).published["webhooks"])


def place(interface: str) -> Callable[[Mapping[str, Any]], int]:
    """Where a body is on the page, which has the order of the contract."""
    kinds = list(events_of(interface))
    return lambda sample: kinds.index(sample["type"])


@pytest.mark.parametrize("interface", INTERFACES)
def test_every_event_of_the_contract_has_a_heading_and_a_sample(interface: str) -> None:
    page = events(interface)
    assert re.findall(r"^### (.+)$", page, re.MULTILINE) == list(events_of(interface))
    assert {sample["type"] for sample in bodies(interface)} == set(events_of(interface))


@pytest.mark.parametrize("interface", INTERFACES)
def test_every_sample_is_valid_by_the_contract(interface: str) -> None:
    document = Contract.load(CONTRACTS[interface]).published
    assert samples(interface) == [sample["data"] for sample in sorted(bodies(interface), key=place(interface))]
    for sample in bodies(interface):
        body = document["webhooks"][sample["type"]]["post"]["requestBody"]["content"]["application/json"]["schema"]
        jsonschema_rs.validator_for({**body, "components": document["components"]}).validate(sample)


def test_every_reason_for_attention_has_a_sample() -> None:
    reasons = [sample.get("reason") for sample in samples("partner")]
    assert {*filter(None, reasons)} == {"shipment_delayed", "shipment_rejected", "claim_link_expired"}


def test_every_event_names_its_sources() -> None:
    for interface in INTERFACES:
        parts = events(interface).split("### ")
        for kind, event in events_of(interface).items():
            [part] = [each for each in parts if each.startswith(f"{kind}\n")]
            first = event["post"]["x-source"][0]
            assert (f"([{first}](../explanation/" if first in load_decisions() else f"({first}") in part


def test_the_run_sends_the_same_bytes_again() -> None:
    client = Simulator(fixture="bare").client
    play = "/_sim/v1/scenarios/play?keep=true"
    headers = {"Content-Type": "application/yaml"}
    worlds = [client.call("POST", play, body=RUN.read_bytes(), headers=headers).json()["world"] for _ in range(2)]
    first, second = (client.call("GET", f"/_sim/v1/worlds/{world}/deliveries?limit=1000").json() for world in worlds)
    assert first == second
    assert "X-Service-Signature: t=" in event_request()
    assert yaml.load(RUN.read_bytes(), yaml.CSafeLoader)["scenario"] == "Every event of both interfaces"
