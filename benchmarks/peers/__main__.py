"""Measures peers in turn, round by round, and prints a table: `python -m benchmarks.peers [peers|fronts|probes]`."""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, nullcontext
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click

from benchmarks.peers import probes
from benchmarks.peers.front import FRONTS, python_path
from benchmarks.peers.installed import search_path
from benchmarks.peers.peer import PEERS, Peer
from benchmarks.peers.running import running
from benchmarks.peers.wrk import Rate, Request, busy_neighbours, find_wrk, send
from benchmarks.report import machine

PRISM = next(peer for peer in PEERS if peer.name == "Prism")
GROUPS: Mapping[str, tuple[Peer, ...]] = {"peers": PEERS, "fronts": (*FRONTS, PRISM)}
CONDITIONS = ("quiet", "busy")
KINDS = ("read", "create")
Rates = dict[tuple[str, str, str], list[Rate]]


@click.command()
@click.argument("group", type=click.Choice([*GROUPS, "probes"]), default="peers")
@click.option("--rounds", default=3, show_default=True, help="How often each is measured; the median counts.")
@click.option("--seconds", default=3, show_default=True, help="How long each measurement takes.")
@click.option("--only", multiple=True, help="Only the peer of this name, and giftsim.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file too.")
def main(group: str, rounds: int, seconds: int, only: tuple[str, ...], json_file: Path | None) -> None:
    """Measure reads and creates of giftsim and its peers, on a quiet machine and beside two busy neighbours.

    `probes` tries what giftsim asks of an HTTP server, and takes no options.
    """
    if group == "probes":
        for line in probes.table():
            print(line, flush=True)
        return
    find_wrk()
    peers = [peer for peer in GROUPS[group] if not only or peer.name in only or peer is GROUPS[group][0]]
    rates = measure(peers, rounds, seconds)
    print("\n".join(table(peers, rates)))
    if json_file:
        json_file.write_text(json.dumps(report(peers, rates), indent=2) + "\n")


def measure(peers: Iterable[Peer], rounds: int, seconds: int) -> Rates:
    """The rates of each peer, condition and kind of call. All peers run; each is measured in every round."""
    rates: Rates = defaultdict(list)
    path = search_path()
    os.environ["PYTHONPATH"] = python_path()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        started = [(peer, *stack.enter_context(running(peer, folder / str(n), path))) for n, peer in enumerate(peers)]
        for round_ in range(rounds):
            for condition in CONDITIONS:
                with busy_neighbours() if condition == "busy" else nullcontext():
                    for peer, port, read, _ in started:
                        requests: dict[str, Request] = {"read": read, "create": peer.create}
                        for kind, request in requests.items():
                            rates[peer.name, condition, kind].append(send(port, request, seconds, peer.name))
            print(f"round {round_ + 1} of {rounds}", file=sys.stderr)
    return rates


def table(peers: Iterable[Peer], rates: Rates) -> Iterable[str]:
    """A line for each peer, in Markdown: calls a second, p50 and p99 in ms, and what the first one reaches of it."""
    first = next(iter(peers)).name
    heads = [f"{kind}s, {condition}" for condition in CONDITIONS for kind in KINDS]
    yield f"| | {' | '.join(heads)} |"
    yield "| --- |" + " ---: |" * len(heads)
    for peer in peers:
        cells = []
        for condition in CONDITIONS:
            for kind in KINDS:
                rate, own = _median(rates[peer.name, condition, kind]), _median(rates[first, condition, kind])
                cells.append(
                    f"{rate.per_s:,.0f}/s ({rate.p50_ms:.1f}, {rate.p99_ms:.0f}) {own.per_s / rate.per_s:.1f}x"
                )
        yield f"| {peer.name} | {' | '.join(cells)} |"


def report(peers: Iterable[Peer], rates: Rates) -> dict[str, Any]:
    """All figures, with a description of the machine."""
    return {
        "machine": machine(),
        "peers": [
            {
                "name": peer.name,
                "does": peer.does,
                **{
                    f"{kind}s, {condition}": [
                        {"per_s": rate.per_s, "p50_ms": rate.p50_ms, "p99_ms": rate.p99_ms}
                        for rate in rates[peer.name, condition, kind]
                    ]
                    for condition in CONDITIONS
                    for kind in KINDS
                },
            }
            for peer in peers
        ],
    }


def _median(rates: list[Rate]) -> Rate:
    middle = median(rate.per_s for rate in rates)
    return min(rates, key=lambda rate: abs(rate.per_s - middle))


if __name__ == "__main__":
    main()
