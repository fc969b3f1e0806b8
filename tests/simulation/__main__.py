"""Run seeds, on and on, on both processors; print each that fails, cut to the events that matter, and how to repeat it.

`python -m tools simulate`, with `--seed 17`, or with `--plant 'Two threads write at once'`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count
from multiprocessing import get_context
from typing import TYPE_CHECKING

import click

from tests.simulation.planted import faults, plant

if TYPE_CHECKING:
    from tests.simulation.run import Outcome

CHUNK = 25


def run_chunk(first: int, size: int) -> tuple[int, float, list[Outcome]]:
    """Run some seeds: how many, the simulated seconds, and the runs that failed."""
    import gc

    from tests.simulation.plan import draw
    from tests.simulation.run import run

    failed, simulated_s = [], 0.0
    gc.disable()  # a fifth of the time would go to that
    for seed in range(first, first + size):
        outcome = run(draw(seed))
        simulated_s += outcome.simulated_s
        if outcome.violation:
            failed.append(outcome)
    gc.collect()
    return size, simulated_s, failed


class Seeds:
    """Runs chunks of seeds in several processes, until enough have run or failed."""

    def __init__(self, first: int, most: int | None, jobs: int, minutes: float | None) -> None:
        from giftsim.engine.system import SYSTEM

        self._monotonic = SYSTEM.monotonic
        self._began_s = self._monotonic()
        self._until_s = None if minutes is None else self._began_s + 60 * minutes
        self._chunks = self._left(first, most)
        self._jobs = jobs
        self.count, self.simulated_s = 0, 0.0

    def run(self) -> Iterator[Outcome]:
        """The runs that failed, as they come."""
        with ProcessPoolExecutor(self._jobs, mp_context=get_context("fork")) as pool:
            running: set[Future[tuple[int, float, list[Outcome]]]] = set()
            try:
                for first, size in self._chunks:
                    running.add(pool.submit(run_chunk, first, size))
                    if len(running) > self._jobs:
                        done, running = wait(running, return_when=FIRST_COMPLETED)
                        yield from self._take(done)
                yield from self._take(wait(running).done)
            finally:
                pool.shutdown(cancel_futures=True)

    def figures(self) -> str:
        """How many seeds have run, and how fast."""
        spent_s = self._monotonic() - self._began_s
        rate, days = self.count / spent_s, self.simulated_s / 86_400
        return f"{self.count} seeds in {spent_s:.0f} s: {rate:.1f} seeds a second, {days:.1f} simulated days"

    def _left(self, first: int, most: int | None) -> Iterator[tuple[int, int]]:
        for at in count(first, CHUNK):
            if (most is not None and at >= first + most) or (self._until_s and self._monotonic() > self._until_s):
                return
            yield at, CHUNK if most is None else min(CHUNK, first + most - at)

    def _take(self, done: set[Future[tuple[int, float, list[Outcome]]]]) -> Iterator[Outcome]:
        for each in done:
            size, simulated_s, failed = each.result()
            self.count += size
            self.simulated_s += simulated_s
            yield from failed


def describe(outcome: Outcome, planted: str | None) -> str:
    """A run that failed, cut to the events that matter, and the command that repeats it."""
    from tests.simulation.shrink import shrink

    small = shrink(outcome)
    numbers = ",".join(str(event.n) for event in small.plan.events)
    options = f"--seed {outcome.plan.seed}" + (f" --only {numbers}" if small is not outcome else "")
    options += f" --plant '{planted}'" if planted else ""
    return "\n".join(
        [
            f"seed {outcome.plan.seed} failed ({outcome.kind}): {outcome.violation}",
            f"with {len(small.plan.events)} of {len(outcome.plan.events)} events: {small.violation}",
            *(f"  {event}" for event in small.plan.events),
            f"repeat it: python -m tools simulate {options}",
        ]
    )


def repeat(seed: int, only: str | None) -> Outcome:
    """Run one seed, and print all that happens."""
    from tests.simulation.plan import draw
    from tests.simulation.run import run

    plan = draw(seed)
    if only is not None:
        plan = plan.only({int(number) for number in only.split(",") if number})
    outcome = run(plan)
    click.echo("\n".join(outcome.log))
    click.echo(f"{outcome.steps} steps, {outcome.simulated_s:.3f} simulated seconds, digest {outcome.digest:08x}")
    return outcome


@click.command()
@click.option("--seed", type=int, help="Run this seed only, and print what happens.")
@click.option("--only", metavar="N,N", help="With --seed: the numbers of the events that happen.")
@click.option("--first", type=int, help="The first seed; by default another one each time.")
@click.option("--count", "most", type=int, help="How many seeds; by default they go on and on.")
@click.option("--minutes", type=float, help="For how long.")
@click.option("--jobs", type=click.IntRange(1, 64), default=os.cpu_count() or 1, help="How many at a time.")
@click.option("--failures", default=1, show_default=True, help="After how many failing seeds to stop.")
@click.option(
    "--plant", "name", metavar="NAME", help="Plant a fault of tests/simulation/faults.yaml; --list names them."
)
@click.option("--list", "listed", is_flag=True, help="Print the planted faults with their seeds.")
def main(
    seed: int | None,
    only: str | None,
    first: int | None,
    most: int | None,
    minutes: float | None,
    jobs: int,
    failures: int,
    name: str | None,
    listed: bool,
) -> None:
    """Simulate the whole process: threads, network, disk and time, by seeds, and check what must hold."""
    if listed:
        return click.echo("\n".join(f"{fault.seed:6}  {fault.breaks}" for fault in faults()))
    if name is not None:
        plant(next(fault for fault in faults() if fault.breaks == name))
    if seed is not None:
        outcome = repeat(seed, only)
        if outcome.violation:
            click.echo(f"({outcome.kind}) {outcome.violation}")
        sys.exit(bool(outcome.violation))
    from giftsim.engine.worlds.system_clock import fresh_seed

    seeds = Seeds(fresh_seed() if first is None else first, most, jobs, minutes)
    found = 0
    for outcome in seeds.run():
        found += 1
        click.echo(describe(outcome, name))
        if found >= failures:
            break
    click.echo(seeds.figures())
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
