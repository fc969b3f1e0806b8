"""Restarts of the app between steps, and a second instance of it: what they find, and how a file repeats it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.workbench.app.instances import Instances
from giftsim.workbench.app.protocol import ACTIONS, OPERATIONS, AppProtocol
from giftsim.workbench.app_clock.app_time import AppTime
from giftsim.workbench.explore.exploration_report import repeat_command
from giftsim.workbench.explore.explorer import Explorer, Finding
from giftsim.workbench.explore.failures import Wrong
from giftsim.workbench.explore.generator import generate_plan
from giftsim.workbench.explore.guided import Search
from giftsim.workbench.explore.plan import (
    Action,
    AppAct,
    FurtherAction,
    OrderRequest,
    OtherInstance,
    Plan,
    Restart,
    Wait,
    describe_plan,
)
from giftsim.workbench.explore.plan_runner import PlanRunner
from giftsim.workbench.explore.scenario_writer import document_text, plan_scenario
from tests.explore.sample_apps import ROOT
from tests.support.downstream_app import run_app
from tests.support.free_ports import free_ports

AGAIN = (OrderRequest(1), OrderRequest(1))
RESTARTED = (OrderRequest(1), Restart(), OrderRequest(1))
ON_BOTH = (OrderRequest(1), OtherInstance(), OrderRequest(1))
AT_ONCE = (OrderRequest(1, both=True),)
TWICE = "order-1 was made 2 times"


def command(folder: Path, bug: str) -> str:
    """The command that starts the app with a mistake, or with none."""
    shop = f"{sys.executable} {ROOT / 'tests' / 'explore' / 'durable_shop.py'} {{port}} {folder / 'data.json'}"
    return f"{shop} --bug {bug}" if bug else shop


@contextmanager
def exploring(folder: Path, bug: str) -> Iterator[Explorer]:
    """An exploration of the app, which a command has started."""
    with closing(Instances(command(folder, bug), f"http://127.0.0.1:{free_ports(1)}")) as app:
        app.wait()
        runner = PlanRunner(AppProtocol(app=app.url), instances=app)
        with closing(runner):
            explorer = Explorer(runner)
            explorer.check_app()
            yield explorer


def reasons(explorer: Explorer, *actions: Action | FurtherAction) -> list[str]:
    """What a plan shows to be wrong."""
    return [failure.reason for failure in explorer.runner.run(Plan("address", False, actions), 1).failures]


def test_the_call_of_the_first_instance_is_held_until_the_other_one_was_asked() -> None:
    plan = Plan("address", False, (AppAct("pay", 1, both=True), OrderRequest(1, both=True)))
    steps = plan_scenario(
        msgspec.structs.replace(plan, actions=plan.actions[::-1]), AppProtocol(app="http://127.0.0.1:1"), seed=1
    )["steps"]
    held = [step["fault"] for step in steps if "fault" in step]
    assert [fault.get("match", fault.get("clear")) for fault in held] == [
        {"operation": "createTeamOrder"},
        "here-1",
        {"operation": "createTeamOrder"},
        "here-2",
    ]
    names = [step.get("background", step.get("await")) for step in steps if {"background", "await"} & step.keys()]
    assert names == ["here-1", "there-1", "here-1", "there-1", "here-2", "there-2", "here-2", "there-2"]


def test_data_in_memory_only_are_found_by_a_restart_and_not_without(tmp_path: Path) -> None:
    with exploring(tmp_path, "in-memory") as explorer:
        assert reasons(explorer, *AGAIN) == []
        assert reasons(explorer, *RESTARTED) == [TWICE]
        assert reasons(explorer, *AGAIN) == []


def test_data_read_once_are_found_by_a_second_instance_and_not_by_a_restart(tmp_path: Path) -> None:
    with exploring(tmp_path, "stale") as explorer:
        assert reasons(explorer, *RESTARTED) == []
        assert reasons(explorer, *ON_BOTH) == [TWICE]
        assert reasons(explorer, *RESTARTED) == []


def test_both_instances_run_from_the_beginning_and_webhooks_go_to_the_one_that_answers() -> None:
    steps = plan_scenario(
        Plan("link", False, (OtherInstance(), Wait(1))), AppProtocol(app="http://127.0.0.1:1"), seed=1
    )
    told = [step for step in steps["steps"] if "receiver" in step or "POST /giftsim/instance" in step.values()]
    assert [step.get("receiver", {}).get("to") for step in told] == ["${app}", None, None, None, "${instance}"]


def test_a_file_repeats_two_calls_at_once(tmp_path: Path) -> None:
    app, file = f"http://127.0.0.1:{free_ports(1)}", tmp_path / "at_once.yaml"
    protocol, plan = AppProtocol(app=app, actions=("order", "instance")), Plan("address", False, AT_ONCE)
    wrong = Wrong(1, "order-1@example.com")
    file.write_text(document_text(plan_scenario(plan, protocol, seed=1, wrong=wrong, checked=False)))
    done = [play(file, "--app", app, "--app-command", command(tmp_path, bug)).exit_code for bug in ("", "saved-late")]
    assert done == [0, 1]


def test_a_file_repeats_a_restart_under_play_that_started_the_app_and_fails_without(tmp_path: Path) -> None:
    app, file = f"http://127.0.0.1:{free_ports(1)}", tmp_path / "restarted.yaml"
    protocol = AppProtocol(app=app, actions=("order", "restart"))
    plan = Plan("address", False, RESTARTED)
    file.write_text(document_text(plan_scenario(plan, protocol, seed=1)))
    start = ("--app", app, "--app-command", command(tmp_path, ""))
    assert play(file, *start).exit_code == 0
    missing = play(file, "--app-command", "true")
    assert "--app-command needs the address of the app that it starts" in missing.output
    with run_app(lambda request: (404 if request.path == "/giftsim/restart" else 200, {"ok": True})) as alone:
        failed = play(file, "--app", alone.url)
    assert (failed.exit_code, "app POST /giftsim/restart" in failed.output) == (1, True)


def play(file: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["play", str(file), *options])


@pytest.mark.parametrize(("actions", "starts"), [(AT_ONCE, True), (RESTARTED, True), (AGAIN, False)])
def test_the_command_for_a_file_starts_the_app_if_the_plan_restarts_it_or_needs_two(
    actions: Sequence[Action | FurtherAction], starts: bool
) -> None:
    finding = Finding("why", (1,), Plan("address", False, tuple(actions)), 9, Path("why.yaml"), repeats=True)
    command = repeat_command(finding, "http://127.0.0.1:1", None, "shop {port}")
    assert command.endswith("--app-command 'shop {port}'" if starts else "--app http://127.0.0.1:1")


@cache
def searched(actions: tuple[str, ...]) -> list[Plan]:
    """The first plans of a search."""
    search = Search(1, actions)
    return [search.next_plan() for _ in range(60)]


@cache
def generated(actions: tuple[str, ...]) -> list[Plan]:
    """The plans of the first seeds."""
    return [generate_plan(seed, actions) for seed in range(60)]


@pytest.mark.parametrize(("action", "kind"), [("restart", Restart), ("instance", OtherInstance)])
def test_only_an_app_that_says_so_is_restarted_or_doubled(action: str, kind: type) -> None:
    others = tuple(name for name in OPERATIONS if name != action)
    for plans in (generated, searched):
        found = [{type(each) for plan in plans(names) for each in plan.actions} for names in (ACTIONS, others)]
        assert [kind in each for each in found] == [True, False]


def test_only_an_app_with_two_instances_is_asked_at_both_at_once() -> None:
    others = tuple(name for name in ACTIONS if name != "instance")
    for plans in (searched, generated):
        both = [
            {type(each) for plan in plans(names) for each in plan.actions if getattr(each, "both", False)}
            for names in (ACTIONS, others)
        ]
        assert both == [{OrderRequest, AppAct}, set()]


def test_an_app_that_nobody_started_is_asked_for_neither() -> None:
    answer = {"ok": True, "actions": ["order", "restart", "instance"]}
    with run_app(lambda _: (200, answer)) as app, closing(PlanRunner(AppProtocol(app=app.url))) as runner:
        explorer = Explorer(runner)
        explorer.check_app()
        assert explorer.protocol.actions == ("order",)


def test_both_are_told_in_english() -> None:
    both = (OrderRequest(1, 2, both=True), AppAct("cancel", 1, both=True), AppAct("gift", 1, both=True))
    assert describe_plan(Plan("address", False, (Restart(), OtherInstance(), *both))) == [
        "the app is ended and started again",
        "the other of two instances of the app answers from now on",
        "order-1 is requested for 2 recipients at both instances of the app at the same moment",
        "order-1 is canceled at both instances of the app at the same moment",
        "gift-1 is requested at both instances of the app at the same moment",
    ]


TOLD = """
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class App(BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with open(sys.argv[2], "a") as log:
            log.write(json.dumps([self.path, json.loads(body or "{}")]) + "\\n")
        content = json.dumps({"actions": ["order", "clock"], "ok": True}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), App).serve_forever()
"""


def test_an_app_whose_clock_follows_is_asked_at_the_instants_of_its_world_and_not_after_each_wait(
    tmp_path: Path,
) -> None:
    (tmp_path / "app.py").write_text(TOLD)
    start = f"{sys.executable} {tmp_path / 'app.py'} {{port}} {tmp_path / 'log'}"
    time = AppTime(start.split())
    with closing(Instances(start, f"http://127.0.0.1:{free_ports(1)}", time)) as app:
        app.wait()
        protocol = AppProtocol(app=app.url, actions=("order", "clock"), is_shown_time=True)
        with closing(PlanRunner(protocol, instances=app)) as runner:
            runner.run(Plan("address", False, (OrderRequest(1), Wait(30))), 1)
    asked = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert asked[0][0] == "/giftsim/start"
    told = [body for _, body in asked if body.get("action") == "clock"]
    assert {*map(tuple, told)} == {("action", "now")}
    assert told[0] == {"action": "clock", "now": asked[0][1]["now"]}
    assert [body["now"] for body in told] == sorted(body["now"] for body in told)
    assert "2027-01-05T15:00:00Z" in [body["now"] for body in told]
