"""Runs the benchmarks, one line each: all groups, or those named (`python -m benchmarks in-process copies`).

With `--write` the figures are kept in `benchmarks/results` and on the page about speed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from benchmarks import (
    campaign,
    console,
    copies,
    curves,
    in_process,
    memory,
    over_http,
    processes,
    report,
    restart,
    side_by_side,
    streams,
    time_travel,
)
from benchmarks.figure import Figure

WRITE = "--write"
GROUPS: dict[str, Callable[[], Iterator[Figure]]] = {
    "in-process": in_process.figures,
    "time-travel": time_travel.figures,
    "copies": copies.figures,
    "campaign": campaign.figures,
    "console": console.figures,
    "over-http": over_http.figures,
    "streams": streams.figures,
    "side-by-side": side_by_side.figures,
    "processes": processes.figures,
    "curves": curves.figures,
    "memory": memory.figures,
    "restart": restart.figures,
}


def main() -> None:
    """Print each figure once it is measured; with `--write`, keep them all at the end."""
    named = [name for name in sys.argv[1:] if name != WRITE]
    unknown = [name for name in named if name not in GROUPS]
    if unknown:
        raise SystemExit(f"no group of benchmarks is named {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    measured: dict[str, list[Figure]] = {}
    for name in named or GROUPS:
        measured[name] = []
        for figure in GROUPS[name]():
            print(figure.line(), flush=True)
            measured[name].append(figure)
    if WRITE in sys.argv:
        report.keep(measured)


if __name__ == "__main__":
    main()
