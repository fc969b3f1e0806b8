"""What a run prints, and the file that it leaves: the trials as JSON, from which a later run can go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from tests.mutants.mutant import Mutant
from tests.mutants.trial import Trial


def describe(trial: Trial) -> str:
    """A mutant that no test noticed: what was changed where, and the tests that ran."""
    return "\n".join(
        [
            f"{trial.verdict.upper()}: {trial.breaks}",
            f"  {trial.file}:{trial.line}",
            *(f"  - {line}" for line in trial.old.splitlines()),
            *(f"  + {line}" for line in trial.new.splitlines()),
            *(f"  ran {test}" for test in trial.tests),
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
