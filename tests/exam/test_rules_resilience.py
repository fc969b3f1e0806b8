"""Rules about crashes and two instances: an app that keeps its data in a file obeys, one that keeps less does not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from giftsim.workbench.app.instances import Instances
from giftsim.workbench.app.process import url_of_own
from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.exam.exam import Exam, RuleResult
from giftsim.workbench.exam.exam_rule import Outcome, Rule
from giftsim.workbench.exam.examined_app import ExaminedApp
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.trace.file import read_trace_file
from tests.exam.examined import RULES

APP = Path(__file__).parent / "durable_app.py"
CRASHES, SHARES = "survives_restarts", "shares_work"


@contextmanager
def started(command: str) -> Iterator[ExaminedApp]:
    """The app of a command, to be examined."""
    with closing(Instances(command, url_of_own("http://127.0.0.1"))) as process:
        process.wait()
        with closing(ExaminedApp(AppProtocol(app=process.url), process)) as app:
            yield app


def results(folder: Path, bug: str, *names: str, seed: int, traces: Path | None = None) -> dict[str, RuleResult]:
    """What the exam of the durable app shows, with a bug or without one; each probe ran unless one failed."""
    return results_of(folder, bug, *(RULES[name] for name in names), seed=seed, traces=traces)


def results_of(folder: Path, bug: str, *rules: Rule, seed: int, traces: Path | None = None) -> dict[str, RuleResult]:
    """The same for rules."""
    bugs = f"--bug {bug}" if bug else ""
    with (
        started(f"exec {sys.executable} {APP} {{port}} {folder / 'data'} {bugs}") as app,
        closing(Exam(app, rules, seed=seed, rounds=max(len(rule.probes) for rule in rules), folder=traces)) as exam,
    ):
        for _ in exam.hold():
            pass
        return dict(exam.results)


@pytest.mark.parametrize("seed", range(2))
def test_an_app_that_keeps_its_data_obeys(tmp_path: Path, seed: int) -> None:
    for name, result in results(tmp_path, "", CRASHES, SHARES, seed=seed).items():
        assert result.outcome is Outcome.PASSED, (name, result.reason)


@pytest.mark.parametrize(
    ("name", "bug", "reason"),
    [
        (CRASHES, "saves-late", "was ordered 2 times"),
        (CRASHES, "remembers-events", "and booked 2: an event that comes again"),
        (SHARES, "saves-late", "was ordered 2 times"),
        (SHARES, "remembers-events", "and booked 2: an event that comes again"),
    ],
)
def test_an_app_that_keeps_less_does_not(tmp_path: Path, name: str, bug: str, reason: str) -> None:
    result = results(tmp_path, bug, name, seed=3)[name]
    assert result.outcome is Outcome.FAILED
    assert reason in (result.reason or "")


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("bug", ["forgets-start", "fails-without-start"])
@pytest.mark.parametrize("name", [CRASHES, SHARES])
def test_an_app_that_keeps_the_start_in_its_process_does_not(tmp_path: Path, name: str, bug: str, seed: int) -> None:
    for probe in RULES[name].probes:
        rule = msgspec.structs.replace(RULES[name], probes=(probe,))
        result = results_of(tmp_path, bug, rule, seed=seed)[name]
        assert result.outcome is Outcome.FAILED, probe.__doc__
        assert "gets no start, so `simulator`, `key` and `secret` have to be kept" in (result.reason or "")
        assert (result.reason or "")[-1] != "…"
        assert (result.mend or "").startswith("Keep what the start says")


def test_the_trace_says_when_the_app_was_restarted_and_which_instance_answered(tmp_path: Path) -> None:
    found = results(tmp_path, "forgets-start", CRASHES, SHARES, seed=1, traces=tmp_path)
    asked = {name: _asked(tmp_path / (result.trace or "")) for name, result in found.items()}
    assert "Z  the exam ends the app as a crash does, and starts it again" in asked[CRASHES]
    assert "Z  from here on the instance at http://127.0.0.1:" in asked[SHARES]


def test_the_trace_blames_no_fault_that_the_exam_planned(tmp_path: Path) -> None:
    result = results(tmp_path, "forgets-start", CRASHES, seed=2, traces=tmp_path)[CRASHES]
    [first, *others] = read_trace_file((tmp_path / (result.trace or "")).read_bytes())["verdicts"]
    assert (f"{first['sentence']}.", first["why_not"]) == (result.why, result.mend)
    assert others == []


def _asked(trace: Path) -> str:
    output: dict[str, str] = read_trace_file(trace.read_bytes())["test"]["output"]
    return output["What the app was asked, and its answers"]


def test_an_app_that_no_command_started_is_not_asked_to_crash(tmp_path: Path) -> None:
    with by_hand(tmp_path, "none") as app, closing(Exam(app, [RULES[CRASHES]], seed=1)) as exam:
        assert [each.outcome for each in exam.hold()] == [Outcome.NOT_OFFERED]


def test_an_app_that_ended_is_started_again_and_asked_for_the_other_rules(tmp_path: Path) -> None:
    found = results(tmp_path, "ends", CRASHES, SHARES, seed=1)
    outcomes = sorted(each.outcome for each in found.values())
    assert outcomes == [Outcome.FAILED, Outcome.PASSED]
    assert any("closed the connection without an answer" in (each.reason or "") for each in found.values())


def test_an_app_that_does_not_come_back_leaves_rules_that_were_not_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("giftsim.workbench.exam.exam.COMES_BACK_S", 0.1)
    rules = [RULES[name] for name in ("pays_once", "books_expired_links", "books_rejected_parcels")]
    with by_hand(tmp_path, "ends") as app, closing(Exam(app, rules, seed=1)) as exam:
        for _ in exam.hold():
            pass
        outcomes = [each.outcome for each in exam.results.values()]
    assert outcomes.count(Outcome.FAILED) == 1
    assert Outcome.SKIPPED in outcomes
    assert not exam.passed


def test_an_exam_that_is_cut_off_keeps_what_was_found_and_no_world(tmp_path: Path) -> None:
    def interrupt(sitting: Sitting) -> None:
        sitting.begin()
        raise KeyboardInterrupt

    rules = [RULES["books_expired_links"], msgspec.structs.replace(RULES["pays_once"], probes=(interrupt,))]
    with by_hand(tmp_path, "none") as app, closing(Exam(app, rules, seed=1, rounds=2)) as exam:
        found: list[RuleResult] = []
        with pytest.raises(KeyboardInterrupt):
            found.extend(exam.hold())
        assert exam.results["pays_once"].outcome is Outcome.SKIPPED
        assert {each.rule.id for each in found} <= {"books_expired_links"}
        worlds = exam._control.rows("/worlds", "worlds")
        assert [each["id"] for each in worlds] == ["default"]


@contextmanager
def by_hand(folder: Path, bug: str) -> Iterator[ExaminedApp]:
    """The durable app, which somebody else started."""
    with (
        started(f"exec {sys.executable} {APP} {{port}} {folder / 'data'} --bug {bug}") as app,
        closing(ExaminedApp(AppProtocol(app=app.url))) as other,
    ):
        yield other
