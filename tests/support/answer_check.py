"""Checks what the simulator answers and sends against its contracts: calls, pages of claims, and bodies of webhooks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response as Answer
from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.other_readings import EVERY
from giftsim.engine.kernel.placeholders import fill_placeholders
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.event import PING_SUBJECT, Event, encode_body
from giftsim.services.gifting.interfaces.partner.error_envelope import ERROR_SHAPE
from giftsim.workbench.trace.file import is_trace, unpack_page
from tests.support.closed_schema import closed_document, closed_schema
from tests.support.contract_conformance import Documented, Header, documented, mismatches, wrong_body, wrong_headers
from tests.support.secret_scanner import findings

OTHER_PINGS = ("webhooks.test_type", "webhooks.ping_data")
TRACES = ("getTrace", "makeTrace")
SHOWN = 600
MAX_FOUND = 20

# What the simulator itself answers on every interface, in the name of a test or of its machine: no contract of the
# service has it.
OF_SIMULATOR: Final[Mapping[str, str]] = {
    "invalid_fault": "the header X-Sim-Fault of the call is wrong (G16)",
    "call_undone": "the call was held, and was undone meanwhile (G40)",
    "world_gone": "the call was held, and its world was deleted meanwhile",
    "journal_not_written": "the disk is full, or the simulator has ended",
}

# Statuses of the claim page, by method (B17, G20, G85, G101). 500 is none: a bug would answer it.
CLAIM_PAGE: Final[Mapping[str, frozenset[int]]] = {
    "GET": frozenset({200, 404, 409, 410}),
    "HEAD": frozenset({200, 404, 409, 410}),
    "POST": frozenset({200, 303, 400, 403, 404, 409, 410, 413, 422, 503}),
    "OPTIONS": frozenset({204}),
}
OTHER_METHOD = frozenset({405})

KEY = re.compile(r'idempotency_key\W{1,9}([^"\\]+)')
# A string of which a test sent megabytes: a scanner takes half a microsecond for each character.
LONG = re.compile(r'([^"]{1000})[^"]+')


class AnswerCheck:
    """What was answered or sent against a contract, since it was last asked."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.checked = 0

    def check_call(self, call: Call, answer: Answer) -> None:
        """Note what is wrong with the answer to a call."""
        name = call.interface.name
        if name not in CONTRACTS or is_asked_for(call, answer):
            return
        self.checked += 1
        operation = call.matched_operation
        wrong = unrouted_mismatches(name, answer) if operation is None else mismatches(operation, answer)
        place = f"{name} {operation.id if operation else f'{call.method} {call.path}'}"
        for each in wrong:
            self.note(f"{place} answered {answer.status}: {each}", answer.body)
        if operation is not None and operation.id in TRACES and answer.status == 200:
            self.check_trace(place, answer.body)

    def check_trace(self, place: str, content: bytes) -> None:
        """Note the secrets in a trace, which is a page or its data. The idempotency keys of clients are none (G3)."""
        text = LONG.sub(r"\1", (unpack_page(content) if is_trace(content) else content).decode())
        for secret in {*findings(text), *findings(text.replace('\\"', '"'))}.difference(KEY.findall(text)):
            self.note(f"{place} shows what looks like a secret: {secret}", b"")

    def check_claim_page(self, method: str, status: int) -> None:
        """Note a status that the claim page does not have."""
        self.checked += 1
        if status not in CLAIM_PAGE.get(method, OTHER_METHOD):
            self.note(f"the claim page answered {method} with {status}", b"")

    def check_webhook(self, event: Event) -> None:
        """Note what is wrong with the body of a webhook."""
        self.checked += 1
        body = fill_placeholders(encode_body(event), "http://giftsim.example", "w1")
        schema = webhook_schema("partner" if event.owner.startswith("account ") else "team", event.kind)
        if schema is None and event.subject == PING_SUBJECT:
            return  # a test invented its type
        if schema is None:
            self.note(f"the webhook {event.kind} is in no contract", body)
            return
        value = msgspec.json.decode(body)
        if not schema.is_valid(value):
            for violation in schema.violations(value):
                self.note(f"the webhook {event.kind} was sent: {violation.message}", body)

    def note(self, wrong: str, body: bytes) -> None:
        """Note one thing that is wrong, with the answer."""
        if len(self.found) < MAX_FOUND:
            text = body.decode("utf-8", "replace")
            self.found.append(f"{wrong}\n    in {text if len(text) <= SHOWN else text[:SHOWN] + '…'}")

    def take(self) -> str:
        """What was found, and begin anew."""
        found, self.found = self.found, []
        return "\n".join(["This is in no contract:", *found]) if found else ""


def reads_otherwise(state: State) -> bool:
    """Whether a test has the world answer or send what the contracts lack."""
    others = {*state.handler(EVERY)(), *OTHER_PINGS, ERROR_SHAPE.name}
    return not others.isdisjoint(state.setting_values)


def is_asked_for(call: Call, answer: Answer) -> bool:
    """Whether a fault made the answer what the contract lacks, or the simulator speaks of itself."""
    if call.selected_world is not None and reads_otherwise(call.state):
        return True
    if "status" in call.effect and (call.effect.get("undocumented") or call.effect.get("code")):
        return True
    return answer.status >= 400 and any(f'"{code}"'.encode() in answer.body[:200] for code in OF_SIMULATOR)


def unrouted_mismatches(interface: str, answer: Answer) -> Iterator[str]:
    """The differences between the answer for an unknown path or method and the errors of the interface."""
    if answer.status not in (404, 405):
        yield f"status {answer.status} is not documented"
    error = _error(interface)
    yield from wrong_headers(error, answer.headers)
    yield from wrong_body(error, answer)


@cache
def _error(interface: str) -> Documented:
    """An error of the interface, with any code, and with `Allow`."""
    operation = next(iter(Contract.load(CONTRACTS[interface]).operations.values()))
    refusal = documented(operation, 401)
    if refusal is None:
        raise LookupError(f"{operation.id} documents no 401")
    headers = {name: header._replace(required=False) for name, header in refusal.headers.items()}
    allow = Header("Allow", required=False, integer=False, schema=Schema({}, {}))
    return refusal._replace(headers={**headers, "allow": allow}, codes=frozenset())


@cache
def _closed(interface: str) -> dict[str, Any]:
    return closed_document(Contract.load(CONTRACTS[interface]).document)


@cache
def webhook_schema(interface: str, kind: str) -> Schema | None:
    """The closed schema of the body of a kind of webhook; None if the contract has no such webhook."""
    closed = _closed(interface)
    node = closed.get("webhooks", {}).get(kind)
    if node is None:
        return None
    return Schema(closed_schema(node["post"]["requestBody"]["content"]["application/json"]["schema"]), closed)
