"""What a report is made from: files that other commands left, and an app and a receiver that run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from giftsim.engine.kernel.instants import format_instant, parse_instant
from giftsim.engine.system import TooLarge, read_file
from giftsim.engine.worlds import system_clock
from giftsim.workbench.app.calls import AppError, check_reachable
from giftsim.workbench.assumptions.assumptions_report import explained
from giftsim.workbench.exam.receiver.check_report import ReceiverReport, outcome_summary
from giftsim.workbench.exam.receiver.http_receiver import HttpReceiver, Unreachable
from giftsim.workbench.exam.receiver.probe import Secrets
from giftsim.workbench.exam.receiver.probe_runner import Runner
from giftsim.workbench.exam.receiver.probes import PROBES
from giftsim.workbench.exam.receiver.stock import Stock
from giftsim.workbench.report.junit import JunitTests, UnreadableJunit, read_junit
from giftsim.workbench.report.readiness import Played, play_pack
from giftsim.workbench.report.report import Parts

TIMEOUT_S = 10.0
MOST_BYTES = 32 * 1024 * 1024
T = TypeVar("T")
Tell = Callable[[str], object]


class InvalidInput(ValueError):
    """An input of a report that cannot be used; the message says which and why."""


class _Area(msgspec.Struct):
    met: list[str]
    missing: list[str]
    apart: list[str]
    percent: float


class _Coverage(msgspec.Struct):
    areas: dict[str, _Area]


class _Leaning(msgspec.Struct):
    test: str
    decision: str
    variant: str
    failure: str


class _Assumptions(msgspec.Struct):
    touched: list[str]
    leaning: list[_Leaning]
    safe: list[str]


class _Probe(msgspec.Struct):
    name: str
    outcome: str
    reason: str
    source: str


class _Receiver(msgspec.Struct):
    probes: list[_Probe]


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs of a report: the data of files, and what still has to run. `receiver` is a URL with a secret."""

    title: str
    made_at: str | None
    labels: Mapping[str, str]
    versions: Mapping[str, Any]
    tests: JunitTests | None = None
    coverage: Any = None
    assumptions: Any = None
    receiver_report: Any = None
    receiver: tuple[str, str] | None = None
    seed: int = 1
    app: str | None = None

    def parts(self, folder: Path, tell: Tell) -> Parts:
        """The parts of the report. Runs what was asked for, and writes traces to the folder. InvalidInput."""
        checked = self.receiver_report
        if self.receiver is not None:
            checked = _check_receiver(*self.receiver, self.seed, tell)
        return Parts(
            title=self.title,
            made_at=self.made_at,
            labels=self.labels,
            versions=self.versions,
            tests=self.tests,
            coverage=self.coverage,
            receiver=checked,
            receiver_seed=self.seed if self.receiver is not None else None,
            readiness=_play(self.app, folder, tell) if self.app is not None else None,
            assumptions=self.assumptions,
        )


def read_tests(paths: Iterable[Path]) -> JunitTests:
    """The tests of JUnit files. InvalidInput."""
    try:
        return read_junit(paths)
    except UnreadableJunit as error:
        raise InvalidInput(str(error)) from None


def read_coverage(path: Path) -> Any:
    """The coverage in a file. InvalidInput."""
    return _read(path, _Coverage, "a coverage")


def read_receiver_report(path: Path) -> Any:
    """The check of a receiver in a file. InvalidInput."""
    return _read(path, _Receiver, "what `check-receiver --json` prints")


def read_assumptions(path: Path) -> Any:
    """The assumptions in a file, explained where `run --assumptions` found them. InvalidInput."""
    data = _read(path, Any, "JSON")
    is_found = isinstance(data, dict) and "leaning" in data
    return explained(_read(path, _Assumptions, "what `run --assumptions` writes")) if is_found else data


def read_labels(texts: Iterable[str]) -> dict[str, str]:
    """Labels by name. InvalidInput."""
    labels = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not name.strip() or not sign:
            raise InvalidInput(f"--label takes NAME=TEXT, and {text!r} is something else")
        labels[name.strip()] = value.strip()
    return labels


def read_instant(text: str | None) -> str | None:
    """An instant as the report writes it. InvalidInput."""
    try:
        return None if text is None else format_instant(parse_instant(text))
    except ValueError as error:
        raise InvalidInput(f"--at: {error}") from None


def _read(path: Path, kind: type[Any] | Any, what: str) -> Any:
    """The data of a JSON file, whole; its known members are of the right kind."""
    try:
        data = msgspec.json.decode(read_file(path, MOST_BYTES))
        msgspec.convert(data, kind)
    except TooLarge as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} is not {what}: {error}") from None
    return data


def _check_receiver(url: str, secret: str, seed: int, tell: Tell) -> dict[str, Any]:
    try:
        with closing(HttpReceiver(url, timeout_s=TIMEOUT_S, forward_allow=())) as receiver:
            stock = Stock("partner", seed=seed, ends_ms=system_clock.now_ms())
            report = ReceiverReport(Runner(receiver, stock, Secrets(secret, None, None)).run(PROBES))
    except (ValueError, Unreachable) as error:
        raise InvalidInput(str(error)) from None
    tell(f"receiver: {outcome_summary(report.results)}")
    return report.data


def _play(app: str, folder: Path, tell: Tell) -> list[Played]:
    try:
        check_reachable(app)
    except AppError as error:
        raise InvalidInput(str(error)) from None
    played = []
    for each in play_pack(app, folder):
        tell(f"{each.outcome:11} {each.title}")
        played.append(each)
    return played
