"""Restarts of the app between steps, and a second instance of it: what they find, and how a file repeats it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.explore.app import ACTIONS, OPERATIONS, AppProtocol
from giftsim.explore.explorer import Explorer
from giftsim.explore.generator import generate_plan
from giftsim.explore.guided import Search
from giftsim.explore.instances import Instances
from giftsim.explore.plan import Action, FurtherAction, OrderRequest, OtherInstance, Plan, Restart, Wait, describe_plan
from giftsim.explore.runner import PlanRunner
from giftsim.explore.scenario_writer import document_text, plan_scenario
from tests.explore.sample_apps import ROOT
from tests.support.downstream_app import run_app
from tests.support.free_ports import free_ports

AGAIN = (OrderRequest(1), OrderRequest(1))
RESTARTED = (OrderRequest(1), Restart(), OrderRequest(1))
ON_BOTH = (OrderRequest(1), OtherInstance(), OrderRequest(1))
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


def test_an_app_that_keeps_its_data_survives_both(tmp_path: Path) -> None:
    with exploring(tmp_path, "") as explorer:
        for actions in (AGAIN, RESTARTED, ON_BOTH, (*RESTARTED, *ON_BOTH)):
            assert reasons(explorer, *actions) == []


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


def searched(actions: Sequence[str]) -> list[Plan]:
    """The first plans of a search."""
    search = Search(1, actions)
    return [search.next_plan() for _ in range(60)]


@pytest.mark.parametrize(("action", "kind"), [("restart", Restart), ("instance", OtherInstance)])
def test_only_an_app_that_says_so_is_restarted_or_doubled(action: str, kind: type) -> None:
    others = tuple(name for name in OPERATIONS if name != action)
    assert any(isinstance(each, kind) for seed in range(60) for each in generate_plan(seed, ACTIONS).actions)
    assert not any(isinstance(each, kind) for seed in range(60) for each in generate_plan(seed, others).actions)
    found = [{type(each) for plan in searched(names) for each in plan.actions} for names in (ACTIONS, others)]
    assert [kind in each for each in found] == [True, False]


def test_an_app_that_nobody_started_is_asked_for_neither() -> None:
    answer = {"ok": True, "actions": ["order", "restart", "instance"]}
    with run_app(lambda _: (200, answer)) as app, closing(PlanRunner(AppProtocol(app=app.url))) as runner:
        explorer = Explorer(runner)
        explorer.check_app()
        assert explorer.protocol.actions == ("order",)


def test_both_are_told_in_english() -> None:
    assert describe_plan(Plan("address", False, (Restart(), OtherInstance()))) == [
        "the app is ended and started again",
        "the other of two instances of the app answers from now on",
    ]
