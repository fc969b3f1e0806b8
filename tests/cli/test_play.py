"""The command `play`: which files of a folder it plays, what it prints, and its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.workbench.trace.file import read_trace_file
from tests.scenario.builders import write_files
from tests.support.downstream_app import AppRequest, run_app
from tests.support.orders import address_recipients
from tests.support.traces import check_format

GOOD = "scenario: A day goes by\nsteps:\n  - advance: 1d\n"
BAD = "scenario: Nothing happens\nsteps:\n  - advance: 1d\n    expect: {events: [team_order.shipped]}\n"
ORDERS = """scenario: An app is asked for an order
app: http://127.0.0.1:9100
steps:
  - app: POST /giftsim/start
    body: {simulator: "${origin}"}
    expect: {status: 200}
  - app: POST /giftsim/do
    body: {action: order, reference: order-1}
    expect: {status: 200}
"""
TYPO = "scenario: A typing error\nsteps:\n  - advanse: 1d\n"


def play(*arguments: str) -> Result:
    """Run `giftsim play`."""
    return CliRunner().invoke(main, ["play", *arguments])


def test_a_folder_is_played_in_both_spellings_and_foreign_yaml_is_left_alone(tmp_path: Path) -> None:
    write_files(
        tmp_path, a__yaml=GOOD, b__yml=GOOD, compose__yaml="services: {web: {image: x}}\n", k6__yml="scenario: load\n"
    )
    done = play(str(tmp_path))
    assert done.exit_code == 0, done.output
    assert done.output.splitlines() == [
        f"passed  A day goes by ({tmp_path}/a.yaml)", f"passed  A day goes by ({tmp_path}/b.yml)", "", "2 passed",
    ]  # fmt: skip


def test_each_attempt_to_deliver_a_webhook_is_shown_with_its_outcome() -> None:
    lines = play("partner.dead_webhook").output.splitlines()
    attempts = [line for line in lines if "team_order.shipped, attempt " in line]
    assert len(attempts) == 9
    assert attempts[-1].endswith("team_order.shipped, attempt 9 to https://hooks.partner.example/gifts: timeout")
    assert lines.index(attempts[0]) > next(n for n, line in enumerate(lines) if line.endswith(" team_order.shipped"))


@pytest.mark.parametrize("files", [{}, {"compose__yaml": "services: {}\n"}, {"parts___steps__yaml": "steps: []\n"}])
def test_a_folder_without_a_scenario_is_refused_by_name(tmp_path: Path, files: dict[str, str]) -> None:
    write_files(tmp_path, **files)
    done = play(str(tmp_path))
    assert done.exit_code == 2
    assert f"{tmp_path} has no scenario: a YAML file with a text `scenario:` and `steps:`" in done.output


def test_a_name_of_the_library_is_played_and_an_unknown_one_is_refused() -> None:
    for name in ("museum.leap_day", "museum/leap_day"):
        assert play(name, "--quiet").output.startswith("passed  ")
    assert play("museum", "--quiet").output.splitlines()[-1].endswith(" passed")
    done = play("museum/leap_dya")
    assert done.exit_code == 2
    assert (
        "museum/leap_dya does not exist, and the library has nothing of that name; did you mean museum.leap_day?"
        in done.output
    )


def test_each_file_has_a_line_and_each_failure_its_reason(tmp_path: Path) -> None:
    write_files(tmp_path, a__yaml=GOOD, b__yaml=BAD, c__yml=TYPO)
    done = play(str(tmp_path))
    assert done.exit_code == 2
    passed, failed, *reason, refused, error, blank, totals = done.output.splitlines()
    assert passed == f"passed  A day goes by ({tmp_path}/a.yaml)"
    assert failed == f"failed  Nothing happens ({tmp_path}/b.yaml)"
    assert reason[0] == f"  {tmp_path}/b.yaml:3: step 1, advance 1d"
    assert "team_order.shipped" in reason[1]
    assert refused == f"refused {tmp_path}/c.yml"
    assert error.startswith(f"  {tmp_path}/c.yml:3:5: ")
    assert (blank, totals) == ("", "1 passed, 1 failed, 1 refused")


def test_what_an_app_answers_with_501_is_not_offered(tmp_path: Path) -> None:
    def respond(request: AppRequest) -> tuple[int, Any]:
        is_start = request.path == "/giftsim/start"
        return (200, {}) if is_start else (501, {"error": "this shop does not order"})

    junit, file = tmp_path / "junit.xml", tmp_path / "orders.yaml"
    file.write_text(ORDERS)
    with run_app(respond) as app:
        done = play(str(file), "--app", app.url, "--quiet", "--junit", str(junit))
    assert done.exit_code == 0
    outcome, reason = done.output.splitlines()
    assert outcome.startswith("not offered An app is asked for an order (")
    assert reason == "  POST /giftsim/do order answered 501"
    assert 'failures="0" errors="0" skipped="1"' in junit.read_text()
    with run_app(lambda request: (500 if request.path == "/giftsim/do" else 200, {})) as app:
        assert play(str(file), "--app", app.url, "--quiet").exit_code == 1


def test_one_file_is_shown_step_by_step_and_several_on_request(tmp_path: Path) -> None:
    write_files(tmp_path, a__yaml=GOOD, b__yaml=GOOD)
    timeline = play(str(tmp_path / "a.yaml")).output
    assert timeline.startswith(f"ok  A day goes by ({tmp_path}/a.yaml)\n  2027-01-04T09:00:00Z  ok")
    assert play("--quiet", str(tmp_path / "a.yaml")).output == f"passed  A day goes by ({tmp_path}/a.yaml)\n"
    both = play("--verbose", str(tmp_path)).output
    assert both == f"{timeline}{timeline.replace('a.yaml', 'b.yaml')}2 passed\n"


def test_a_line_is_printed_before_the_next_file_is_played(tmp_path: Path) -> None:
    shown = tmp_path / "shown.txt"  # what was printed when each scenario ended
    write_files(tmp_path, a__yaml=GOOD, b__yaml=GOOD)
    check = tmp_path / "check.sh"
    check.write_text(f"#!/bin/sh\ncat {tmp_path}/out.txt >> {shown}; echo --- >> {shown}\n")
    check.chmod(0o755)
    with (tmp_path / "out.txt").open("w", buffering=1) as out, redirect_stdout(out):
        main(["play", str(tmp_path), "--check", str(check)], standalone_mode=False)
    assert shown.read_text() == f"---\npassed  A day goes by ({tmp_path}/a.yaml)\n---\n"


def test_json_lists_all_reports(tmp_path: Path) -> None:
    write_files(tmp_path, a__yaml=GOOD, b__yml=BAD)
    assert [report["outcome"] for report in json.loads(play("--json", str(tmp_path)).stdout)] == ["passed", "failed"]


def test_each_world_leaves_a_trace_and_all_are_in_an_index(tmp_path: Path) -> None:
    write_files(tmp_path, a__yaml=GOOD, b__yaml=BAD)
    folder = tmp_path / "traces"
    done = play(str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml"), "--trace", str(folder))
    assert done.exit_code == 1
    traces = {read_trace_file(path.read_bytes())["test"]["outcome"]: path for path in folder.glob("*-[ab].html")}
    assert set(traces) == {"passed", "failed"}
    trace = read_trace_file(traces["failed"].read_bytes())
    check_format(trace)
    assert trace["test"]["failure"]["place"] == {"file": f"{tmp_path}/b.yaml", "line": 3}
    assert "team_order.shipped" in trace["test"]["failure"]["message"]
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert "1 failed, 1 passed" in index
    assert all(path.name in index for path in traces.values())


def play_in_processes(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `giftsim play` in a process of its own, which starts others."""
    command = [sys.executable, "-c", "from giftsim.cli.main import main; main()", "play", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def outcome(trace: Path) -> str:
    """The outcome that a trace tells."""
    told: str = read_trace_file(trace.read_bytes())["test"]["outcome"]
    return told


def test_one_process_that_is_killed_ends_the_run_with_an_error(tmp_path: Path) -> None:
    write_files(tmp_path, a__yaml=GOOD, b__yaml=GOOD)
    done = play_in_processes(str(tmp_path), "--jobs", "2", "--check", f"mkdir {tmp_path}/killed && kill -9 $PPID; true")
    assert (done.returncode, done.stderr) == (1, "Error: a process ended before it had played its files\n")


@pytest.mark.parametrize("jobs", ["0", "65", "many"])
def test_a_number_of_processes_is_1_to_64_or_auto(jobs: str) -> None:
    done = play("museum.leap_day", "--jobs", jobs)
    assert done.exit_code == 2
    assert f"it takes auto or a whole number from 1 to 64, not {jobs!r}." in " ".join(done.output.split())


FORGED = "x\nok       Forged (b.yaml)\x1b[2K\u2028ok       Forged (c.yaml)"
HOSTILE_FILES = {
    "title": {"scenario": FORGED, "steps": [{"advance": "1h"}]},
    "member": {"scenario": "Mine", FORGED: 1, "steps": [{"advance": "1h"}]},
    "step": {"scenario": "Mine", "steps": [{"title": FORGED, "call": "GET /nowhere", "expect": {"status": 200}}]},
    "detail": {
        "scenario": "Mine",
        "steps": [{"call": f"GET /x?q={FORGED}", "expect": {"status": 200}}],
    },
}


@pytest.mark.parametrize("name", HOSTILE_FILES)
@pytest.mark.parametrize("options", [("play",), ("play", "-q"), ("check",), ("check", "--github"), ("replay",)])
def test_no_text_of_a_file_begins_a_line(tmp_path: Path, name: str, options: tuple[str, ...]) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(yaml.safe_dump(HOSTILE_FILES[name], allow_unicode=True))
    output = CliRunner().invoke(main, [*options, str(file)]).output
    assert not [line for line in output.splitlines() if line.lstrip().startswith("ok       Forged")]
    assert output.replace("\n", "").isprintable()


def test_like_lines_of_a_large_scenario_are_one(tmp_path: Path) -> None:
    def ordered(number: int, many: int) -> dict[str, Any]:
        people = address_recipients(many)
        body = {"idempotency_key": f"k{number}", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}]}
        return {
            "call": "POST /api/external/team-orders",
            "as": "partner.prepaid",
            "body": {**body, "recipients": people},
        }

    endpoint = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.shipped"]}
    subscribed = {"call": "POST /api/external/webhooks", "as": "partner.prepaid", "body": endpoint}
    at_once = [subscribed, ordered(0, 100), {"advance": "10d"}]
    spread = [step for number in range(30) for step in (ordered(number, 1), {"advance": "1h"})]
    funded = {"simulate": "account", "with": {"key": "partner.prepaid", "wallet_cents": 10**9}}
    for name, steps in (("at_once", at_once), ("spread", [*spread, {"advance": "10d"}])):
        file = tmp_path / f"{name}.yaml"
        file.write_text(yaml.safe_dump({"scenario": name, "steps": [funded, *steps]}), encoding="utf-8")
    lines = play(str(tmp_path / "at_once.yaml")).output.splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines if " x " in line and "shipped" in line] == [
        "100 x team_order.shipped",
        "100 x team_order.shipped, attempt 1 to https://hooks.partner.example/gifts: delivered 200",
    ]
    assert len(lines) < 12
    [shipped] = [line for line in play(str(tmp_path / "spread.yaml")).output.splitlines() if "shipped" in line]
    assert shipped.endswith("30 x team_order.shipped, the last at 2027-01-08T14:00:00Z")
