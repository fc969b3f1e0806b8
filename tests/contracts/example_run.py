"""One run with a call of every operation, from which the published contracts have their examples.

It plays scenarios of the library, and makes the calls that none of them makes; last the obvious call of each operation
that is still without an example. The same run gives the same bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.url_paths import CONTROL
from giftsim.services.known import merged_service
from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world
from giftsim.workbench.coverage.items import INTERFACES, items_of
from giftsim.workbench.coverage.next_steps import NextSteps
from giftsim.workbench.scenario import load_scenario, play
from tests.contracts.example_calls import make_other_calls
from tests.docs.pages import ROOT

MAX_BYTES = 6_000  # an example that is longer helps nobody
# Those of the first depend on the test runs of this checkout, those of the others are long: the contract has examples.
IN_CONTRACT = ("listStatements", "getCoverage", "getWholeCoverage")
# The player's own read after each step: what it shows depends on how soon calls in the background are answered.
OWN_READ = "/changes?after="
SCENARIOS = (
    "team/held_gift", "team/test_key_order", "partner/calls_back", "team/test_key_setup", "museum/whole_visit",
    "partner/switched_off", "team/campaign_proofs", "team/key_revoked", "team/managed_person", "team/credit_cut",
    "partner/ping", "partner/order_and_back", "team/wrong_file", "team/unclaimed_gift", "team/campaign_half_way",
    "team/preview", "team/birthdays", "partner/settle_declined", "team/uncertain_payment", "partner/resend_by_hand",
    "partner/cancel_too_late", "team/branding", "team/hook_at_once", "team/store_order", "partner/unknown_outcome",
    "partner/step_by_step", "together/undo", "team/rejected_order", "team/two_editors", "team/upcoming",
    "team/crm_outage", "team/test_gift", "partner/personalization", "partner/stalled_production", "team/paperwork",
    "team/new_hires", "team/month_end", "team/bank_transfer", "partner/corrected_address", "partner/bounced_mail",
)  # fmt: skip


class RecordingClient(InProcess):
    """Keeps, for each operation, the shortest successful call that shows something."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator)
        self.contracts = {name: Contract.load(path) for name, path in CONTRACTS.items()}
        self.examples: dict[str, dict[str, Any]] = {name: {} for name in self.contracts}

    def call(self, method: str, path: str, *, body: Any = None, **options: Any) -> Response:
        """Make one call and keep it."""
        response = super().call(method, path, body=body, **options)
        if OWN_READ in path:
            return response
        for name, contract in self.contracts.items():
            below = path.partition("?")[0].removeprefix(contract.prefix)
            match = contract.match(below) if path.startswith(f"{contract.prefix}/") else None
            operation = match[0].operation(method) if match else None
            if operation is not None and 200 <= response.status < 300:
                self._keep(self.examples[name], operation, body, response)
        return response

    def _keep(self, examples: dict[str, Any], operation: Operation, body: Any, response: Response) -> None:
        example = _example(operation, body, response)
        known = examples.get(operation.id)
        if known is None or _rank(example) < _rank(known):
            examples[operation.id] = example


def _example(operation: Operation, body: Any, response: Response) -> dict[str, Any]:
    example: dict[str, Any] = {"status": str(response.status)}
    kind = response.headers.get("content-type", "").partition(";")[0]
    if operation.node.get("requestBody") and body is not None:
        example["request"] = _value(body)
    if kind.endswith("json"):
        example["response"] = response.json()
    elif kind.startswith("text/") or kind == "application/yaml":
        example["response"] = response.text
    return example


def _value(body: Any) -> Any:
    """A body as JSON, or as text where it is none."""
    if not isinstance(body, str | bytes):
        return body
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        return body if isinstance(body, str) else body.decode()


def _rank(example: Mapping[str, Any]) -> tuple[bool, bool, bool, int]:
    """What is best is short and shows something: a list with an entry, a body that has members."""
    size = len(msgspec.json.encode(dict(example)))
    response = example.get("response")
    empty = isinstance(response, dict) and any(value == [] for value in response.values())
    unsaid = "request" in example and not example["request"]
    return "response" not in example, size > MAX_BYTES, empty or unsaid or response == [], size


def record_examples() -> dict[str, dict[str, Any]]:
    """By interface and operation: `request` and `response`, where there are any, and the response's `status`."""
    simulator = Simulator(fixture="empty")
    try:
        client = RecordingClient(simulator)
        for name in SCENARIOS:
            report = play(load_scenario(ROOT / "scenarios" / f"{name}.yaml"), client)
            assert report.outcome == "passed", report.timeline
        make_other_calls(client)
        add_obvious_examples(client.examples)
    finally:
        simulator.close()
    return {
        name: {id_: example for id_, example in sorted(examples.items()) if id_ not in IN_CONTRACT}
        for name, examples in client.examples.items()
    }


def add_obvious_examples(known: dict[str, dict[str, Any]]) -> None:
    """Make the obvious call of each operation that has no example, and the contract's own call of the control API."""
    client = RecordingClient(Simulator())
    missing = {
        interface: [id_ for id_ in contract.operations if id_ not in known[interface] and id_ not in IN_CONTRACT]
        for interface, contract in client.contracts.items()
    }
    items = items_of(merged_service())
    try:
        for interface, ids in missing.items():
            for id_ in ids:
                if interface in INTERFACES:
                    _follow(
                        client, NextSteps(items).step("operations", items.operations[interface, id_].name)["pytest"]
                    )
                else:
                    _call_as_in_contract(client, client.contracts[interface].operations[id_])
    finally:
        client.simulator.close()
    for interface, ids in missing.items():
        known[interface] |= {id_: client.examples[interface][id_] for id_ in ids if id_ in client.examples[interface]}


def _follow(client: RecordingClient, test: str) -> None:
    pasted: dict[str, Any] = {}
    exec(test, pasted)
    with open_world(client) as world:
        next(value for name, value in pasted.items() if name.startswith("test_"))(world)


def _call_as_in_contract(client: RecordingClient, operation: Operation) -> None:
    media = operation.node.get("requestBody", {}).get("content", {}).get("application/json", {})
    body = next((example["value"] for example in media.get("examples", {}).values()), None)
    with open_world(client) as world:
        client.call(operation.method, CONTROL + operation.template.replace("{w}", world.world), body=body)
