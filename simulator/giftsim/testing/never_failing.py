"""What the plugin does besides the tests, for traces, coverage and assumptions: an error in it is said in one line.

It changes the outcome of no test and does not end the run. The line is in the report of a test if the work was for a
failed one, else at the end of the run. A worker of pytest-xdist sends its lines to the controller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest

LINES = "giftsim_lines"  # of a worker, for the controller
LINES_KEY = pytest.StashKey[Counter[str]]()
# A test may have replaced what the work calls, for example `open`, by something that fails the test.
ERRORS = (Exception, pytest.fail.Exception, pytest.skip.Exception)


@contextmanager
def never_failing(what: str, say: Callable[[str], object]) -> Iterator[None]:
    """Say in a line what could not be done, and which error came in the block. Only an end of the run passes."""
    try:
        yield
    except pytest.exit.Exception:
        raise
    except ERRORS as error:
        say(f"{what}: {described(error)}")


def described(error: BaseException) -> str:
    """An error in one line."""
    try:
        text = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    except Exception:  # noqa: BLE001 - a test's own class of errors, whose text cannot be made
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def at_the_end(config: pytest.Config) -> Callable[[str], None]:
    """Says lines at the end of the run, each once."""

    def say(line: str) -> None:
        lines = config.stash.setdefault(LINES_KEY, Counter())
        lines[line] += 1
        if hasattr(config, "workeroutput"):
            config.workeroutput[LINES] = dict(lines)

    return say


def add_lines(config: pytest.Config, lines: Mapping[str, int]) -> None:
    """Add the lines of a worker."""
    config.stash.setdefault(LINES_KEY, Counter()).update(lines)


def lines_at_the_end(config: pytest.Config) -> list[str]:
    """The lines to print at the end of the run."""
    lines = config.stash.get(LINES_KEY, Counter[str]())
    return [f"giftsim: {line}{f' ({count} times)' if count > 1 else ''}" for line, count in lines.items()]
