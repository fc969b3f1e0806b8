"""The command `report`: makes a report that a partner can hand over, or checks one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from giftsim.cli.options import WholeNumber, check_app, option, refuse_unused
from giftsim.cli.terminal import print_text
from giftsim.cli.version import versions
from giftsim.engine.kernel.texts import one_line

if TYPE_CHECKING:
    from giftsim.workbench.exam.signature import Verdict
    from giftsim.workbench.report.inputs import Inputs

PASSED, FAILED = 0, 1
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
COVERAGE, ASSUMPTIONS = Path(".giftsim/coverage.json"), Path(".giftsim/assumptions.json")


@click.command()
@click.option("--out", type=FOLDER, help="The folder for the report. An earlier report in it is replaced.")
@click.option("--title", default="An integration", show_default=True, help="What is reported on.")
@click.option("--label", "labels", multiple=True, metavar="NAME=TEXT", help="A fact for the report, like app=1.4.2.")
@click.option("--at", metavar="INSTANT", help="When the report is made. Without it, it does not say when.")
@click.option("--junit", multiple=True, type=FILE, help="The tests of a run, as JUnit. Repeatable.")
@click.option("--coverage", type=FILE, help=f"The coverage. [default: {COVERAGE}, if it is there]")
@click.option("--assumptions", type=FILE, help=f"The assumptions. [default: {ASSUMPTIONS}, if they are there]")
@click.option("--app", metavar="URL", help="Play the readiness pack against this app.")
@click.option("--receiver", metavar="URL", help="Check this webhook receiver.")
@option("--secret", help="The secret of --receiver. Better in its variable.")
@click.option("--receiver-report", type=FILE, help="What check-receiver --json printed, in place of --receiver.")
@click.option("--seed", type=WholeNumber(1), default=1, show_default=True, help="The seed of --receiver's events.")
@click.option("--sign", metavar="KEYFILE", type=FILE, help="Sign the report with this key of ssh.")
@click.option("--verify", metavar="FOLDER", type=FOLDER, help="Check the report in a folder, and say who signed it.")
@click.option("--signers", type=FILE, help="Who may sign what --verify checks: an allowed_signers file of ssh.")
def report(**given: Any) -> None:
    """Make a report on an integration that you can hand over: one page, its data, and the traces of what failed.

    It has the versions and seeds, and whichever of these parts it gets: the tests, the coverage, the check of the
    webhook receiver, and the readiness pack played against the app. The same inputs give the same bytes. The exit
    status is 1 if anything in it failed, and 2 if it could not be made.

    --verify FOLDER checks a report that somebody else made: its files, and its signature.
    """
    if (given["out"] is None) == (given["verify"] is None):
        raise click.UsageError("name a folder: --out to make a report, or --verify to check one")
    refuse_unused(("signers",) if given["verify"] is None else (), "it belongs to --verify")
    if given["receiver"] is not None and given["secret"] is None:
        raise click.UsageError("--receiver needs the --secret that it knows")
    refuse_unused(("receiver_report",) if given["receiver"] is not None else (), "--receiver checks the receiver now")
    raise SystemExit(_make(given) if given["verify"] is None else _verify(given["verify"], given["signers"]))


def _make(given: Mapping[str, Any]) -> int:
    """Make a report, and tell where it is; the exit status."""
    from giftsim.workbench.coverage.coverage_report import no_call
    from giftsim.workbench.exam.signature import CannotSign, sign
    from giftsim.workbench.report.files import PAGE, FolderInUse, clear, write
    from giftsim.workbench.report.inputs import InvalidInput
    from giftsim.workbench.report.report import report_data
    from giftsim.workbench.report.report_page import verdict

    folder: Path = given["out"]
    try:
        inputs = _inputs(given)  # what cannot be read is refused before anything is removed or runs
        clear(folder)
        data = report_data(inputs.parts(folder, click.echo))
        write(folder, data)
        if given["sign"] is not None:
            sign(folder, given["sign"])
    except (InvalidInput, FolderInUse, CannotSign, OSError) as error:
        raise click.UsageError(str(error)) from None
    for row in data["missing"]:
        print_text(f"missing: {row['part']}; to add it: {row['how']}")
    for line in no_call(data["coverage"]["areas"]) if data["coverage"] else ():
        print_text(f"coverage: {line}")
    click.echo(f"{verdict(data)}\n{folder / PAGE}")
    return FAILED if data["failed"] else PASSED


def _inputs(given: Mapping[str, Any]) -> Inputs:
    """The inputs that the options name. InvalidInput, OSError."""
    from giftsim.workbench.report import inputs

    if given["app"] is not None:
        check_app(given["app"])
    coverage, assumptions = _default(given["coverage"], COVERAGE), _default(given["assumptions"], ASSUMPTIONS)
    checked, known = given["receiver_report"], versions()
    return inputs.Inputs(
        title=given["title"],
        made_at=inputs.read_instant(given["at"]),
        labels=inputs.read_labels(given["labels"]),
        versions={"giftsim": known["version"], "contracts": known["contracts"]},
        tests=inputs.read_tests(given["junit"]) if given["junit"] else None,
        coverage=None if coverage is None else inputs.read_coverage(coverage),
        assumptions=None if assumptions is None else inputs.read_assumptions(assumptions),
        receiver_report=None if checked is None else inputs.read_receiver_report(checked),
        receiver=None if given["receiver"] is None else (given["receiver"], given["secret"]),
        seed=given["seed"],
        app=given["app"],
    )


def _default(path: Path | None, usual: Path) -> Path | None:
    """A file that was named, else the usual one if it is there."""
    return path or (usual if usual.is_file() else None)


def _verify(folder: Path, signers: Path | None) -> int:
    """Check a report, and print what was found; the exit status."""
    from giftsim.workbench.exam.signature import verify
    from giftsim.workbench.report.files import DATA

    try:
        verdict = verify(folder, signers)
        title = _title(json.loads((folder / DATA).read_bytes())) if not verdict.wrong else ""
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{folder} is not a report: {one_line(str(error))}") from None
    for line in verdict.wrong:
        print_text(f"wrong: {one_line(line)}")
    if verdict.wrong:
        click.echo(f"{folder} is not as it was made.")
        return FAILED
    click.echo(f"{one_line(title)}: {len(verdict.files)} files, all as they were made")
    click.echo(one_line(_signed(verdict)))
    return PASSED


def _title(data: Any) -> str:
    """The subject of a report, and when it was made. ValueError."""
    if not isinstance(data, dict) or not isinstance(data.get("title"), str):
        raise ValueError("its data have no title")
    return f"{data['title']}, {data['made_at']}" if data.get("made_at") else str(data["title"])


def _signed(verdict: Verdict) -> str:
    """Who signed, in a sentence."""
    if verdict.key is None:
        return "not signed"
    if verdict.signer is None:
        return f"signed with the {verdict.key}; name its owner with --signers"
    return f"signed by {verdict.signer} with the {verdict.key}"
