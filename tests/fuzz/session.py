"""A session of fuzzing: inputs of all kinds in turn, the failures kept, each as small a history as shows it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from giftsim.build import CONTRACTS
from tests.fuzz.files import changed_inputs
from tests.fuzz.target import Failure, Input, Target, from_json

CORPUS = Path(__file__).parent / "corpus"
KINDS = ("request", "raw", "scenario", "fixture", "journal", "recording")
COUNTS = {"request": 2_000, "raw": 500, "scenario": 300, "recording": 200}
MOST_FILES = 100
Report = Callable[[str], None]


def corpus() -> list[tuple[str, Input]]:
    """The inputs that failed once, with their names."""
    return [(file.stem, from_json(file.read_text("utf-8"))) for file in sorted(CORPUS.glob("*.json"))]


class Outcome(NamedTuple):
    """How many inputs were run, and those that failed."""

    inputs: int
    failures: list[tuple[Input, Failure]]


def run_all(inputs: Iterable[Input], run: Callable[[Input], object]) -> Outcome:
    """Run inputs one after the other."""
    count, failures = 0, []
    for count, made in enumerate(inputs, 1):  # noqa: B007  # the last count is that of all
        try:
            run(made)
        except Failure as failure:
            failures.append((made, failure))
    return Outcome(count, failures)


def fuzz_bytes(chance: Random, kind: str, count: int) -> Outcome:
    """Run so many changed inputs of a kind."""
    target = Target()
    try:
        return run_all(islice(changed_inputs(kind, chance), count), target.run)
    finally:
        target.close()


def fuzz_contract(chance: Random, name: str, examples: int, share: float = 1.0) -> Outcome:
    """Call a share of the operations of a contract, each with so many examples of either mode."""
    from tests.fuzz.contracts import ContractCalls  # Schemathesis takes a second to import

    calls, target = ContractCalls(name), Target()
    chosen = [each for each in calls.operations if chance.random() < share]
    try:
        inputs = (made for each in chosen for made in calls.inputs(each, chance, examples))
        return run_all(inputs, lambda made: calls.run(target, made))
    finally:
        target.close()


def fuzz_round(number: int, report: Report) -> Outcome:
    """One round of the long form: every contract, and every kind of input changed byte by byte."""
    outcomes = []
    for name in CONTRACTS:
        outcomes.append(fuzz_contract(Random(f"{number} {name}"), name, 5))
        report(f"round {number}: contract {name}: {outcomes[-1].inputs} calls, {len(outcomes[-1].failures)} failed")
    for kind in KINDS:
        outcomes.append(fuzz_bytes(Random(f"{number} {kind}"), kind, COUNTS.get(kind, MOST_FILES)))
        report(f"round {number}: bytes of {kind}: {outcomes[-1].inputs} inputs, {len(outcomes[-1].failures)} failed")
    return Outcome(sum(each.inputs for each in outcomes), [each for some in outcomes for each in some.failures])


def keep(given: Input) -> Path:
    """Write an input into the corpus, under a name that follows from it."""
    text = given.to_json()
    file = CORPUS / f"{given.kind}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    file.write_text(text + "\n", "utf-8")
    return file
