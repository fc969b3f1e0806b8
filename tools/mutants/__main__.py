"""Breaks the product in each of the named ways, and prints which of them no test notices; exit status 1 for such.

`python -m tools mutants`, `python -m tools mutants --sample 12 --seed 7`, `python -m tools mutants --only refund`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import msgspec

from tools.mutants.mutant import TABLES, Mutant, NotApplicable, read_tables, sample
from tools.mutants.trial import Trial, Unsound, run

ROOT = Path(__file__).parents[2]


def chosen(only: tuple[str, ...], count: int | None, seed: str) -> list[Mutant]:
    """The mutants that the options choose; ClickException if there is none."""
    mutants = [mutant for mutant in read_tables(TABLES) if not only or any(part in mutant.breaks for part in only)]
    if not mutants:
        raise click.ClickException(f"no mutant's name has {' or '.join(map(repr, only))}; --list shows them all")
    return mutants if count is None else sample(mutants, count, seed)


@click.command()
@click.option("--only", multiple=True, metavar="TEXT", help="Run the mutants whose name has this text. Repeatable.")
@click.option("--sample", "count", type=int, metavar="N", help="Run N mutants, chosen by the seed.")
@click.option("--seed", default="1", show_default=True, help="Seed of --sample; any text.")
@click.option("--jobs", type=click.IntRange(1, 64), default=2, show_default=True, help="How many at a time.")
@click.option("--timeout", default=60.0, show_default=True, help="Seconds after which a mutant counts as noticed.")
@click.option(
    "--report", type=click.Path(path_type=Path), default=ROOT / "build/mutants.json", help="Where the JSON is."
)
@click.option("--resume", is_flag=True, help="Go on after a run that was stopped: run again only what was not noticed.")
@click.option("--list", "listed", is_flag=True, help="Print the names, and run nothing.")
def main(
    only: tuple[str, ...],
    count: int | None,
    seed: str,
    jobs: int,
    timeout: float,
    report: Path,
    resume: bool,
    listed: bool,
) -> None:
    """Break the product in named ways, and print what no test notices."""
    mutants = chosen(only, count, seed)
    if listed:
        click.echo("\n".join(f"{mutant.place}: {mutant.breaks}" for mutant in mutants))
        return
    kept = read(report, mutants) if resume else {}

    def done(trial: Trial) -> None:
        kept[trial.digest] = trial
        write(report, kept.values())
        click.echo(
            f"{len(kept)}/{len(mutants)} {trial.verdict} {f'by {trial.by} ' if trial.by else ''}- {trial.breaks}"
        )

    try:
        waiting = [mutant for mutant in mutants if mutant.digest not in kept]
        run(ROOT, waiting, jobs=jobs, timeout_s=timeout, done=done)
    except (NotApplicable, Unsound) as error:
        raise click.ClickException(str(error)) from None
    click.echo("\n" + "\n".join(text(kept.values())))
    sys.exit(any(trial.fails for trial in kept.values()))


def describe(trial: Trial) -> str:
    """A mutant that no test noticed: what was changed where, and the test that ran."""
    return "\n".join(
        [
            f"{trial.verdict.upper()}: {trial.breaks}",
            f"  {trial.file}:{trial.line}",
            *(f"  {line}" for line in trial.difference),
            f"  ran {trial.test}",
            *([f"  because {trial.reason}"] if trial.reason else []),
        ]
    )


def text(trials: Iterable[Trial]) -> Iterator[str]:
    """The report for people: the survivors, those with a reason first, then the figure."""
    trials = sorted(trials, key=lambda trial: (not trial.reason, trial.file, trial.line))
    yield from (describe(trial) + "\n" for trial in trials if trial.verdict != "noticed")
    for trial in trials:
        if trial.reason and trial.verdict == "noticed":
            yield f"{trial.breaks}: {trial.by} notices it now; take the reason out of the table."
    noticed = sum(trial.verdict == "noticed" for trial in trials)
    named = sum(trial.verdict != "noticed" and not trial.fails for trial in trials)
    failing = sum(trial.fails for trial in trials)
    yield f"{len(trials)} mutants: {noticed} noticed, {named} survive for a named reason, {failing} survive."


def write(path: Path, trials: Iterable[Trial]) -> None:
    """Write the trials as JSON, so that a run that is interrupted here leaves the earlier file or this one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(list(trials))))
    draft.replace(path)


def read(path: Path, mutants: Iterable[Mutant]) -> dict[str, Trial]:
    """The trials in a file, by digest, of those mutants that were noticed and are still the same."""
    if not path.exists():
        return {}
    digests = {mutant.digest for mutant in mutants}
    trials = msgspec.json.decode(path.read_bytes(), type=list[Trial])
    return {trial.digest: trial for trial in trials if trial.digest in digests and trial.verdict == "noticed"}


if __name__ == "__main__":
    main()
