"""Apps that say what they can do: what they are asked for, what goes wrong for them, and what is checked meanwhile."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import requests
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.workbench.app.process import AppProcess
from giftsim.workbench.app.protocol import ACTIONS, OF_COMMAND, OF_EXAM, AppProtocol
from giftsim.workbench.explore.generator import generate_plan
from giftsim.workbench.explore.guided import Search
from giftsim.workbench.explore.plan import (
    Action,
    AppAct,
    CallFault,
    FailedAttempt,
    FurtherAction,
    LostConnection,
    NewSecret,
    OrderRequest,
    OtherEvents,
    Plan,
    PriceChange,
    Wait,
    describe_plan,
)
from giftsim.workbench.explore.scenario_writer import document_text, plan_scenario, supported_plan
from giftsim.workbench.scenario import load_scenario
from tests.explore.sample_apps import ROOT, exploring
from tests.support.downstream_app import AppRequest, Respond, run_app
from tests.support.free_ports import free_ports

EXPLORED = tuple(each for each in ACTIONS if each not in OF_EXAM)
EVERYTHING = AppProtocol(app="http://127.0.0.1:9100", actions=EXPLORED, cheap_check=True)
SHOP = f"{sys.executable} {ROOT / 'examples' / 'flask_shop.py'} {{port}}"


def telling(actions: Any, wrong: Any = None, **more: Any) -> Respond:
    """An app that says what it can do, does nothing, and finds `wrong` what that answers for a check."""

    def respond(request: AppRequest) -> tuple[int, Any]:
        if request.path == "/giftsim/start":
            return 200, {"actions": actions, **more}
        reason = wrong(request.path) if wrong and request.path.startswith("/giftsim/check") else None
        return 200, {"wrong": reason} if reason else {"ok": True}

    return respond


def requests_of(respond: Respond, plan: Plan) -> list[AppRequest]:
    """What an app is asked in a plan, after it has said what it can do."""
    with run_app(respond) as downstream, exploring(downstream.url) as explorer:
        explorer.check_app()
        downstream.requests.clear()
        assert explorer.runner.run(plan, 1).failures == ()
        return list(downstream.requests)


def test_each_action_is_sent_with_its_members() -> None:
    acts: list[Action | FurtherAction] = [OrderRequest(1, 2), AppAct("cancel", 1, True), AppAct("pay", 1)]
    acts += [make("gift"), make("campaign"), make("rule"), make("ticket"), NewSecret()]
    plan = Plan("link", False, tuple(acts))
    bodies = {each.body["action"]: each.body for each in requests_of(telling(list(ACTIONS)), plan) if "do" in each.path}
    assert list(bodies) == ["order", "cancel", "pay", "gift", "campaign", "rule", "ticket", "secrets"]
    assert [person["email"] for person in bodies["order"]["recipients"]] == [
        "order-1@example.com",
        "order-1-second@example.com",
    ]
    assert bodies["cancel"] == {
        "action": "cancel",
        "reference": "order-1",
        "recipients": ["order-1-second@example.com"],
    }
    assert bodies["pay"] == {"action": "pay", "reference": "order-1"}
    assert bodies["gift"]["recipient"] == {"name": "Bo", "email": "gift-1@example.com"}
    assert (bodies["campaign"]["collection"], len(bodies["campaign"]["recipients"])) == ("welcome-kit", 2)
    assert bodies["rule"]["person"] == {"email": "rule-1@example.com", "first_name": "Bo", "birthday": "01-06"}
    assert bodies["ticket"] == {
        "action": "ticket",
        "reference": "ticket-1",
        "email": "ticket-1@example.com",
        "date": "2027-01-04",
    }
    assert len(set(bodies["secrets"]["secrets"])) == 2


def test_an_app_with_a_clock_is_told_the_time_at_the_start_and_after_each_wait() -> None:
    acts = (OrderRequest(1), Wait(30), OrderRequest(1), Wait(6))
    asked = requests_of(telling(["order", "clock"]), Plan("address", False, acts, "clocks back"))
    [start] = [each.body for each in asked if each.path.endswith("start")]
    told = [each.body for each in asked if each.path.endswith("do") and each.body["action"] == "clock"]
    assert start["now"] == "2026-10-31T20:00:00Z"
    assert told == [
        {"action": "clock", "reference": "clock-30", "now": "2026-11-02T02:00:00Z"},
        {"action": "clock", "reference": "clock-36", "now": "2026-11-02T08:00:00Z"},
    ]


def make(action: str) -> AppAct:
    """The first of something."""
    return AppAct(action, 1)


@pytest.mark.parametrize(
    ("actions", "members"),
    [
        (["order"], set()),
        (["gift"], {"team_key", "team_secret"}),
        (["order", "ticket"], {"museum"}),
        (["order", "clock"], {"now"}),
    ],
)
def test_the_start_has_what_the_actions_need(actions: list[str], members: set[str]) -> None:
    [start] = [each for each in requests_of(telling(actions), Plan("link", False, ())) if each.path.endswith("start")]
    assert start.body.keys() - {"simulator", "key", "webhook_url", "secret", "world"} == members


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (["gifts"], "none of 'gifts' is an action; there are order, cancel, pay,"),
        ([], "[] is not a list of actions"),
    ],
)
def test_actions_that_there_are_not_are_refused(actions: list[str], message: str) -> None:
    with run_app(telling(actions)) as downstream:
        done = CliRunner().invoke(main, ["explore", "--app", downstream.url, "--seeds", "1"])
    assert (done.exit_code, message in done.output) == (2, True)


def test_every_action_and_problem_is_generated_and_loads() -> None:
    plans = [generate_plan(seed, EXPLORED) for seed in range(1, 120)]
    assert plans[:30] == [generate_plan(seed, EXPLORED) for seed in range(1, 31)]
    steps = [step for plan in plans for step in plan.actions]
    assert {step.action for step in steps if isinstance(step, AppAct)} == set(EXPLORED) - {
        "order",
        "secrets",
        "clock",
        *OF_COMMAND,
    }
    assert {type(step) for step in steps} >= {CallFault, PriceChange, OtherEvents, NewSecret, LostConnection}
    assert {plan.start for plan in plans} == {"", "month end", "clocks back", "leap day"}
    assert {plan.approver for plan in plans} == {"approve", "late", "reject"}
    assert {plan.destination for plan in plans} == {"address", "link", "late", "apart"}
    for plan in plans[::4]:
        assert load_scenario(document_text(plan_scenario(plan, EVERYTHING, seed=1))).steps


def test_a_cancellation_is_refused_in_part_if_one_of_two_recipients_claims_early() -> None:
    service: dict[str, Any] = {}
    answers: list[Any] = []

    def respond(request: AppRequest) -> tuple[int, Any]:
        if request.path == "/giftsim/start":
            service.update(request.body)
            return 200, {"actions": ["order", "cancel"]}
        match request.body:
            case {"action": "order", "recipients": recipients}:
                order = {"idempotency_key": "one", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}]}
                service["order"] = post("", {**order, "recipients": recipients})["team_order"]["id"]
            case {"action": "cancel"}:
                answers.append(post(f"/{service['order']}/cancel", {}))
        return 200, {"ok": True}

    def post(path: str, body: Any) -> Any:
        url = f"{service['simulator']}/api/external/team-orders{path}"
        return requests.post(url, json=body, headers={"Authorization": f"Bearer {service['key']}"}, timeout=60).json()

    requests_of(respond, Plan("apart", True, (OrderRequest(1, 2), Wait(6), AppAct("cancel", 1))))
    [answer] = answers
    assert [len(answer[part]) for part in ("skipped", "canceled", "already_canceled")] == [1, 1, 0]


def test_a_search_soon_cancels_an_order_of_which_one_parcel_has_left() -> None:
    search = Search(1, ("order", "cancel"))
    first = [search.next_plan() for _ in range(40)]
    assert Plan("apart", True, (OrderRequest(1, 2), Wait(6), AppAct("cancel", 1))) in first


def test_what_was_not_ordered_is_neither_canceled_nor_paid() -> None:
    acts: tuple[Action | FurtherAction, ...] = (
        AppAct("cancel", 1),
        OrderRequest(1),
        OrderRequest(1, 2),
        AppAct("cancel", 1, True),
        AppAct("pay", 2),
    )
    kept = supported_plan(Plan("link", False, acts), EVERYTHING).actions
    assert kept == (OrderRequest(1), OrderRequest(1), AppAct("cancel", 1))


def test_a_cheap_check_is_asked_after_each_step_and_the_first_wrong_one_ends_the_file(tmp_path: Path) -> None:
    respond = telling(["order"], lambda path: "the till is open" if path.endswith(("=3", "=4", "check")) else None)
    respond_cheap = telling(
        ["order"], lambda path: "the till is open" if path.endswith("=2") else None, cheap_check=True
    )
    plan = Plan("link", False, (OrderRequest(1), Wait(1), OrderRequest(2), Wait(6)))
    with run_app(respond_cheap) as downstream, exploring(downstream.url) as explorer:
        explorer.check_app()
        [failure] = explorer.runner.run(plan, 1).failures
        assert failure.wrong is not None
        document = plan_scenario(plan, explorer.protocol, seed=1, wrong=failure.wrong)
    assert (failure.reason, failure.wrong.step) == ("the till is open", 2)
    assert [step.get("app", step.get("advance")) for step in document["steps"]][-3:] == [
        "POST /giftsim/do",
        "1h",
        "GET /giftsim/check?step=2",
    ]
    with run_app(respond) as downstream, exploring(downstream.url) as explorer:
        explorer.check_app()
        [failure] = explorer.runner.run(plan, 1).failures
        assert failure.wrong is None  # it did not say that its check is cheap
        assert not [each for each in downstream.requests if "?" in each.path]


def test_further_actions_are_described_in_english() -> None:
    acts = (OrderRequest(1, 2), AppAct("cancel", 1, True), AppAct("gift", 2), CallFault("getGift", "after", 1))
    assert describe_plan(
        Plan("late", False, (*acts, PriceChange(1099), OtherEvents(), NewSecret()), "month end", "late")
    ) == [
        "the recipient claims the gift by its link half a day before that expires",
        "it is the last evening of a month in Los Angeles, and the next month in UTC",
        "the approver approves what needs it after three days",
        "order-1 is requested for 2 recipients",
        "order-1 is canceled for its last recipient",
        "gift-2 is requested",
        "the next call of getGift reaches the service, but the response is lost",
        "the price of the mug changes to 10.99",
        "a test ping and the event of another kind of order are sent",
        "the secret of the webhooks is replaced, and for a while both are used",
    ]
    assert describe_plan(Plan("apart", False, ())) == [
        "one recipient of an order claims by the link two hours later, the other half a day before it expires"
    ]


# The plan of each bug, so that no test has to search for it; explore finds them by itself (docs/how-to/explore.md).
FOUND: dict[str, tuple[tuple[Action | FurtherAction, ...], str]] = {
    "charged-twice": ((OrderRequest(1), OrderRequest(1)), "order-1 was made 2 times"),
    "new-key": ((LostConnection("after", 1), OrderRequest(1)), "order-1 was made 2 times"),
    "lost-is-failed": ((LostConnection("after", 1), OrderRequest(1)), "order-1 failed in our records, but was paid"),
    "whole-refund": ((OrderRequest(1, 2), AppAct("cancel", 1, True)), "order-1 was refunded 2600, and we gave"),
    "no-back-off": ((CallFault("createTeamOrder", "429", 3), OrderRequest(1)), "order-1 was given up"),
    "float-cents": ((PriceChange(1099), OrderRequest(1)), "order-1 cost 1899, and our records say 1898"),
    "one-secret": ((NewSecret(), OrderRequest(1)), "team_order.delivered was never accepted: 400"),
    "unknown-event": ((OtherEvents(), OrderRequest(1)), "order.delivered was never accepted: 500"),
    "parsed-signature": ((OrderRequest(1, 2),), "team_order.shipped was never accepted: 400"),
    "stale-read": ((OrderRequest(1),), "a parcel of order-1 is delivered, and our records say submitted"),
    "late-event-revives": (
        (FailedAttempt("503", 1), OrderRequest(1), Wait(2), AppAct("cancel", 1), Wait(6)),
        "a parcel of order-1 is canceled, and our records say claimed",
    ),
}


@pytest.mark.parametrize("bug", FOUND)
def test_each_bug_of_the_flask_shop_fails_its_plan_for_its_reason(bug: str, tmp_path: Path) -> None:
    actions, reason = FOUND[bug]
    to = "link" if bug == "late-event-revives" else "address"
    process = AppProcess(f"{SHOP} --bug {bug}", f"http://127.0.0.1:{free_ports(1)}")
    try:
        process.wait()
        with exploring(process.url) as explorer:
            explorer.check_app()
            failures = explorer.runner.run(Plan(to, False, actions), 1).failures
    finally:
        process.close()
    assert any(failure.reason.startswith(reason) for failure in failures), failures


def test_a_protocol_keeps_what_the_app_said_for_further_jobs() -> None:
    told = EVERYTHING.telling({"actions": ["order"], "cheap_check": False})
    assert (told.actions, told.cheap_check, told.has_team) == (("order",), False, False)
    assert msgspec.structs.replace(told, do=None).telling({"actions": ["order"]}).actions == ()


@pytest.mark.parametrize(("hours", "guessed"), [(0, ""), (2, ""), (700, "; rests on the guess that keys are")])
def test_a_gift_that_was_made_twice_says_if_that_rests_on_how_long_keys_are_remembered(
    hours: int, guessed: str
) -> None:
    service: dict[str, str] = {}

    def respond(request: AppRequest) -> tuple[int, Any]:
        if request.path == "/giftsim/start":
            service.update(request.body)
            return 200, {"actions": ["gift"]}
        if request.path == "/giftsim/do":
            key = {"Idempotency-Key": f"key-{hours or len(service)}"}
            service[f"asked {len(service)}"] = ""
            headers = {"Authorization": f"Bearer {service['team_key']}", **key}
            body = {"recipients": [request.body["recipient"]], "gift": {"item_slug": "mug-01"}}
            url = f"{service['simulator']}/api/teams/v1/gifts"
            assert requests.post(url, json=body, headers=headers, timeout=60).ok
        return 200, {"ok": True}

    asked = AppAct("gift", 1)
    with run_app(respond) as downstream, exploring(downstream.url) as explorer:
        explorer.check_app()
        failures = explorer.runner.run(Plan("link", False, (asked, Wait(hours or 1), asked)), 1).failures
    reasons = [failure.reason for failure in failures]
    if hours == 2:
        assert reasons == []
    else:
        assert reasons[0].startswith(f"gift-1 was made 2 times{guessed}")
        assert ("A3.2" in reasons[0]) == bool(guessed)
