"""Holds HTTP servers against the RFCs: `python -m tools conformance`. `--write` keeps outcomes and renders the page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping

from tools.conformance.outcomes import OURS, Results, cases, keep, kept, run
from tools.conformance.page import PAGE, render
from tools.conformance.servers import OTHERS, Missing, other, own, version

NONE = Results("", {})


def run_own() -> Results:
    """The outcomes of our server."""
    with own() as port:
        return Results("", run(port, kept().get(OURS, NONE).outcomes))


def run_other(name: str) -> Results:
    """The outcomes of one of OTHERS, and its version. Missing."""
    found = version(name)
    with other(name) as port:
        return Results(found, run(port, kept().get(name, NONE).outcomes))


def lines(results: Mapping[str, Results]) -> Iterator[str]:
    """What the servers did in each case in which one differs."""
    for name in cases():
        row = {server: each.outcomes[name] for server, each in results.items() if name in each.outcomes}
        if not all(each.is_met for each in row.values()):
            cells = "; ".join(f"{'' if each.is_met else 'DIFFERS '}{peer} {each.what}" for peer, each in row.items())
            yield f"{name}: {cells}"


def main() -> int:
    """Run all cases at all servers that are on this machine."""
    parser = argparse.ArgumentParser(prog="python -m tools conformance", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the outcomes, and render the page")
    options = parser.parse_args()
    results = {OURS: run_own()}
    for name in OTHERS:
        try:
            results[name] = run_other(name)
        except Missing as missing:
            print(f"{name} is left out: {missing}", file=sys.stderr)
    for line in lines(results):
        print(line)
    if options.write:
        keep({**kept(), **results})
        PAGE.write_text(render(kept()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
