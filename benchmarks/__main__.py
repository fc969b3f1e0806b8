"""Runs the benchmarks, one line each: all groups, or those named (`python -m benchmarks in-process copies`).

The walk of a newcomer runs only by its name (`python -m benchmarks newcomer`): it needs the index of packages.

With `--write` the figures are kept in `benchmarks/results` and on the page about speed.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks import report
from benchmarks.groups import GROUPS, ON_REQUEST, measure

WRITE = "--write"


def main() -> None:
    """Print each figure once it is measured; with `--write`, keep them all at the end."""
    named = [name for name in sys.argv[1:] if name != WRITE]
    unknown = [name for name in named if name not in GROUPS]
    if unknown:
        raise SystemExit(f"no group of benchmarks is named {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    # Each in a process of its own, because what another one leaves in memory would count.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as processes:
        measured = {name: processes.submit(measure, name).result() for name in chosen(named)}
    if WRITE in sys.argv:
        report.keep(measured)


def chosen(named: list[str]) -> list[str]:
    """The groups that were named, or all that run without being named."""
    return named or [name for name in GROUPS if name not in ON_REQUEST]


if __name__ == "__main__":
    main()
