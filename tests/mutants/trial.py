"""The trial of one mutant: its tests run against the broken tree."""

from __future__ import annotations

import re
from queue import SimpleQueue
from typing import Literal

import msgspec

from tests.mutants.mutant import Mutant
from tests.mutants.tree import NO_TESTS, PASSED, Tree

FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
Verdict = Literal["noticed", "survived", "untested"]


class Trial(msgspec.Struct, frozen=True):
    """What came of a mutant. `by` is the test that failed, or what else ended the run; `digest` is the mutant's."""

    breaks: str
    verdict: Verdict
    file: str
    line: int
    old: str
    new: str
    tests: tuple[str, ...]
    by: str
    reason: str
    digest: str

    @property
    def fails(self) -> bool:
        """Whether the mutant stays unnoticed without a reason."""
        return self.verdict != "noticed" and not self.reason


def run_trial(mutant: Mutant, trees: SimpleQueue[Tree], timeout_s: float) -> Trial:
    """Break a tree that is free, run the mutant's tests in it, and restore it."""
    tree = trees.get()
    try:
        with tree.broken(mutant) as line:
            status, output = tree.run(mutant.tests, timeout_s)
    finally:
        trees.put(tree)
    verdict: Verdict = "survived" if status == PASSED else "untested" if status == NO_TESTS else "noticed"
    failed = FAILED.search(output)
    by = "" if verdict != "noticed" else "time-out" if status is None else failed[1] if failed else "start-up"
    return Trial(
        mutant.breaks, verdict, str(mutant.path), line, mutant.old, mutant.new, mutant.tests, by, mutant.survives,
        mutant.digest,
    )  # fmt: skip
