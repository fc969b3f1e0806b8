"""Calls that Schemathesis derives from the four contracts: some that fit them, some that almost do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import urlencode

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisException
from schemathesis import GenerationMode
from schemathesis.core import NotSet
from schemathesis.core.result import Ok

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.contract_file import document
from tests.support.contract_conformance import mismatches
from tools.fuzz.target import WORLD, Failure, Input, KnownIds, Target

CREDENTIALS = {
    "partner": ("partner.prepaid", "partner.net_terms", "partner.no_funds"),
    "team": ("team.live_approver", "team.test", "team.live_requester"),
    "museum": ("museum",),
    "control": ("",),
}
# What waits for a call that never comes or takes real time, and what makes the world answer beside its contract.
LEFT_OUT = ("hold", "delay", "running", "undocumented", "error_shape", "_status")
PHASES = [Phase.generate]


class ContractCalls:
    """The operations of one contract."""

    def __init__(self, name: str) -> None:
        self.name, self.contract = name, Contract.load(CONTRACTS[name])
        found = schemathesis.openapi.from_dict(document(CONTRACTS[name])).get_all_operations()
        self.operations: list[Any] = [each.ok() for each in found if isinstance(each, Ok)]
        self.known = KnownIds()

    def inputs(self, operation: Any, chance: Random, count: int) -> Iterator[Input]:
        """Calls of an operation; half of them break the contract somewhere."""
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            for case in _cases(operation, mode, chance.randrange(2**32), count):
                made = self._input(case, chance)
                if not any(word in made.path or word.encode() in made.content for word in LEFT_OUT):
                    yield made

    def run(self, target: Target, made: Input) -> None:
        """Make a call, whose response must be one that the contract documents."""
        response = target.run(made)
        if response is None:
            return
        match = self.contract.match(made.path.partition("?")[0].removeprefix(self.contract.prefix))
        if match and made.method in match[0].operations:
            wrong = list(mismatches(match[0].operations[made.method], response))
            if wrong:
                raise Failure(f"{response.status}: {'; '.join(wrong)[:300]}")
        self.known.remember(response.body)

    def _input(self, case: Any, chance: Random) -> Input:
        for name in case.path_parameters or {}:
            if name == "w":
                case.path_parameters[name] = WORLD.rpartition("/")[2]
            elif chance.random() < 0.7:
                case.path_parameters[name] = chance.choice(self.known.ids)
        headers = {name: str(text) for name, text in (case.headers or {}).items() if name.lower() == "idempotency-key"}
        query = urlencode(case.query or {}, doseq=True, errors="replace")
        path = self.contract.prefix + case.formatted_path
        return Input(
            "request", _content(case.body), case.method.upper(), f"{path}?{query}" if query else path,
            chance.choice(CREDENTIALS[self.name]), headers,
        )  # fmt: skip


def _content(body: Any) -> bytes:
    if isinstance(body, NotSet):
        return b""
    if isinstance(body, str | bytes):
        return body if isinstance(body, bytes) else body.encode("utf-8", "replace")
    return json.dumps(body).encode()


def _cases(operation: Any, mode: GenerationMode, number: int, count: int) -> list[Any]:
    cases: list[Any] = []

    @seed(number)
    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=[*HealthCheck], phases=PHASES)
    @given(case=operation.as_strategy(generation_mode=mode))
    def collect(case: Any) -> None:
        cases.append(case)

    with suppress(HypothesisException):  # an operation without parameters cannot break the contract
        collect()
    return cases
