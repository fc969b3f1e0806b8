"""The short form of fuzzing, and every input that failed once. `make fuzz` is the long form."""

from __future__ import annotations

import pytest

from giftsim.build import CONTRACTS
from tools.fuzz.__main__ import KINDS, corpus, fuzz_bytes, fuzz_contract
from tools.fuzz.target import Input, Target


@pytest.mark.parametrize("given", [given for _, given in corpus()], ids=[name for name, _ in corpus()])
def test_an_input_that_failed_once_is_taken_well(given: Input) -> None:
    target = Target()
    target.run(given)
    target.close()


@pytest.mark.parametrize("name", CONTRACTS)
def test_calls_that_follow_or_break_a_contract_are_answered_as_it_says(name: str) -> None:
    share = {"team": 0.1, "control": 0.06}.get(name, 0.4)
    outcome = fuzz_contract(1, name, 1, share)
    assert outcome.inputs
    assert [str(failure) for _, failure in outcome.failures] == []


@pytest.mark.parametrize("kind", KINDS)
def test_changed_bytes_are_taken_or_refused(kind: str) -> None:
    count = {"request": 150, "raw": 40}.get(kind, 8)
    assert [str(failure) for _, failure in fuzz_bytes(1, kind, count).failures] == []


def test_what_the_simulator_logs_as_its_own_error_is_seen() -> None:
    target = Target()
    target.simulator.registry.runtime.log_bug("req_1", ValueError("broken"))
    assert [str(bug) for bug in target.bugs] == ["broken"]
    target.close()
