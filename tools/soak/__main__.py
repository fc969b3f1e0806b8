"""Runs a soak and prints its report; exit status 1 when anything failed. `python -m tools soak --minutes 60`."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from tools.soak.findings import DOUBLED_EVENT, DOUBLED_ORDER, LOST_EVENT, LOST_ORDER, SERVER_ERROR, Findings
from tools.soak.observer import percentile, slowest_minute_s
from tools.soak.plan import Plan
from tools.soak.soak import Soak


@click.command()
@click.option("--minutes", default=10.0, show_default=True, help="How long.")
@click.option("--worlds", default=8, show_default=True, help="How many worlds.")
@click.option("--clients", default=32, show_default=True, help="How many clients, spread over the worlds.")
@click.option("--seed", default=1, show_default=True, help="Seed of everything that clients and testers choose.")
@click.option("--rate", default=3600, show_default=True, help="World seconds per second; 0 stops the clocks.")
@click.option("--kill-every", default=20.0, show_default=True, help="Seconds between kills, on average.")
@click.option("--calls", default=10.0, show_default=True, help="Calls a second and client, at the most.")
@click.option("--p99", default=50.0, show_default=True, help="Most ms that another client may wait; 0: no bound.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the journal file and logs in this new folder.")
def main(
    minutes: float, worlds: int, clients: int, seed: int, rate: int, kill_every: float, calls: float, p99: float,
    keep: Path | None,
) -> None:  # fmt: skip
    """Load a server, kill it again and again, and count what is lost."""
    with tempfile.TemporaryDirectory(prefix="giftsim-soak-") as folder:
        if keep:
            keep.mkdir(parents=True)
        plan = Plan(
            keep or Path(folder), seconds=minutes * 60, worlds=worlds, clients=clients, seed=seed, rate=rate,
            kill_every_s=kill_every, calls_s=calls, check_every_s=min(12.0, minutes * 12), p99_s=p99 / 1000,
        )  # fmt: skip
        soak = Soak(plan)
        soak.run()
        click.echo(report(soak))
    sys.exit(1 if soak.findings.failures else 0)


POINTS = 12
ROW = "{:34} {}"


def report(soak: Soak) -> str:
    """The report as text; the last line says whether the soak passed."""
    parts = (_done(soak), _speed(soak.findings), _waits(soak), _size(soak), _result(soak.findings))
    return "\n\n".join("\n".join(part) for part in parts)


def _done(soak: Soak) -> Iterator[str]:
    plan, done, failed = soak.plan, soak.findings.done, soak.findings.failures
    yield (
        f"soak of {plan.seconds / 60:g} min, seed {plan.seed}: {plan.worlds} worlds, {plan.clients} clients, "
        f"clock {plan.clock}"
    )
    yield ROW.format("calls", f"{done['calls']:,}  ({done['calls'] / plan.seconds:,.0f}/s)")
    yield ROW.format(
        "calls cut", f"{done['calls cut by a kill']:,} by kills, {done['calls cut by a fault']:,} by faults"
    )
    lost = f"lost {failed[LOST_ORDER]}, doubled {failed[DOUBLED_ORDER]}"
    yield ROW.format("orders acknowledged", f"{done['orders acknowledged']:,}  {lost}")
    yield ROW.format("acknowledged answers repeated", f"{done['acknowledged answers repeated']:,}")
    lost = f"lost {failed[LOST_EVENT]}, doubled {failed[DOUBLED_EVENT]}"
    yield ROW.format("webhooks arrived", f"{soak.receivers.arrivals.total:,}  {lost}")
    yield ROW.format("kills", f"{done['kills']}")
    names = (
        "comparisons",
        "advances",
        "undos",
        "restores",
        "resets",
        "snapshots",
        "races",
        "forks",
        "faults",
    )
    yield ROW.format("testers", ", ".join(f"{done[name]:,} {name}" for name in names))
    yield ROW.format("5xx", f"{failed[SERVER_ERROR]}  (and {done['5xx asked for']:,} asked for by faults and races)")


def _speed(findings: Findings) -> Iterator[str]:
    yield f"{'call':24} {'times':>9} {'p50':>9} {'p99':>9} {'longest':>9}"
    for kind, spans in sorted(findings.spans().items(), key=lambda pair: -len(pair[1])):
        p50, p99 = spans[len(spans) // 2], spans[int(len(spans) * 0.99)]
        cells = "".join(f" {span * 1000:>6.1f} ms" for span in (p50, p99, spans[-1]))
        yield f"{kind:24} {len(spans):>9,}{cells}"


def _waits(soak: Soak) -> Iterator[str]:
    """What another client waited, and how busy the machine was with other work."""
    if took := [span.took_s for span in soak.observed]:
        p50, p99, worst = (value * 1000 for value in (*(percentile(took, q) for q in (0.5, 0.99)), max(took)))
        yield ROW.format(
            "another client", f"{len(took):,} calls: p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {worst:.0f} ms"
        )
        yield ROW.format("its slowest minute", f"p99 {slowest_minute_s(soak.observed) * 1000:.1f} ms")
    yield ROW.format("others on this machine took", f"{soak.others_share:.0%} of {os.cpu_count()} processors")


def _size(soak: Soak) -> Iterator[str]:
    server = soak.server
    samples = server.samples
    if not samples:
        return
    curve = [samples[n * (len(samples) - 1) // (POINTS - 1)] for n in range(POINTS)]
    yield ROW.format("resident MB over time", " ".join(f"{sample.resident_mb:.0f}" for sample in curve))
    yield ROW.format("threads", _most_and_last([sample.threads for sample in samples]))
    yield ROW.format("descriptors", _most_and_last([sample.descriptors for sample in samples]))
    starts = sorted(server.starts_s)
    yield ROW.format("starts", f"p50 {starts[len(starts) // 2]:.1f} s, longest {starts[-1]:.1f} s")
    yield ROW.format("journal file", f"{server.journal.stat().st_size / 1e6:.1f} MB")


def _most_and_last(values: list[int]) -> str:
    return f"at most {max(values)}, at rest {values[-1]}"


def _result(findings: Findings) -> Iterator[str]:
    for kind, many in findings.failures.items():
        yield f"FAILED  {kind}: {many:,}"
        for example in findings.examples[kind]:
            yield f"        {example}"
    yield "FAILED" if findings.failures else "PASSED: nothing lost, nothing doubled, nothing left"


if __name__ == "__main__":
    main()
