"""Runs the benchmarks, one line each: all groups, or those named (`python -m benchmarks in-process copies`).

Some groups run only by their name: the walk of a newcomer (`newcomer`) needs the index of packages.

With `--times 3`, each group runs three times in a row, and the run in the middle counts. With `--write`, the figures
are kept in `benchmarks/results` as JSON and as a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import click

from benchmarks import report
from benchmarks.groups import GROUPS, ON_REQUEST, measure


@click.command()
@click.argument("groups", nargs=-1, type=click.Choice(list(GROUPS)))
@click.option("--times", default=1, show_default=True, help="How often each group runs; the middle counts.")
@click.option("--write", is_flag=True, help="Keep the figures in benchmarks/results.")
def main(groups: tuple[str, ...], times: int, write: bool) -> None:
    """Print each figure once it is measured."""
    # Each in a process of its own, because what another one leaves in memory would count.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as processes:
        for name in chosen(groups):
            runs = [processes.submit(measure, name).result() for _ in range(times)]
            if write:
                report.keep(name, runs)


def chosen(named: Sequence[str]) -> Sequence[str]:
    """The groups that were named, or all that run without being named."""
    return named or [name for name in GROUPS if name not in ON_REQUEST]


if __name__ == "__main__":
    main()
