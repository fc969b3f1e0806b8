"""The command `exam`: its options, and how it is held."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from giftsim.cli.app_options import app_and_paths, app_options, path_options
from giftsim.cli.exam_lines import progress_lines, rule_lines, summary_lines, verify_lines
from giftsim.cli.options import WholeNumber, refuse_unused
from giftsim.cli.receiver_options import receiver_exam, receiver_options, refuse_without_receiver
from giftsim.cli.signals import HandledSignals
from giftsim.cli.started_app import started_app
from giftsim.cli.terminal import print_text
from giftsim.cli.version import versions

if TYPE_CHECKING:
    from giftsim.workbench.exam.result import AnyExam, Beside

    BudgetType = click.ParamType[int]
else:
    BudgetType = click.ParamType  # older versions of click, which are allowed, have no type of a value

PASSED, FAILED, SIGNALED = 0, 1, 128
BUDGET: Final = re.compile("([1-9][0-9]{0,4})(s|m)", re.ASCII)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)
DRAWN = ("seed", "seed_hash", "only")  # options of every exam, and those of an app's
OF_APP = ("app_command", "app_clock", "budget", "rounds", "start_path", "do_path", "webhooks_path", "check_path")


class NotHeld(click.ClickException):
    """The exam could not be held; the message says why, and what to do."""

    exit_code = 2


class ExamSignals(HandledSignals):
    """Ctrl-C, or another signal, ends the exam while it `is_held`; what was found until then is written.

    Before that, afterwards, and the second time it ends the command. `received` is the number of the first one, or 0.
    """

    def __init__(self) -> None:
        super().__init__()
        self.received, self.is_held = 0, False

    @property
    def name(self) -> str:
        """What ended the exam, such as Ctrl-C; empty if nothing did."""
        names = {0: "", signal.SIGINT: "Ctrl-C"}
        return names[self.received] if self.received in names else signal.Signals(self.received).name

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self.received or not self.is_held:
            raise SystemExit(SIGNALED + number)
        self.received = number
        raise KeyboardInterrupt


class Budget(BudgetType):
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
@click.option("--list", "as_list", is_flag=True, help="List the rules; with --only, what each rests on.")
@click.option("--seed", type=WholeNumber(0), help="Draw from this seed; by default another one in each exam.")
@click.option("--seed-hash", is_flag=True, help="Print the hash of the seed before the exam, and the seed after it.")
@click.option("--budget", default="60s", show_default=True, type=Budget(), help="The real time that it may take.")
@click.option("--rounds", default=3, show_default=True, type=WholeNumber(1, 1000), help="Probes of each rule.")
@click.option("--out", default=".giftsim/exam", show_default=True, type=FOLDER, help="The folder for the result.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--junit", type=NEW_FILE, help="Write the rules to this file too, in JUnit's format.")
@receiver_options
@click.option("--tests", multiple=True, type=FILE, help="Add the tests of a run, from JUnit. Repeatable.")
@click.option("--coverage", type=FILE, help="Add the coverage in this coverage.json.")
@click.option("--assumptions", type=FILE, help="Add the assumptions that `run --assumptions` found.")
@click.option("--label", "labels", multiple=True, metavar="NAME=TEXT", help="Add a fact, like version=1.4. Repeatable.")
@click.option("--sign", metavar="KEYFILE", type=FILE, help="Sign the result with this key of ssh.")
@click.option("--verify", metavar="FOLDER", type=FOLDER, help="Check a result in a folder, and say who signed it.")
@click.option("--signers", type=FILE, help="Who may sign what --verify checks: an allowed_signers file of ssh.")
@path_options
def exam(**given: Any) -> None:
    """Examine your app: situations drawn from a seed, and one verdict for each rule that an integration must obey.

    The folder gets exam.html, exam.json, and a trace of each rule that is broken. Without an app, --receiver examines
    a webhook receiver, and --tests makes a result of a test run. --verify checks a result that somebody else made.

    The exit status is 0 if every rule passed that your app can be asked about, and no test failed; 1 if one failed, or
    the budget was used up before each rule had its turn; and 2 if the exam could not be held. Ctrl-C and SIGTERM end
    the exam with a result of what was found until then, and with 130 or 143.
    """
    if given["as_list"]:
        return _list(given["only"])
    raise SystemExit(examine(given) if given["verify"] is None else verified(given["verify"], given["signers"]))


def _list(only: Sequence[str]) -> None:
    """Print the rules. UsageError for a name that --only does not know."""
    try:
        for line in rule_lines(only):
            print_text(line)
    except ValueError as error:
        raise click.UsageError(f"--only: {error}") from None


def examine(given: Mapping[str, Any]) -> int:
    """Hold the exam that the options ask for, write and print its result; the exit status."""
    from giftsim.workbench.exam.exam import CannotBeHeld
    from giftsim.workbench.exam.folder import FolderInUse, clear, write
    from giftsim.workbench.exam.inputs import InvalidInput
    from giftsim.workbench.exam.junit_file import exam_junit
    from giftsim.workbench.exam.one_at_a_time import Occupied
    from giftsim.workbench.exam.signature import CannotSign, sign

    _check_options(given)
    folder = given["out"]
    signals = ExamSignals()
    try:
        beside = _beside(given)  # what cannot be read is refused before anything is removed or runs
        with signals:
            with _prepared(given) as made:
                clear(folder)
                data = _held(made, beside, given, signals)
            write(folder, data)
        if given["sign"] is not None:
            sign(folder, given["sign"])
        if given["junit"] is not None:
            given["junit"].write_bytes(exam_junit(data))
    except (CannotBeHeld, FolderInUse, InvalidInput, CannotSign, Occupied, OSError) as error:
        raise NotHeld(f"the exam could not be held: {error}") from None
    _print(data, given)
    if signals.received:
        return SIGNALED + signals.received
    return PASSED if data["passed"] else FAILED


def _print(data: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Print the result: its seed if that is wanted, then the verdict as JSON or in lines."""
    from giftsim.workbench.exam.result import VERDICT

    if given["seed_hash"]:
        click.echo(f"seed: {data['seed']}", err=given["as_json"])
    if given["as_json"]:
        click.echo(json.dumps({name: data[name] for name in VERDICT}, indent=2, ensure_ascii=False))
        return
    for line in summary_lines(data, given["out"]):
        print_text(line)


def _held(made: AnyExam | None, beside: Beside, given: Mapping[str, Any], signals: ExamSignals) -> dict[str, Any]:
    """Hold an exam, with a line for each rule as it comes out; its result. CannotBeHeld, CannotSign."""
    from giftsim.workbench.exam.exam import seed_hash
    from giftsim.workbench.exam.result import exam_data
    from giftsim.workbench.exam.runs import count_run
    from giftsim.workbench.exam.signature import fingerprint

    app, receiver = given["app"], given["receiver"]
    if made is None:
        return exam_data(None, beside)
    if given["seed_hash"]:
        click.echo(f"seed hash: {seed_hash(made.seed)}", err=given["as_json"])
    runs = count_run(app or receiver, "" if given["sign"] is None else fingerprint(given["sign"]))
    with suppress(KeyboardInterrupt), closing(made.hold()) as results:
        signals.is_held = True
        for line in progress_lines(results):
            if not given["as_json"]:
                print_text(line)
    return exam_data(made, beside, app=app, receiver=receiver, runs=runs, only=given["only"], stopped=signals.name)


def _check_options(given: Mapping[str, Any]) -> None:
    """UsageError for options that name nothing to examine, or do not fit together."""
    refuse_unused(("signers",), "it belongs to --verify")
    refuse_without_receiver(given)
    if given["app"] is not None and given["receiver"] is not None:
        raise click.UsageError("--app and --receiver are two exams: hold one at a time")
    if given["app"] is None:
        refuse_unused(OF_APP, "it belongs to --app")
    if given["app"] is given["receiver"] is None:
        refuse_unused((*DRAWN, "junit"), "there is no exam without --app or --receiver")
        if not given["tests"] and given["coverage"] is None and given["assumptions"] is None:
            raise click.UsageError(
                "name your app: --app http://127.0.0.1:PORT, or a webhook receiver: --receiver URL, or the tests of a"
                " run: --tests FILE"
            )


def _beside(given: Mapping[str, Any]) -> Beside:
    """What the options add to the exam. InvalidInput, OSError."""
    from giftsim.workbench.exam import inputs
    from giftsim.workbench.exam.result import Beside

    known, coverage, assumptions = versions(), given["coverage"], given["assumptions"]
    return Beside(
        labels=inputs.read_labels(given["labels"]),
        versions={"giftsim": known["version"], "contracts": known["contracts"]},
        tests=inputs.read_tests(given["tests"]) if given["tests"] else None,
        coverage=None if coverage is None else inputs.read_coverage(coverage),
        assumptions=None if assumptions is None else inputs.read_assumptions(assumptions),
    )


@contextmanager
def _prepared(given: Mapping[str, Any]) -> Iterator[AnyExam | None]:
    """The exam that the options ask for, ready to be held; None for the tests of a run alone. UsageError, Occupied."""
    from giftsim.engine.worlds import system_clock
    from giftsim.workbench.exam.one_at_a_time import alone_with

    seed = system_clock.fresh_seed() if given["seed"] is None else given["seed"]
    if given["app"] is not None:
        with alone_with(given["app"]), _app_exam(given, seed) as made:
            yield made
    elif given["receiver"] is not None:
        with closing(receiver_exam(given, seed)) as made, alone_with(given["receiver"]):
            yield made
    else:
        yield None


@contextmanager
def _app_exam(given: Mapping[str, Any], seed: int) -> Iterator[AnyExam]:
    """An exam of an app, which is started if there is a command for that. UsageError."""
    from giftsim.workbench.app.protocol import AppProtocol
    from giftsim.workbench.exam.exam import Exam
    from giftsim.workbench.exam.examined_app import ExaminedApp
    from giftsim.workbench.exam.rules import choose_rules

    url, paths = app_and_paths(given)
    try:
        rules = choose_rules(given["only"])
    except ValueError as error:
        raise click.UsageError(f"--only: {error}") from None
    with (
        started_app(url, given["app_command"], app_clock=given["app_clock"]) as process,
        closing(ExaminedApp(AppProtocol(app=url, is_shown_time=given["app_clock"], **paths), process)) as app,
        closing(
            Exam(app, rules, seed=seed, budget_s=given["budget"], rounds=given["rounds"], folder=given["out"])
        ) as made,
    ):
        yield made


def verified(folder: Path, signers: Path | None) -> int:
    """Check a result, and print what was found; the exit status."""
    from giftsim.workbench.exam.folder import describe
    from giftsim.workbench.exam.signature import verify

    try:
        verdict = verify(folder, signers)
        said = ("", "") if verdict.wrong else describe(folder)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{folder} is not the result of an exam: {error}") from None
    for line in verify_lines(verdict, folder, said):
        print_text(line)
    return FAILED if verdict.wrong else PASSED
