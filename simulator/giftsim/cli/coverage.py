"""The command `coverage`: what an app has met of the service, from running simulators and from files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from giftsim.cli.options import large_files_option, option
from giftsim.cli.remote.simulator_connection import Remote, complete_worlds, with_simulator
from giftsim.engine.client.control import quote_segment

if TYPE_CHECKING:
    from giftsim.workbench.coverage.met import Met

PASSED, BELOW = 0, 1


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@option("--world", "-w", "worlds", multiple=True, shell_complete=complete_worlds, help="This world; may be repeated.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="Write coverage.json and coverage.html to this folder too.",
)
@click.option(
    "--html", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write the page to this file."
)
@click.option(
    "--fail-under",
    "gates",
    multiple=True,
    metavar="N|AREA=N",
    help="Exit with 1 if an area, or this area, has less than N per cent; may be repeated.",
)
@click.option(
    "--settings",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file that says what to leave out, by default giftsim.toml or pyproject.toml here.",
)
@click.option("--missing", is_flag=True, help="List what is missing, too.")
@click.option("--next", "gap", metavar="GAP", help="Print only the next step to this missing item: a test to paste.")
@click.option("--vitest", is_flag=True, help="With --next, a test for Vitest in place of pytest.")
@large_files_option
@with_simulator
def coverage(
    sim: Remote,
    files: tuple[Path, ...],
    worlds: tuple[str, ...],
    out: Path | None,
    html: Path | None,
    gates: tuple[str, ...],
    settings: Path | None,
    large_files: bool,
    **shown: Any,
) -> None:
    """Report what your app has met of the service, and what it has never met.

    FILES are coverage.json files. Those of several processes or runs are merged into one report. A file may also
    be a trace, which is then replayed. Without FILES, the report is about worlds of a running simulator: all, or those
    that -w names. The exit status is 1 if an area is below --fail-under.
    """
    from giftsim.workbench.coverage import coverage_report as report
    from giftsim.workbench.coverage.coverage_exclusions import InvalidExclusions
    from giftsim.workbench.coverage.coverage_page import render_coverage_page

    try:
        gate = report.read_gate(gates)
        data = _Judge(settings).judged(list(_facts(sim, files, worlds, large=large_files)))
    except (InvalidExclusions, report.UnreadableCoverage) as error:
        raise click.UsageError(str(error)) from None
    except report.InvalidGate as error:
        raise click.UsageError(f"--fail-under: {error}") from None
    written = [] if out is None else report.write_coverage(out, data)
    if html is not None:
        html.write_bytes(render_coverage_page(data))
        written.append(html)
    click.echo(_text(data, written, **shown), nl=False)
    if shown["as_json"]:
        click.echo("".join(f"giftsim: {line}\n" for line in report.no_call(data["areas"])), err=True, nl=False)
    failures = report.areas_below_gate(gate, data["areas"])
    for line in failures:
        click.echo(line, err=True)
    raise SystemExit(BELOW if failures else PASSED)


def _text(
    data: dict[str, Any], written: Sequence[Path], *, missing: bool, gap: str | None, vitest: bool, as_json: bool
) -> str:
    """The output: a next step, the JSON, or the table."""
    from giftsim.workbench.coverage.coverage_report import area_table, encoded

    if gap is not None:
        return _next_step(data["next"], gap, "vitest" if vitest else "pytest")
    if as_json:
        return encoded(data).decode()
    return "\n".join([*area_table(data["areas"]), *(_missing(data) if missing else ()), *map(str, written), ""])


def _facts(sim: Remote, files: Sequence[Path], worlds: Sequence[str], *, large: bool) -> Iterator[Met]:
    """The facts of files and of worlds; of all worlds if nothing is named."""
    from giftsim.workbench.coverage.coverage_report import UnreadableCoverage, read_facts
    from giftsim.workbench.trace.file import UnreadableTrace, is_trace, read_file

    for file in files:
        try:
            content = read_file(file, large=large)
        except UnreadableTrace as error:
            raise UnreadableCoverage(str(error)) from None
        yield _played(file, content, large=large) if is_trace(content) else read_facts(str(file), content)
    paths = [(sim, f"/worlds/{quote_segment(world)}/coverage") for world in worlds]
    if not paths and not files:
        paths = [(process, "/coverage") for process in sim.processes()]
    for process, path in paths:
        yield read_facts(f"{sim.url}{sim.path(path)}", process.call("GET", f"{path}?next=false").body)


def _played(file: Path, trace: bytes, *, large: bool) -> Met:
    """What was met in the world of a trace, which is played again. UnreadableCoverage."""
    from giftsim.build import Simulator
    from giftsim.engine.problem import Problem
    from giftsim.workbench.coverage.coverage_report import UnreadableCoverage

    with closing(Simulator(fixture="bare", large_files=large)) as simulator:
        keeper = simulator.keep_coverage(all_worlds=True)
        try:
            simulator.open_trace(trace, None, simulator.registry.create)
        except Problem as problem:
            raise UnreadableCoverage(f"{file}: {problem.message}") from None
        met: Met = keeper.met_in_all()
        return met


class _Judge:
    """Judges facts with the settings of a file, by default those of this folder. InvalidExclusions."""

    def __init__(self, settings: Path | None = None) -> None:
        from giftsim.services.known import merged_service
        from giftsim.workbench.coverage.coverage_exclusions import find_exclusions, read_exclusions
        from giftsim.workbench.coverage.items import items_of

        self._items = items = items_of(merged_service())
        self._exclusions = find_exclusions(Path.cwd(), items) if settings is None else read_exclusions(settings, items)

    def judged(self, parts: Sequence[Met]) -> dict[str, Any]:
        """The coverage of all parts together."""
        from giftsim.workbench.coverage.judgment import coverage_as_json
        from giftsim.workbench.coverage.met import merge_met

        return coverage_as_json(merge_met(parts), self._items, self._exclusions)

    def areas(self, met: Met) -> dict[str, dict[str, Any]]:
        """The areas of facts, without next steps."""
        from giftsim.workbench.coverage.judgment import coverage_as_json

        areas: dict[str, dict[str, Any]] = coverage_as_json(met, self._items, self._exclusions, with_next=False)[
            "areas"
        ]
        return areas


def areas_of(met: Met) -> dict[str, dict[str, Any]]:
    """The areas of what was met, as this folder's settings judge them. UsageError if these are invalid."""
    from giftsim.workbench.coverage.coverage_exclusions import InvalidExclusions

    try:
        return _Judge().areas(met)
    except InvalidExclusions as error:
        raise click.UsageError(str(error)) from None


class CoverageFolder:
    """The folder of --coverage: what a command ran is added, and written at its end."""

    def __init__(self, folder: Path) -> None:
        from giftsim.workbench.coverage.coverage_exclusions import InvalidExclusions

        self._folder, self._parts = folder, list["Met"]()
        try:
            self._judge = _Judge()
        except InvalidExclusions as error:
            raise click.UsageError(str(error)) from None

    @classmethod
    def at(cls, folder: Path | None) -> Self | None:
        """The coverage in a folder, or None without one."""
        return None if folder is None else cls(folder)

    def add(self, met: Met) -> None:
        """Add what was met."""
        self._parts.append(met)

    def write_and_show(self, *, quiet: bool) -> None:
        """Write the files and, unless `quiet`, print the table and their paths."""
        from giftsim.workbench.coverage.coverage_report import area_table, write_coverage

        data = self._judge.judged(self._parts)
        written = write_coverage(self._folder, data)
        if not quiet:
            click.echo("\n".join(["", *area_table(data["areas"]), *map(str, written)]))


def _next_step(steps: Sequence[dict[str, str]], gap: str, language: str) -> str:
    """The test to paste for a gap, after a comment with what produces it. UsageError if it is not missing."""
    from giftsim.engine.kernel.texts import suggest_name

    found = {step["gap"]: step for step in steps}
    if gap not in found:
        raise click.UsageError(f"--next: {gap!r} is not missing; {suggest_name(gap, list(found), 'see --missing')}")
    step, comment = found[gap], {"pytest": "#", "vitest": "//"}[language]
    cause = next(member for member in ("fault", "verb", "scenario") if member in step)
    return f"{comment} {cause}: {step[cause]}\n{step[language]}"


def _missing(data: dict[str, Any]) -> Iterator[str]:
    """The names of what is missing, by area."""
    for name, area in data["areas"].items():
        if area["missing"]:
            yield f"\nmissing {name}:"
            yield from (f"  {item}" for item in area["missing"])
