"""Runs mutants: copies of the checkout, the tests without any mutant, then each mutant by itself."""

from __future__ import annotations

import compileall
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue
from typing import Literal

import msgspec

from tools.mutants.mutant import Change, Checkout, Mutant

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "*_cache", ".cache", ".hypothesis", "__pycache__", "build", "dist", "node_modules"
)
# With one seed for Hypothesis, so that whether a mutant is noticed does not depend on luck.
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--tb=line", "--no-header",
          "--hypothesis-seed=1")  # fmt: skip
FOREIGN = ("PYTEST_", "GIFTSIM_", "PYTHONPATH")  # variables of a test run around this one
PASSED, NO_TESTS = 0, 5
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
BASELINE_S = 900
Verdict = Literal["noticed", "survived", "untested"]


class Tree:
    """A copy of a checkout, made once; mutants come and go in it."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.path = folder
        shutil.copytree(root, folder, ignore=LEFT_OUT, dirs_exist_ok=True, symlinks=True)
        compileall.compile_dir(folder / "simulator", quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)

    @contextmanager
    def broken(self, change: Change) -> Iterator[None]:
        """The tree with a mutant in it, restored afterwards."""
        file = self.path / change.path
        text = file.read_text(encoding="utf-8")
        file.write_text(change.text, encoding="utf-8")
        try:
            yield
        finally:
            file.write_text(text, encoding="utf-8")

    def run(self, tests: Sequence[str], timeout_s: float) -> tuple[int | None, str]:
        """The exit status of pytest with these arguments, and its output; None after a time-out."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        process = subprocess.Popen(
            [sys.executable, *PYTEST, *tests], cwd=self.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True,
            env={**environment, "PYTHONPATH": str(self.path / "simulator")},
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]
        return process.returncode, output


class Trial(msgspec.Struct, frozen=True):
    """What came of a mutant. `by` is the test that failed, or what else ended the run; `digest` is the mutant's."""

    breaks: str
    verdict: Verdict
    file: str
    line: int
    difference: tuple[str, ...]
    test: str
    by: str
    reason: str
    digest: str

    @property
    def fails(self) -> bool:
        """Whether the mutant stays unnoticed without a reason."""
        return self.verdict != "noticed" and not self.reason


def run_trial(change: Change, trees: SimpleQueue[Tree], timeout_s: float) -> Trial:
    """Break a tree that is free, run the mutant's test in it, and restore it."""
    tree, mutant = trees.get(), change.mutant
    try:
        with tree.broken(change):
            status, output = tree.run([change.test], timeout_s)
    finally:
        trees.put(tree)
    verdict: Verdict = "survived" if status == PASSED else "untested" if status == NO_TESTS else "noticed"
    failed = FAILED.search(output)
    by = "" if verdict != "noticed" else "time-out" if status is None else failed[1] if failed else "start-up"
    return Trial(
        mutant.breaks, verdict, str(change.path), change.line, change.difference, change.test, by, mutant.survives,
        mutant.digest,
    )  # fmt: skip


class Unsound(Exception):
    """The tests fail without any mutant, so that their failing would say nothing."""


def run(
    root: Path, mutants: Sequence[Mutant], *, jobs: int, timeout_s: float, done: Callable[[Trial], None]
) -> list[Trial]:
    """Run mutants of a checkout, `jobs` at a time; `done` is called with each trial. Unsound, NotApplicable."""
    checkout = Checkout(root)
    changes = [checkout.change(mutant) for mutant in mutants]
    trials = []
    with _trees(root, jobs) as trees, ThreadPoolExecutor(jobs) as pool:
        _check_unbroken(trees, sorted({change.test for change in changes}))
        for future in as_completed([pool.submit(run_trial, change, trees, timeout_s) for change in changes]):
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


def _check_unbroken(trees: SimpleQueue[Tree], tests: Sequence[str]) -> None:
    tree = trees.get()
    status, output = tree.run(tests, BASELINE_S) if tests else (PASSED, "")
    trees.put(tree)
    if status != PASSED:
        raise Unsound(f"{output}\nThese tests fail without any mutant: repair them first.")
