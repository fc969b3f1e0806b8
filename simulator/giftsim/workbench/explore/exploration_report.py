"""Output of explore: a progress bar, each finding with its plan and command to repeat it, and a JSON report."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from giftsim.engine.kernel.texts import one_line
from giftsim.workbench.explore.failures import cause_of
from giftsim.workbench.explore.plan import Restart, describe_plan, needs_two

if TYPE_CHECKING:
    from giftsim.workbench.explore.explorer import Explorer, Finding


MAX_SEEDS_SHOWN = 5
COVERED = (("reached", "met"), ("missing", "missing"))


class ShrinkProgressLine:
    """A line that shows the progress of shrinking; nothing if the output is not a terminal."""

    def __init__(self, output: TextIO) -> None:
        self._output, self._is_terminal = output, output.isatty()

    def __call__(self, number: int, of: int, runs: int) -> None:
        """Show one more run."""
        if self._is_terminal:
            click.echo(f"\r\033[Kshrinking {number} of {of}: {runs + 1} runs", file=self._output, nl=False)

    def clear(self) -> None:
        """Remove the line."""
        if self._is_terminal:
            click.echo("\r\033[K", file=self._output, nl=False)


def run_with_progress_bar(explorer: Explorer, runs: Iterator[int], many: int | None, output: TextIO) -> None:
    """Run all seeds, of which `runs` yields each that is done."""
    bar = click.progressbar(
        runs,
        length=many,
        label="exploring",
        file=output,
        show_pos=True,
        item_show_func=lambda _: counted(len(explorer.failures), "finding") if explorer.failures else "",
    )
    with bar:
        for _ in bar:
            pass


def summary_lines(
    report: Mapping[str, Any],
    *,
    seed: int | None = None,
    took_s: float | None = None,
    noun: str = "seed",
    waited: str = "",
) -> Iterator[str]:
    """The lines at the end of an exploration, from its report; `seed` if it ran only this one.

    `waited` says how long it waited for the app, if it did. `noun` says what was counted: seeds, or a search's plans.
    """
    if report["stopped"]:
        yield report["stopped"]
    findings, runs = report["findings"], counted(report["plays"], "run")
    seeds = counted(report["seeds"], noun) if seed is None else f"seed {seed}"
    effort = runs if took_s is None else f"{runs} in {took_s:.1f} s"
    if waited:
        yield waited
    if not findings:
        yield f"no findings in {seeds}{' so far' if report['stopped'] else ''} ({effort})"
        if report["stopped"]:
            yield f"report: {report['report']}"
        return
    failed = len({each for finding in findings for each in finding["seeds"]})
    share = f", {failed} of which failed" if seed is None else ""
    yield f"{counted(len(findings), 'finding')} in {seeds}{share} ({effort})"
    for number, finding in enumerate(findings, 1):
        yield ""
        yield from _finding_lines(number, finding, noun)
    yield ""
    yield f"report: {report['report']}"


def waited_line(explorer: Explorer) -> str:
    """That an exploration waited for the app, if it did."""
    if not explorer.waited_s:
        return ""
    limit = f"--timeout is {explorer.protocol.timeout_s} s"
    return f"waited {explorer.waited_s:.0f} s of real time for the app, a second or longer each time ({limit})"


def repeat_command(
    finding: Finding, app: str, command: str | None, start: str | None = None, *, app_clock: bool = False
) -> str:
    """The command that plays a finding's file again; `start` is the command that starts the app, if there is one.

    With `app_clock`, the app's clock followed the world.
    """
    check = f" --check {shlex.quote(command)}" if command else ""
    starts = app_clock or needs_two(finding.plan) or any(isinstance(action, Restart) for action in finding.plan.actions)
    started = f" --app-command {shlex.quote(start)}" if start and starts else ""
    moved = " --app-clock" if app_clock else ""
    return f"{_program()} play {shlex.quote(str(finding.path))} --app {app}{started}{moved}{check}"


def _program() -> str:
    """The program that is running: the installed command, or the script at the root of a checkout."""
    return "giftsim" if Path(sys.argv[0]).stem == "giftsim" else "python run_sim.py"


Areas = Mapping[str, Mapping[str, Any]]


def json_report(
    explorer: Explorer, findings: Sequence[Finding], command: str | None, areas: Areas | None = None
) -> dict[str, Any]:
    """The result as JSON data, without anything that depends on time or machine.

    With the coverage's `areas` it says what of the service was reached, and what was not though it concerns the app.
    """
    start = explorer.runner.instances.command if explorer.runner.instances else None
    covered = {name: {area: each[kind] for area, each in areas.items()} for name, kind in COVERED} if areas else {}
    return {
        "app": explorer.protocol.app,
        "outcome": "wrong" if findings else "held",
        "seeds": len(explorer.seeds_run),
        "stopped": explorer.stop_reason,
        "plays": explorer.plays,
        "findings": [
            {
                "reason": finding.reason,
                "verdicts": list(finding.verdicts),
                "seeds": list(finding.seeds),
                "file": str(finding.path),
                "trace": finding.trace and str(finding.trace),
                "steps": finding.steps,
                "wrong_after": finding.wrong_after,
                "repeats": finding.repeats,
                "story": describe_plan(finding.plan),
                "again": repeat_command(
                    finding, explorer.protocol.app, command, start, app_clock=explorer.protocol.is_shown_time
                ),
            }
            for finding in findings
        ],
        **covered,
    }


def _finding_lines(number: int, finding: Mapping[str, Any], noun: str) -> Iterator[str]:
    seeds = finding["seeds"]
    title, *more_of_it = titles(finding)
    yield click.style(f"{number}. {one_line(title)}", bold=True)
    yield from (f"   {one_line(text)}" for text in more_of_it)
    for line in finding["story"]:
        yield f"     {one_line(line)}"
    shown = ", ".join(map(str, seeds[:MAX_SEEDS_SHOWN]))
    more = f" and {len(seeds) - MAX_SEEDS_SHOWN} more" if len(seeds) > MAX_SEEDS_SHOWN else ""
    yield f"   {finding['file']} ({finding['steps']} steps), {noun}{'s' if len(seeds) > 1 else ''} {shown}{more}"
    if finding.get("wrong_after"):
        yield f"   wrong for the first time after: {finding['wrong_after']}"
    if finding.get("trace"):
        yield f"   trace: {finding['trace']}"
    yield f"   {finding['again']}"
    if finding["repeats"] is None:
        yield "   It was neither shortened to the end nor played again, because explore was stopped."
    elif not finding["repeats"]:
        yield "   The file did not fail again: the app's behaviour depends on more than the calls it receives."


def titles(finding: Mapping[str, Any]) -> list[str]:
    """What a finding is called: the sentence that says why it fails, if one was found, and then what was wrong."""
    cause = [finding["verdicts"][0]["sentence"]] if cause_of(finding["verdicts"]) else []
    return [*cause, finding["reason"]]


def counted(count: int, noun: str) -> str:
    """A count with its noun: `1 plan`, `2 plans`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
