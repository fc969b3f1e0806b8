"""What `run --assumptions` does: it runs the tests of an app in any language again, with guesses turned over.

`assumptions` is its former name.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click
import msgspec

from giftsim.cli.options import WholeNumber
from giftsim.cli.signals import TURN_S, HandledSignals
from giftsim.engine.guard import Guard
from giftsim.engine.kernel.texts import one_line
from giftsim.engine.system import end_group, started_group
from giftsim.engine.worlds import system_clock

if TYPE_CHECKING:
    from giftsim.cli.replay import RecordedSimulator
    from giftsim.workbench.coverage.met import Met

NONE, LEANS, UNKNOWN = 0, 1, 2
NO_CALL = (
    "no call came to the simulator at GIFTSIM_URL, so nothing was tried. Have your app call the address in that "
    "variable; for tests with the fixtures of the pytest plugin, run `pytest --giftsim-assumptions`"
)
LEAST_S, TIMES = 10.0, 20  # a repetition may take this many seconds, and this many times as long as the first run
MOST_SEARCHES = 16
END_S, POLL_S = 5.0, 0.05
JOB = "{job}"
STANDARD_ERROR = 2  # the report alone goes to standard output


@click.command()
@click.option(
    "--junit", metavar="FILE", help="The JUnit file that the command writes. Without it, the command is one test."
)
@click.option(
    "--jobs",
    default=1,
    show_default=True,
    type=WholeNumber(1, 64),
    help="Number of processes that repeat the command; {job} in COMMAND and FILE is the number of each.",
)
@click.option("--fixture", default="default", show_default=True, help="The fixture of the default world.")
@click.option("--seed", default=1, show_default=True, type=WholeNumber(0), help="The seed of the default world.")
@click.option("--now", help="The default world's first instant, like 2027-01-04T09:00:00Z.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.argument("command", nargs=-1, required=True, metavar="-- COMMAND ARGS...")
def assumptions(command: tuple[str, ...], junit: str | None, jobs: int, as_json: bool, **world: Any) -> None:
    """Find the tests that pass only because giftsim guessed as they did, in any language."""
    find_assumptions(command, junit, jobs, as_json=as_json, **world)


def find_assumptions(
    command: tuple[str, ...], junit: str | None, jobs: int, *, as_json: bool, **world: Any
) -> NoReturn:
    """Find the tests that lean on a guess, print the report, and exit.

    `junit` is the file that the command writes. `world` has the `fixture`, `seed` and `now` of the default world.
    """
    from giftsim.cli.replay import RecordingFailed
    from giftsim.workbench.assumptions.assumptions_report import GiftsimFailed, report_lines, write_report

    if jobs > 1 and junit is not None and JOB not in junit:
        raise click.UsageError(f"--jobs needs a file for each: put {JOB} into --junit and the command")
    for job in range(1, jobs + 1 if junit else 1):
        _check_replaceable(Path((junit or "").replace(JOB, str(job))))
    program, met = Program(command, junit, jobs, world), None
    try:
        with program, program.signals:
            met = program.first_run()
            program.find_leanings()
    except RecordingFailed as error:
        raise click.UsageError(str(error)) from None
    except GiftsimFailed as failed:
        click.echo(str(failed), err=True)
        raise SystemExit(UNKNOWN) from None
    except Stopped:
        if met is None:
            raise SystemExit(program.stopped_status) from None
    data = program.report(met)
    path = write_report(Path(), data)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())
    else:
        click.echo("\n".join([*map(one_line, report_lines(data)), f"giftsim: wrote {path}"]))
    if program.signals.received:
        click.echo("giftsim: stopped by a signal, so other tests may lean on guesses too", err=True)
        raise SystemExit(program.stopped_status)
    raise SystemExit(LEANS if data["leaning"] else NONE)


class Stopped(Exception):
    """A signal has stopped the search."""


class SearchSignals(HandledSignals):
    """They are passed on to all runs of the command. Outside the first run, they also stop the search by Stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.running: set[subprocess.Popen[Any]] = set()
        self.received = 0
        self.is_first_run = False

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self.received = number
        for process in list(self.running):
            end_group(process, number=number)
        if not self.is_first_run:
            raise Stopped


class Program:
    """A command that runs again and again, each time with a new simulator."""

    def __init__(self, command: Sequence[str], junit: str | None, jobs: int, world: Mapping[str, Any]) -> None:
        self._command, self._junit, self._world = command, junit, world
        self._name = " ".join(command)
        self._free: SimpleQueue[int] = SimpleQueue()
        for job in range(1, jobs + 1):
            self._free.put(job)
        self._limit_s: float | None = None
        self._tests: list[str] = []  # that passed
        self._runs: dict[tuple[str, ...], Future[dict[str, str]]] = {}
        self._lock = Lock()
        self._workers = ThreadPoolExecutor(jobs)
        self.signals = SearchSignals()
        self._guard = Guard()  # ends what runs if this process is killed
        self._is_over = False
        self._first_status: int | None = None
        self.leaning: dict[str, list[Any]] = {}  # how each test leans on a guess
        self.unsteady: list[str] = []

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._workers.shutdown()
        self._guard.close()

    def first_run(self) -> Met:
        """Run the command as it is, and show what it prints; what was met.

        RecordingFailed if no test passes, or if no call came; GiftsimFailed if giftsim itself did.
        """
        from giftsim.cli.replay import RecordedSimulator, RecordingFailed

        began = system_clock.monotonic()
        with closing(RecordedSimulator(**self._world)) as simulator:
            coverage = simulator.keep_coverage()
            self.signals.is_first_run = True
            status = _status_of(self._workers.submit(self._start, simulator.environment, 1, None))
            self.signals.is_first_run = False
            met: Met = coverage.met_in_all()
            self._check(simulator, ())
        if self.signals.received:
            self._first_status = status
            return met
        self._limit_s = max(LEAST_S, TIMES * (system_clock.monotonic() - began))
        self._tests = self._passed(status)
        if not self._tests:
            raise RecordingFailed(f"{self._name} ended with {status}, so there is no test that passes")
        if not (met.operations or met.events or met.captured):
            raise RecordingFailed(NO_CALL)
        return met

    def report(self, met: Met) -> dict[str, Any]:
        """The report as JSON, from what the first run met and what was found."""
        from giftsim.services.known import merged_service
        from giftsim.testing.touched_decisions import touched_decisions
        from giftsim.workbench.assumptions.assumptions_report import report_data
        from giftsim.workbench.assumptions.variants import load_variants

        leaning = [row for rows in self.leaning.values() for row in rows]
        return report_data(touched_decisions(met, merged_service()), load_variants(), leaning, self.unsteady)

    def find_leanings(self) -> None:
        """Find the tests that lean on a guess, and those that fail when they run again as they are. Stopped."""
        from giftsim.workbench.assumptions.assumptions_report import leanings
        from giftsim.workbench.assumptions.search import find_culprits
        from giftsim.workbench.assumptions.variants import load_variants

        everything = tuple(load_variants())
        suspects = [test for test in self._tests if test in self._failures(everything)]
        self.unsteady = [test for test in suspects if test in self._failures(())]
        self.leaning = {test: [] for test in suspects if test not in self.unsteady}

        def find(test: str) -> None:
            found = find_culprits(lambda variants: self._failures(variants).get(test), everything)
            if not self.signals.received:  # or the signal made the runs fail
                self.leaning[test] += [row for each in found for row in leanings(test, each.culprits, each.failure)]

        with ThreadPoolExecutor(MOST_SEARCHES) as searches:
            try:
                list(searches.map(find, self.leaning))
            except BaseException:  # such as Stopped, after which the other searches have nothing to wait for
                self._stop()
                raise

    @property
    def stopped_status(self) -> int:
        """The exit status after a signal: that of the command in its first run, or else of the signal."""
        status = self._first_status
        return 128 + self.signals.received if status is None or status < 0 else status

    def _stop(self) -> None:
        """End what runs, and start nothing more. After a signal, wait some seconds for what it ends."""
        self._is_over = True
        self._workers.shutdown(wait=False, cancel_futures=True)
        began = system_clock.monotonic()
        while self.signals.received and self.signals.running and system_clock.monotonic() - began < END_S:
            Event().wait(POLL_S)
        for process in list(self.signals.running):
            end_group(process, at_once=True)

    def _failures(self, variants: tuple[str, ...]) -> dict[str, str]:
        """How each test fails with variants turned on; the same variants are run once, also for several tests."""
        with self._lock:
            if variants not in self._runs:
                self._runs[variants] = self._workers.submit(self._run, variants)
        return self._runs[variants].result()

    def _run(self, variants: tuple[str, ...]) -> dict[str, str]:
        from giftsim.cli.replay import RecordedSimulator
        from giftsim.workbench.assumptions.variants import settings_of

        job = self._free.get()
        try:
            simulator = RecordedSimulator(**self._world, assumed=settings_of(variants))
            with closing(simulator), tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
                status = self._start(simulator.environment, job, output)
                self._check(simulator, variants)
                return dict(self._failed(status, job, output))
        finally:
            self._free.put(job)

    @staticmethod
    def _check(simulator: RecordedSimulator, variants: tuple[str, ...]) -> None:
        """GiftsimFailed if giftsim itself did in a run."""
        from giftsim.workbench.assumptions.assumptions_report import GiftsimFailed

        if simulator.latest_failure is not None:
            raise GiftsimFailed(simulator.latest_failure, variants)

    def _start(self, variables: Mapping[str, str], job: int, output: IO[str] | None) -> int | None:
        """Run the command to its end; its exit status, None if it took too long."""
        from giftsim.cli.replay import RecordingFailed

        if self._junit is not None:
            self._file(job).unlink(missing_ok=True)
        arguments = [each.replace(JOB, str(job)) for each in self._command]
        program = shutil.which(arguments[0]) or arguments[0]
        try:
            with started_group(
                [program, *arguments[1:]], env={**os.environ, **variables}, stdin=subprocess.DEVNULL,
                stdout=STANDARD_ERROR if output is None else output, stderr=subprocess.STDOUT,
            ) as process:  # fmt: skip
                self._guard.watch(process.pid)
                self.signals.running.add(process)
                try:
                    return process.wait(0 if self._is_over else self._limit_s)
                finally:
                    self.signals.running.discard(process)
                    if self.signals.received:  # what it started may ignore the signal
                        end_group(process, at_once=True)
                    self._guard.forget(process.pid)
        except subprocess.TimeoutExpired:
            return None
        except OSError as error:
            raise RecordingFailed(f"{arguments[0]} cannot be run: {error.strerror}") from None

    def _file(self, job: int) -> Path:
        return Path((self._junit or "").replace(JOB, str(job)))

    def _passed(self, status: int | None) -> list[str]:
        """The tests that passed in the first run."""
        from giftsim.workbench.exam.junit import PASSED

        if self._junit is None:
            return [self._name] if status == 0 else []
        return list(dict.fromkeys(case.id for case in self._cases(1) if case.outcome == PASSED))

    def _failed(self, status: int | None, job: int, output: IO[str]) -> Iterator[tuple[str, str]]:
        """The tests that did not pass, each with what it said."""
        from giftsim.workbench.exam.junit import PASSED

        late = f"it did not end within {self._limit_s:.0f} s"
        if self._junit is None:
            if status != 0:
                output.seek(0)
                said = [line.strip() for line in output if line.strip()]
                yield self._name, late if status is None else (said or [f"it ended with {status}"])[-1]
            return
        outcomes = {case.id: case for case in self._cases(job)} if self._file(job).is_file() else {}
        for test in self._tests:
            case = outcomes.get(test)
            if case is None:
                yield test, late if status is None else f"it did not run: the command ended with {status}"
            elif case.outcome != PASSED:
                yield test, case.message or case.outcome

    def _cases(self, job: int) -> Sequence[Any]:
        from giftsim.cli.replay import RecordingFailed
        from giftsim.workbench.exam.junit import UnreadableJunit, read_junit

        try:
            return read_junit([self._file(job)]).cases
        except (OSError, UnreadableJunit) as error:
            why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
            raise RecordingFailed(f"the command wrote no JUnit file: {why}") from None


def _check_replaceable(file: Path) -> None:
    """UsageError if a file that each run replaces is a directory, or something else than XML."""
    if file.is_dir():
        raise click.UsageError(f"--junit {file} is a directory: name the file that the command writes")
    if not file.is_file():
        return
    with file.open("rb") as content:
        begin = content.read(100).removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin and not begin.startswith(b"<"):
        raise click.UsageError(f"--junit {file} is not a JUnit file, and stays as it is: name the one that is written")


def _status_of(run: Future[int | None]) -> int | None:
    """The result of a run. A wait without an end would miss a signal now and then."""
    while True:
        with suppress(TimeoutError):
            return run.result(TURN_S)
