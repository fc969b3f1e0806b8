"""Explore and the example apps that need packages of their own: it finds their bugs, and nothing in the right apps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.workbench.explore.plan import (
    Action,
    AppAct,
    CallFault,
    DeclinedPayment,
    FurtherAction,
    OrderRequest,
    Plan,
    PriceChange,
    Wait,
    WebhookFault,
)
from tests.support.free_ports import free_ports
from tools.explored_apps import EXPRESS, HR, command_of, exploring, go_command

MAX_STEPS = 10


class Bug(NamedTuple):
    """A bug of an app: a plan that shows it, so that no test has to search for it, and what explore says then."""

    app: str
    reason: str
    actions: tuple[Action | FurtherAction, ...]
    start: str = ""
    destination: str = "address"


GIFT = AppAct("gift", 1)
BUGS: dict[str, Bug] = {
    "utc-month": Bug(HR, "2600 were spent in 2027-01, and our books say 0", (GIFT,), "month end"),
    "day-twice": Bug(HR, "2026-10-31 was closed 2 times", (Wait(100),), "clocks back"),
    "decided-twice": Bug(
        HR, "2600 were spent in 2027-01, and our books say 5200", (WebhookFault("reorder", 2), GIFT, Wait(6))
    ),
    "superseded-paid": Bug(
        HR, "1899 were spent in 2027-01, and our books say 2600", (GIFT, PriceChange(1099), Wait(6))
    ),
    "page-missed": Bug(
        EXPRESS,
        "order-1 could be paid, and was not",
        (
            DeclinedPayment("insufficient_funds", 3),
            OrderRequest(1),
            OrderRequest(2),
            AppAct("pay", 1),
            AppAct("pay", 2),
        ),
    ),
    "expiry-early": Bug(
        EXPRESS,
        "a gift of order-1 is delivered, and we gave the money back",
        (OrderRequest(1), Wait(700)),
        destination="late",
    ),
    "answered-early": Bug(
        EXPRESS, "order-1 earned 0 points", (OrderRequest(1), CallFault("getTeamOrder", "before", 1), Wait(100))
    ),
}


def explore(command: str, folder: Path, *options: str) -> dict[str, Any]:
    """The report of exploring the app of a command."""
    url = f"http://127.0.0.1:{free_ports(1)}"
    fixed = ["--app-command", command, "--app", url, "--out", str(folder / "found"), "--json"]
    done = CliRunner().invoke(main, ["explore", *fixed, *options])
    assert done.exit_code in (0, 1), done.output
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize("app", [HR, EXPRESS])
def test_the_right_app_passes(app: str, tmp_path: Path) -> None:
    assert explore(command_of(app, tmp_path), tmp_path, "--seeds", "25")["findings"] == []


@pytest.mark.parametrize("name", BUGS)
def test_each_bug_fails_its_plan_for_its_reason_and_the_right_app_passes_it(name: str, tmp_path: Path) -> None:
    bug, reasons = BUGS[name], []
    for switched in (name, ""):
        with exploring(bug.app, switched) as explorer:
            failures = explorer.runner.run(Plan(bug.destination, False, bug.actions, bug.start), 1).failures
        reasons.append([failure.reason for failure in failures])
    assert reasons == [[bug.reason], []]


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The command that starts an app in Go for which no part of a search was made."""
    return go_command(tmp_path_factory.mktemp("unseen"))


@pytest.mark.parametrize(
    ("bug", "reason"),
    [
        ("", None),
        ("key-of-the-day", " was made 2 times"),
        ("all-canceled", ", and we gave the money back"),
        ("once-per-order", "we do not know that a parcel of order-1 was delivered"),
    ],
)
def test_a_search_finds_the_bugs_of_an_app_that_it_was_not_made_for(
    unseen: str, bug: str, reason: str | None, tmp_path: Path
) -> None:
    findings = explore(f"{unseen} {bug}", tmp_path, "--budget", "400", "--seed", "1")["findings"]
    assert bool(findings) == (reason is not None)
    for finding in findings[:1]:
        assert reason in finding["reason"]
        assert (finding["steps"] <= MAX_STEPS, finding["repeats"]) == (True, True)


@pytest.mark.parametrize(("name", "seed"), [("decided-twice", 29)])
def test_a_bug_is_found_and_shortened_to_ten_steps(name: str, seed: int, tmp_path: Path) -> None:
    report = explore(command_of(BUGS[name].app, tmp_path, name), tmp_path, "--seed", str(seed))
    [finding] = report["findings"]
    assert (finding["steps"] <= MAX_STEPS, finding["repeats"]) == (True, True)
