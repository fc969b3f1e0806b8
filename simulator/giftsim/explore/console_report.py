"""What an exploration tells: a bar while it runs, then each kind of wrong with its story and how to see it again.

The bar is click's own: it is there already, and it keeps quiet where nobody watches.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import click

from giftsim.explore.descriptions import sentences
from giftsim.explore.explorer import Finding, Hunt

MOST_SEEDS_SHOWN = 5


class Shortening:
    """A line that says how far the shortening is, written over and over where somebody watches."""

    def __init__(self, to: TextIO) -> None:
        self._to, self._watched = to, to.isatty()

    def __call__(self, number: int, of: int, plays: int) -> None:
        """One more play."""
        if self._watched:
            click.echo(f"\r\033[Kshortening {number} of {of}: {plays + 1} plays", file=self._to, nl=False)

    def end(self) -> None:
        """Leave the line."""
        if self._watched:
            click.echo("\r\033[K", file=self._to, nl=False)


def watched(hunt: Hunt, seeds: Sequence[int], to: TextIO) -> None:
    """Play all seeds, with a bar; Ctrl-C ends the playing, and what was found by then is made short."""
    bar = click.progressbar(
        hunt.explore(seeds), length=len(seeds), label="exploring", file=to, show_pos=True,
        item_show_func=lambda _: _kinds(len(hunt.seen)) if hunt.seen else "",
    )  # fmt: skip
    try:
        with bar:
            for _ in bar:
                pass
    except KeyboardInterrupt:
        hunt.stopped = "stopped by hand"


def summary(hunt: Hunt, findings: Sequence[Finding], command: str | None, took_s: float) -> Iterator[str]:
    """The lines of the end."""
    if hunt.stopped:
        yield hunt.stopped
    seeds = f"{len(hunt.played)} seeds" if len(hunt.played) != 1 else f"seed {hunt.played[0]}"
    spent = f"{hunt.stage.plays} plays in {took_s:.1f} s"
    if not findings:
        yield f"{'so far' if hunt.stopped else 'all held'}: nothing is wrong in {seeds} ({spent})"
        return
    wrong = len({seed for finding in findings for seed in finding.seeds})
    share = f", {wrong} of them wrong" if len(hunt.played) != 1 else ""
    yield f"{_kinds(len(findings))} in {seeds}{share} ({spent})"
    for number, finding in enumerate(findings, 1):
        yield ""
        yield from _lines(number, finding, again(finding, hunt.contract.app, command))


def again(finding: Finding, app: str, command: str | None) -> str:
    """The command that plays a finding again; another address after --app, another app."""
    check = f" --check {shlex.quote(command)}" if command else ""
    return f"{_program()} play {shlex.quote(str(finding.path))} --app {app}{check}"


def _program() -> str:
    """What the reader called: the installed command, or the file at the root of a checkout."""
    return "giftsim" if Path(sys.argv[0]).stem == "giftsim" else "python run_sim.py"


def data(hunt: Hunt, findings: Sequence[Finding], command: str | None) -> dict[str, Any]:
    """The same for programs; nothing in it depends on the time or the machine."""
    return {
        "app": hunt.contract.app,
        "outcome": "wrong" if findings else "held",
        "seeds": len(hunt.played),
        "stopped": hunt.stopped,
        "plays": hunt.stage.plays,
        "findings": [
            {
                "reason": finding.reason,
                "seeds": list(finding.seeds),
                "file": str(finding.path),
                "steps": finding.steps,
                "repeats": finding.repeats,
                "story": sentences(finding.plan),
                "again": again(finding, hunt.contract.app, command),
            }
            for finding in findings
        ],
    }


def _lines(number: int, finding: Finding, command: str) -> Iterator[str]:
    yield click.style(f"{number}. {finding.reason}", bold=True)
    for line in sentences(finding.plan):
        yield f"     {line}"
    shown = ", ".join(map(str, finding.seeds[:MOST_SEEDS_SHOWN]))
    more = f" and {len(finding.seeds) - MOST_SEEDS_SHOWN} more" if len(finding.seeds) > MOST_SEEDS_SHOWN else ""
    yield f"   {finding.path} ({finding.steps} steps), seed{'s' if len(finding.seeds) > 1 else ''} {shown}{more}"
    yield f"   {command}"
    if not finding.repeats:
        yield "   It did not go wrong again from the file: what the app does depends on more than it is told."


def _kinds(count: int) -> str:
    return f"{count} kind{'s' if count > 1 else ''} of wrong"
