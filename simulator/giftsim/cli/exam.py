"""The command `exam`: its options, its lines and its exit status."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from giftsim.cli.app_options import app_and_paths, app_options, path_options
from giftsim.cli.options import WholeNumber
from giftsim.cli.started_app import started_app
from giftsim.cli.terminal import print_text
from giftsim.engine.kernel.texts import count_with_noun, one_line

if TYPE_CHECKING:
    from giftsim.workbench.exam.exam import Exam, RuleResult

PASSED, FAILED = 0, 1
BUDGET: Final = re.compile("([1-9][0-9]{0,4})(s|m)", re.ASCII)
COLOURS: Final = {"passed": "green", "failed": "red"}
WIDTH: Final = len("not offered")
FOLDER = click.Path(file_okay=False, path_type=Path)


class NotHeld(click.ClickException):
    """The exam could not be held; the message says why, and what to do."""

    exit_code = 2


class Budget(click.ParamType[float]):
    """A click type for a time such as 60s or 2m; its value is seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The seconds; BadParameter names what is accepted."""
        match = BUDGET.fullmatch(str(value))
        if match is None:
            self.fail(f"it takes a time such as 60s or 2m, not {value!r}.", param, ctx)
        return int(match[1]) * (60 if match[2] == "m" else 1)


@click.command()
@app_options(required=False)
@click.option("--only", multiple=True, metavar="RULE", help="Only this rule, or the group readiness or receiver.")
@click.option("--seed", type=WholeNumber(0), help="Draw from this seed; by default another one in each exam.")
@click.option("--seed-hash", is_flag=True, help="Print the hash of the seed before the exam, and the seed after it.")
@click.option("--budget", default="60s", show_default=True, type=Budget(), help="The real time that it may take.")
@click.option(
    "--rounds", default=3, show_default=True, type=WholeNumber(1, 1000), help="How often each rule is probed."
)
@click.option(
    "--out",
    default=".giftsim/exam",
    show_default=True,
    type=FOLDER,
    help="Write exam.html, exam.json and the traces of what failed to this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@path_options
def exam(**given: Any) -> None:
    """Examine your app: situations drawn from a seed, and one verdict for each rule that an integration must obey.

    The exit status is 0 if every rule passed that your app can be asked about, 1 if one failed or the budget was used
    up before each had its turn, and 2 if the exam could not be held.
    """
    if given["app"] is None:
        raise click.UsageError("name your app: --app http://127.0.0.1:PORT")
    raise SystemExit(_examine(given))


def _examine(given: Mapping[str, Any]) -> int:
    """Hold the exam, write and print its result; the exit status."""
    from giftsim.workbench.exam.exam import CannotBeHeld, seed_hash
    from giftsim.workbench.exam.folder import FolderInUse, clear, write
    from giftsim.workbench.exam.result import exam_data
    from giftsim.workbench.exam.runs import count_run

    as_json = given["as_json"]
    try:
        with _prepared(given) as exam:
            clear(given["out"])
            if given["seed_hash"]:
                click.echo(f"seed hash: {seed_hash(exam.seed)}", err=as_json)
            runs = count_run(exam.app.protocol.app)
            for line in progress_lines(exam.hold()):
                if not as_json:
                    print_text(line)
            data = exam_data(exam, runs)
        write(given["out"], data)
    except (CannotBeHeld, FolderInUse, OSError) as error:
        raise NotHeld(f"the exam could not be held: {error}") from None
    if given["seed_hash"]:
        click.echo(f"seed: {data['seed']}", err=as_json)
    if as_json:
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        for line in summary_lines(data, given["out"]):
            print_text(line)
    return PASSED if data["passed"] else FAILED


@contextmanager
def _prepared(given: Mapping[str, Any]) -> Iterator[Exam]:
    """The exam that the options ask for, ready to be held. UsageError."""
    from giftsim.engine.worlds import system_clock
    from giftsim.workbench.app.protocol import AppProtocol
    from giftsim.workbench.exam.choice import choose_rules
    from giftsim.workbench.exam.exam import Exam
    from giftsim.workbench.exam.examined_app import ExaminedApp

    url, paths = app_and_paths(given)
    try:
        rules = choose_rules(given["only"])
    except ValueError as error:
        raise click.UsageError(f"--only: {error}") from None
    seed = system_clock.fresh_seed() if given["seed"] is None else given["seed"]
    with (
        started_app(url, given["app_command"]) as process,
        closing(ExaminedApp(AppProtocol(app=url, **paths), process)) as app,
        closing(
            Exam(
                app,
                rules,
                seed=seed,
                budget_s=given["budget"],
                rounds=given["rounds"],
                folder=given["out"],
            )
        ) as exam,
    ):
        yield exam


def progress_lines(results: Iterable[RuleResult]) -> Iterator[str]:
    """A line for each rule as it comes out, and one more if a later round changes that."""
    outcomes: dict[str, str] = {}
    for result in results:
        outcome = str(result.outcome)
        if outcomes.get(result.rule.id) == outcome:
            continue
        outcomes[result.rule.id] = outcome
        reason = f": {one_line(result.reason)}" if result.reason else ""
        yield f"{_styled(outcome)} {result.rule.id}{reason}"


def summary_lines(data: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """The lines at the end: each finding, the counts, and where the page is."""
    from giftsim.workbench.exam.folder import PAGE
    from giftsim.workbench.exam.result import counts

    for row in data["rules"]:
        if row["outcome"] == "failed":
            yield from ("", *finding_lines(row, folder))
    skipped = [row["id"] for row in data["rules"] if row["outcome"] == "skipped"]
    if skipped:
        yield f"\nskipped, since the budget was used up: {', '.join(skipped)}"
    many = ", ".join(f"{count} {_words(outcome)}" for outcome, count in counts(data["rules"]).items() if count)
    run = "" if data["runs"] is None else f", run {data['runs']} of this app"
    yield f"\n{count_with_noun(len(data['rules']), 'rule')}: {many} (seed {data['seed']}{run})"
    yield f"page: {folder / PAGE}"


def finding_lines(row: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """A finding: the rule that was broken with its sources, why, what mends it, and its trace."""
    yield click.style(f"{row['id']}: {row['rule']} ({', '.join(row['sources'])})", bold=True)
    yield f"  found: {one_line(row['reason'])}"
    if row["why"] != row["reason"]:
        yield f"  why:   {one_line(row['why'])}"
    if row["mend"]:
        yield f"  mend:  {one_line(row['mend'])}"
    if row["trace"]:
        yield f"  trace: {folder / row['trace']}"


def _styled(outcome: str) -> str:
    return click.style(f"{_words(outcome):{WIDTH}}", COLOURS.get(outcome))


def _words(outcome: str) -> str:
    return outcome.replace("_", " ")
