"""A run: copies of the checkout, the tests without any mutant, then each mutant by itself."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.mutant import Mutant
from tests.mutants.tree import PASSED, Tree
from tests.mutants.trial import Trial, run_trial

BASELINE_S = 900


class Unsound(Exception):
    """The tests fail without any mutant, so that their failing would say nothing."""


def run(
    root: Path, mutants: Sequence[Mutant], *, jobs: int, timeout_s: float, done: Callable[[Trial], None]
) -> list[Trial]:
    """Run mutants of a checkout, `jobs` at a time; `done` is called with each trial. Unsound, NotApplicable."""
    for mutant in mutants:
        mutant.line((root / mutant.path).read_text(encoding="utf-8"))
    trials = []
    with _trees(root, jobs) as trees, ThreadPoolExecutor(jobs) as pool:
        _check_unbroken(trees, mutants)
        for future in as_completed([pool.submit(run_trial, mutant, trees, timeout_s) for mutant in mutants]):
            trials.append(future.result())
            done(trials[-1])
    return trials


@contextmanager
def _trees(root: Path, count: int) -> Iterator[SimpleQueue[Tree]]:
    with tempfile.TemporaryDirectory(prefix="giftsim-mutants-") as folder:
        trees: SimpleQueue[Tree] = SimpleQueue()
        for i in range(count):
            trees.put(Tree(root, Path(folder, str(i))))
        yield trees


def _check_unbroken(trees: SimpleQueue[Tree], mutants: Sequence[Mutant]) -> None:
    tree = trees.get()
    tests = tuple(sorted({test for mutant in mutants for test in mutant.tests}))
    status, output = tree.run(tests, BASELINE_S) if tests else (PASSED, "")
    trees.put(tree)
    if status != PASSED:
        raise Unsound(f"{output}\nThese tests fail without any mutant: repair them first.")
