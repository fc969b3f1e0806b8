"""The command `statements`: what giftsim says about the service, how sure that is, and which tests show it.

`claims` is its former name, and prints the members' former names too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from json import dumps
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TypeVar

import click
import msgspec

from giftsim.cli.terminal import print_text
from giftsim.engine.gateway.documents import (
    DECISION,
    NOT_RUN,
    OBSERVED,
    PASSED,
    Entry,
    Observed,
    Selection,
    Summary,
    count_entries,
    with_former_names,
    with_observed,
)
from giftsim.services.known import make_definitions
from giftsim.services.statements.decision import BASES, FAMILIES, GUESS
from giftsim.services.statements.entry import FORMER_NAME, all_entries
from giftsim.services.statements.statement import (
    FAILED,
    KINDS,
    SKIPPED,
    Outcomes,
    UnreadableOutcomes,
    outcomes_path,
    read_outcomes,
)

T = TypeVar("T", bound=Callable[..., Any])
WIDEST = 60  # characters of the values of an option that its help shows beside it
HINT = "`giftsim statements P-6` lists a section, `--guesses` what is only a guess, `--help` has all conditions"


def _one_of(option: str, name: str, values: Sequence[str], help_: str) -> Callable[[T], T]:
    choice = click.Choice(values)
    if len("|".join(values)) > WIDEST:
        help_ = f"{help_} {', '.join(values)}."
        return click.option(option, name, multiple=True, type=choice, metavar=option[2:].upper(), help=help_)
    return click.option(option, name, multiple=True, type=choice, help=help_)


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@_one_of("--about", "families", FAMILIES, "Only about this interface, or in general.")
@_one_of("--kind", "kinds", (*KINDS, DECISION), "Only this kind:")
@_one_of("--basis", "bases", (*BASES, OBSERVED), "Only what is as sure as this:")
@click.option("--documented", is_flag=True, help="Only the statements of the documents.")
@click.option("--decided", is_flag=True, help="Only the decisions.")
@click.option("--guesses", is_flag=True, help="Only what is a guess: --basis guess.")
@click.option("--text", default="", metavar="WORDS", help="Only what has these words, in any letter case.")
@click.option("--without-test", is_flag=True, help="Only statements that no test names.")
@_one_of("--outcome", "outcomes", (PASSED, FAILED, SKIPPED, NOT_RUN), "Only statements with this last outcome.")
@click.option(
    "--outcomes-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The outcomes of a test run, in place of build/statements.json of the checkout.",
)
@click.option(
    "--observed",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Also print what recorded traffic has shown, from this file of `compare --observed`.",
)
@click.option("--verbose", "-v", is_flag=True, help="Also print how each statement is checked, and its tests.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.option("--check", is_flag=True, help="Exit with status 1 unless a passing test shows each statement listed.")
def statements(
    ids: tuple[str, ...],
    documented: bool,
    decided: bool,
    guesses: bool,
    outcomes_file: Path | None,
    observed: Path | None,
    verbose: bool,
    as_json: bool,
    check: bool,
    **conditions: Any,
) -> None:
    """List what giftsim says about the service: the statements of its documents, and the decisions.

    ID is an id or the beginning of one: P-6.16, P-6, B44, A3. Without conditions, only the numbers are printed. The
    outcomes are those of the last test runs in this checkout; an installed giftsim knows the tests, not their outcomes.
    """
    if documented and decided:
        raise click.UsageError("name one of --documented and --decided; without either, both are listed")
    if guesses:
        conditions["bases"] = (*conditions["bases"], GUESS)
    selection = Selection(ids, decided=decided if documented or decided else None, **conditions)
    known = all_entries(make_definitions().settings, _outcomes(outcomes_file))
    entries = with_observed(known, _observed(observed, selection))
    listed = selection.of(entries)
    if ids and not listed and not Selection(ids).of(entries):
        raise click.UsageError(
            f"there is nothing with the id {' or '.join(ids)[:60]}; ids are like P-6.16, P-6, B44, A3"
        )
    summary = count_entries(listed)
    if as_json:
        _print_json(listed, summary, former=click.get_current_context().info_name == FORMER_NAME)
    elif selection == Selection():
        click.echo("\n".join(_overview(entries)))
        print_text(f"\n{summary}\n{HINT}")
    else:
        _print_list(listed, verbose=verbose)
        click.echo(summary)
    if check and summary.shown < summary.statements:
        raise SystemExit(1)


def _outcomes(file: Path | None) -> Outcomes:
    try:
        return read_outcomes(file or outcomes_path())
    except UnreadableOutcomes as error:
        raise click.UsageError(str(error)) from None


def _observed(file: Path | None, selection: Selection) -> Mapping[str, Observed]:
    """What a file says of statements and decisions, by their ids; standard error gets what it contradicts."""
    if file is None:
        if OBSERVED in selection.bases:
            raise click.UsageError("--basis observed needs --observed FILE, a file of `giftsim compare --observed`")
        return {}
    from giftsim.workbench.compare.observed import Observations, UnreadableObservations

    try:
        observations = Observations.of_file(file)
    except UnreadableObservations as error:
        raise click.UsageError(f"--observed {error}") from None
    for line in observations.warnings:
        print_text(line, err=True)
    return observations.by_id


def _print_json(entries: Sequence[Entry], summary: Summary, *, former: bool) -> None:
    listing = {"summary": msgspec.to_builtins(summary), "statements": entries}
    click.echo(msgspec.json.format(msgspec.json.encode(with_former_names(listing, FORMER_NAME) if former else listing)))


def _print_list(entries: Sequence[Entry], *, verbose: bool) -> None:
    width = get_terminal_size((120, 24)).columns
    for entry in entries:
        click.echo("\n".join([*_lines(entry, width, verbose=verbose), ""]))


def _lines(entry: Entry, width: int, *, verbose: bool) -> Iterator[str]:
    yield click.style(entry.id, bold=True) + f"  {entry.kind}, {entry.basis}{_shown_by(entry)}"
    yield _indented(entry.text, width)
    if entry.observed:
        yield _indented(f"{entry.observed.words.capitalize()}.", width)
    if entry.inferred:
        yield _indented(f"Inferred: {entry.inferred}.", width)
    for setting in entry.settings:
        yield _indented(f"Setting {setting.name}, by default {_written(setting.default)}", width)
    if verbose and entry.check:
        yield _indented(f"Checked so: {entry.check}", width)
    if verbose:
        yield from (f"  {test.outcome or 'not run here'}  {test.test}" for test in entry.tests)


def _shown_by(entry: Entry) -> str:
    if not entry.is_statement:
        return ""
    tests = f"{len(entry.tests)} test{'s' if len(entry.tests) != 1 else ''}"
    return f": {entry.outcome or 'not run here'} ({tests})" if entry.tests else ": no test"


def _indented(text: str, width: int) -> str:
    return click.wrap_text(text, max(width, 40), "  ", "  ")


def _written(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value)


def _overview(entries: Sequence[Entry]) -> Iterator[str]:
    yield f"{'about':<10}{'statements':>12}{'shown':>8}{'decisions':>12}{'guesses':>10}{'observed':>11}"
    for family in FAMILIES:
        about = [entry for entry in entries if entry.family == family]
        summary, guesses = count_entries(about), sum(entry.basis == GUESS for entry in about)
        seen = sum(entry.observed is not None for entry in about)
        yield f"{family:<10}{summary.statements:>12}{summary.shown:>8}{summary.decisions:>12}{guesses:>10}{seen:>11}"
