"""Runs the benchmarks, one line each: all groups, or those named (`python -m benchmarks in-process copies`)."""

from __future__ import annotations

import sys

from benchmarks import (
    campaign,
    console,
    copies,
    in_process,
    memory,
    over_http,
    processes,
    restart,
    streams,
    time_travel,
)

GROUPS = {
    "in-process": in_process.figures,
    "time-travel": time_travel.figures,
    "copies": copies.figures,
    "campaign": campaign.figures,
    "console": console.figures,
    "over-http": over_http.figures,
    "streams": streams.figures,
    "processes": processes.figures,
    "memory": memory.figures,
    "restart": restart.figures,
}


def main() -> None:
    """Print each figure once it is measured."""
    unknown = [name for name in sys.argv[1:] if name not in GROUPS]
    if unknown:
        raise SystemExit(f"no group of benchmarks is named {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    for name in sys.argv[1:] or GROUPS:
        for figure in GROUPS[name]():
            print(figure.line(), flush=True)


if __name__ == "__main__":
    main()
