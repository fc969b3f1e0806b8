"""A copy of the checkout in which a mutant is applied, and its tests are run.

The checkout itself is never changed. Byte code in the copy is checked against the hash of its source, not against a
time: a file that is broken and restored within a second is compiled anew both times.
"""

from __future__ import annotations

import compileall
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from py_compile import PycInvalidationMode

from tests.mutants.mutant import Mutant

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "*_cache", ".cache", ".hypothesis", "__pycache__", "build", "dist", "node_modules"
)
# With one seed for Hypothesis, so that whether a mutant is noticed does not depend on luck.
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--tb=line", "--no-header",
          "--hypothesis-seed=1")  # fmt: skip
FOREIGN = ("PYTEST_", "GIFTSIM_", "PYTHONPATH")  # variables of a test run around this one
PASSED, NO_TESTS = 0, 5


class Tree:
    """A copy of a checkout, made once; mutants come and go in it."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.path = folder
        shutil.copytree(root, folder, ignore=LEFT_OUT, dirs_exist_ok=True, symlinks=True)
        compileall.compile_dir(folder / "simulator", quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)

    @contextmanager
    def broken(self, mutant: Mutant) -> Iterator[int]:
        """The tree with a mutant, and the line of its change; restored afterwards."""
        file = self.path / mutant.path
        text = file.read_text(encoding="utf-8")
        file.write_text(mutant.apply(text), encoding="utf-8")
        try:
            yield mutant.line(text)
        finally:
            file.write_text(text, encoding="utf-8")

    def run(self, tests: tuple[str, ...], timeout_s: float) -> tuple[int | None, str]:
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
