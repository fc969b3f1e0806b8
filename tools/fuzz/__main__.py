"""Fuzzes in rounds, and keeps each input that fails: `python -m tools.fuzz --minutes 10`. Exits 1 if one does.

With `--models`, it only compares sequences with the models, a thousand with each a round: `--models --rounds 5`.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from giftsim.build import CONTRACTS
from tools.fuzz.changed_inputs import allowed, changed_inputs
from tools.fuzz.hostile_calls import hostile_calls
from tools.fuzz.models import fuzz_model, models
from tools.fuzz.target import Failure, Input, KnownIds, Target, from_json

CORPUS = Path(__file__).parent / "corpus"
KINDS = ("request", "hostile", "raw", "scenario", "fixture", "journal", "recording")
COUNTS = {"request": 2_000, "hostile": 3_000, "raw": 500, "scenario": 300, "recording": 200}
MOST_FILES = 100
SEQUENCES = 1_000
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


def fuzz_bytes(seed: int | str, kind: str, count: int) -> Outcome:
    """Run `count` changed inputs of a kind."""
    target, known = Target(), KnownIds()

    def run(made: Input) -> None:
        if response := target.run(made):
            known.remember(response.body)

    try:
        chance = Random(seed)
        made = hostile_calls(chance, known) if kind == "hostile" else changed_inputs(kind, chance)
        return run_all(islice(allowed(made), count), run)
    finally:
        target.close()


def fuzz_contract(seed: int | str, name: str, examples: int, share: float = 1.0) -> Outcome:
    """Call a share of the operations of a contract, with `examples` that fit it and as many that do not."""
    from tools.fuzz.contracts import ContractCalls  # Schemathesis takes a second to import

    calls, target, chance = ContractCalls(name), Target(), Random(seed)
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
        outcomes.append(fuzz_contract(f"{number} {name}", name, 5))
        report(f"round {number}: contract {name}: {outcomes[-1].inputs} calls, {len(outcomes[-1].failures)} failed")
    for kind in KINDS:
        outcomes.append(fuzz_bytes(f"{number} {kind}", kind, COUNTS.get(kind, MOST_FILES)))
        report(f"round {number}: bytes of {kind}: {outcomes[-1].inputs} inputs, {len(outcomes[-1].failures)} failed")
    return Outcome(sum(each.inputs for each in outcomes), [each for some in outcomes for each in some.failures])


def compare_round(number: int, report: Report) -> int:
    """The models' part of a round; how many models differ."""
    differences = [fuzz_model(number, name, SEQUENCES) for name in models()]
    for name, difference in zip(models(), differences, strict=True):
        report(f"round {number}: model {name}: {SEQUENCES} sequences, {difference or 'no difference'}")
    return len([difference for difference in differences if difference])


def keep(given: Input) -> Path:
    """Write an input into the corpus, under a name that follows from it."""
    text = given.to_json()
    file = CORPUS / f"{given.kind}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    file.write_text(text + "\n", "utf-8")
    return file


def main() -> int:
    """Fuzz in rounds until the time is over, or the rounds are made."""
    parser = argparse.ArgumentParser(prog="python -m tools fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1, help="the number of the first round; a round repeats exactly")
    parser.add_argument("--inputs", type=int, help="end when so many were run, and compare with no model")
    parser.add_argument("--models", action="store_true", help="compare with the models, and do nothing else")
    options = parser.parse_args()
    end, number, inputs, failed = time.monotonic() + 60 * options.minutes, options.seed, 0, 0
    while not _is_over(options, end, number, inputs):
        outcome = Outcome(0, []) if options.models else fuzz_round(number, report)
        for given, failure in outcome.failures:
            print(f"FAILED {keep(given).name}: {failure}", flush=True)
        inputs, failed = inputs + outcome.inputs, failed + len(outcome.failures)
        failed += 0 if options.inputs else compare_round(number, report)
        number += 1
    print(f"{number - options.seed} rounds, {inputs:,} inputs, {failed} failed")
    return 1 if failed else 0


def _is_over(options: argparse.Namespace, end_s: float, number: int, inputs: int) -> bool:
    if options.inputs:
        return bool(inputs >= options.inputs)
    return time.monotonic() >= end_s or number >= options.seed + options.rounds


def report(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
