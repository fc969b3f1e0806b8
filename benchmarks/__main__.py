"""Runs every measurement, one line each; the names of groups (`python -m benchmarks in-process copies`) choose some."""

from __future__ import annotations

import sys

from benchmarks import campaign, copies, in_process, over_http, time_travel

GROUPS = {
    "in-process": in_process.figures,
    "time-travel": time_travel.figures,
    "copies": copies.figures,
    "campaign": campaign.figures,
    "over-http": over_http.figures,
}


def main() -> None:
    """Print figures as they come; the names of groups choose some of them."""
    unknown = [name for name in sys.argv[1:] if name not in GROUPS]
    if unknown:
        raise SystemExit(f"there are {', '.join(GROUPS)}, not {', '.join(unknown)}")
    for name in sys.argv[1:] or GROUPS:
        for figure in GROUPS[name]():
            print(figure.line(), flush=True)


if __name__ == "__main__":
    main()
