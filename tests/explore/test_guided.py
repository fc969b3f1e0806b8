"""The guided search: what it keeps, that it repeats itself, its budget, its corpus, and how it shortens a plan."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random  # noqa: TID251  # seeded
from statistics import median

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.workbench.app.protocol import ACTIONS
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.explore.failures import RunResult, make_failure
from giftsim.workbench.explore.generator import generate_plan
from giftsim.workbench.explore.guided import Search, Shortener, read_corpus, write_corpus
from giftsim.workbench.explore.plan import (
    CALL_FAULTS,
    AppAct,
    CallFault,
    DeclinedPayment,
    LostConnection,
    NewSecret,
    OrderRequest,
    OtherEvents,
    Outage,
    Plan,
    PriceChange,
    Wait,
    WebhookFault,
)
from giftsim.workbench.explore.vocabulary import MEMBERS, changed
from tests.explore.sample_apps import shop
from tests.support.downstream_app import AppRequest, run_app

ORDER = Plan("link", True, (OrderRequest(1),))


def explore(*options: object) -> Result:
    return CliRunner().invoke(main, ["explore", *map(str, options)])


def plans_of(search: Search, many: int) -> list[Plan]:
    """The next plans, each of which reaches an operation that depends on its length."""
    plans = []
    for _ in range(many):
        plans.append(search.next_plan())
        search.learn(plans[-1], Met(operations={f"of {len(plans[-1].actions)}"}))
    return plans


def test_the_same_seed_gives_the_same_plans_and_another_one_others() -> None:
    assert plans_of(Search(1, ACTIONS), 60) == plans_of(Search(1, ACTIONS), 60)
    assert plans_of(Search(1, ACTIONS), 60) != plans_of(Search(2, ACTIONS), 60)


def test_a_plan_is_kept_if_it_reached_something_new_alone_or_together() -> None:
    search = Search(1, ())
    plans = [Plan("link", True, (OrderRequest(1), Wait(hours))) for hours in range(5)]
    met = [
        Met(operations={"a"}),
        Met(operations={"a"}),
        Met(faults={"lost"}),
        Met(transitions={"shipped"}),
        Met(faults={"lost"}, transitions={"shipped"}),
    ]
    for plan, each in zip(plans, met, strict=True):
        search.learn(plan, each)
    assert search.kept == [plans[0], plans[2], plans[3], plans[4]]


def test_plans_like_the_kept_ones_are_tried_once_there_are_some() -> None:
    search = Search(1, ACTIONS)
    rare = Plan("late", True, (PriceChange(77_77),), "leap day")
    search.learn(rare, Met(operations={"a"}))
    assert any(PriceChange(77_77) in search.next_plan().actions for _ in range(80))


def test_a_search_begins_with_short_plans_of_what_goes_wrong_most_often() -> None:
    search = Search(1, ("order", "cancel", "pay", "secrets"))
    first = [search.next_plan().actions for _ in range(16)]
    assert all(len(actions) <= 4 for actions in first)
    assert len(first[0]) == 1
    assert first[1][:-1] == (WebhookFault("duplicate", 3), NewSecret(), OtherEvents())
    assert first[2] == first[0] * 2
    problems = {type(action) for actions in first for action in actions}
    assert problems >= {LostConnection, WebhookFault, NewSecret, PriceChange, DeclinedPayment}


def test_a_search_begins_with_two_intents_at_the_same_stage() -> None:
    search = Search(1, ("order", "pay"))
    first = [search.next_plan().actions for _ in range(16)]
    [two] = [actions for actions in first if len(actions) == 4]
    assert two[1:] == (OrderRequest(1), OrderRequest(2), AppAct("pay", 1))
    assert isinstance(two[0], DeclinedPayment)
    assert two[0].times == 2


def test_an_operation_that_the_app_calls_for_the_first_time_fails_next_in_each_way() -> None:
    search = Search(1, ("order", "cancel"))
    for _ in range(60):  # after the short plans
        search.next_plan()
    for operations in ({"getTeamOrder", "createWebhook"}, {"getTeamOrder"}):
        search.learn(ORDER, Met(operations=operations))
    plans = [search.next_plan() for _ in range(7)]
    faults = [CallFault("getTeamOrder", how, 3) for how in CALL_FAULTS]
    around = [actions for fault in faults for actions in ((fault, *ORDER.actions), (*ORDER.actions, fault))]
    assert [plan.actions for plan in plans[:6]] == around
    assert plans[6].actions not in around


def test_a_kept_plan_comes_again_in_another_order() -> None:
    search = Search(1, ("order",))
    kept = (PriceChange(77_77), Wait(3), OrderRequest(1))
    search.learn(Plan("late", True, kept, "leap day"), Met(operations={"a"}))
    varied = [search.next_plan().actions for _ in range(400)]
    assert any(set(actions) == set(kept) and actions != kept for actions in varied)


def test_an_action_is_changed_in_each_member_that_has_several_values() -> None:
    random = Random(1)
    assert {changed(Wait(3), random) for _ in range(100)} == {Wait(hours) for hours in MEMBERS["hours"]}
    orders = {changed(OrderRequest(1), random) for _ in range(100)}
    assert orders == {OrderRequest(1), OrderRequest(2), OrderRequest(1, 2)}
    assert changed(OtherEvents(), random) == OtherEvents()


def test_no_plan_of_a_search_is_like_another() -> None:
    plans = plans_of(Search(1, ("order", "cancel")), 300)
    assert len(set(plans)) == len(plans)


def test_what_few_plans_reached_is_varied_more_often() -> None:
    search = Search(1, ("order",))
    common, rare = (Plan("late", True, (PriceChange(cents), OrderRequest(1)), "leap day") for cents in (11_11, 22_22))
    search.learn(common, Met(operations={"a"}))
    search.learn(rare, Met(operations={"b"}))
    for hours in range(50):
        search.learn(Plan("link", True, (Wait(hours),)), Met(operations={"a"}))
    next_plans = [search.next_plan().actions for _ in range(200)]
    varied = [sum(plan.actions[0] in actions for actions in next_plans) for plan in (common, rare)]
    assert varied[1] > 2 * varied[0] > 0


def two_are_paid_late(plan: Plan) -> bool:
    """Whether an app would pay two declined orders at once, which needs four actions in their order."""
    declined, unpaid = 0, set()
    for action in plan.actions:
        match action:
            case DeclinedPayment(_, times):
                declined += times
            case OrderRequest(number) if declined:
                declined -= 1
                unpaid.add(number)
            case AppAct("pay") if len(unpaid) > 1 and not declined:
                return True
    return False


def test_a_guided_search_needs_at_most_half_the_steps_of_seeds_for_what_takes_four_actions() -> None:
    actions = ("order", "cancel", "pay", "secrets")
    guided = []
    for seed in range(1, 6):
        search, steps = Search(seed, actions), 0
        while True:
            plan = search.next_plan()
            steps += len(plan.actions)
            search.learn(plan, Met(operations={type(action).__name__ for action in plan.actions}))
            if two_are_paid_late(plan):
                break
        guided.append(steps)
    alone = 0
    for seed in range(1, 1_000):
        plan = generate_plan(seed, actions)
        alone += len(plan.actions)
        if two_are_paid_late(plan) or alone > 2 * median(guided):
            break
    assert alone > 2 * median(guided), guided


def test_a_plan_is_shortened_to_what_it_needs() -> None:
    def run(plan: Plan) -> RunResult:
        has = any(isinstance(each, LostConnection) for each in plan.actions) and OrderRequest(1) in plan.actions
        return RunResult((make_failure("order 7 is lost"),)) if has else RunResult()

    long = (Wait(6), LostConnection("after", 3), Outage(6), OrderRequest(1), OrderRequest(2, 2), Wait(100))
    shortener = Shortener(1, Plan("late", True, long, "leap day", "reject"), make_failure("order 1 is lost"))
    shortener.search(run)
    assert shortener.best == Plan("address", False, (LostConnection("after", 1), OrderRequest(1)))
    assert shortener.failure == make_failure("order 7 is lost")


def test_a_corpus_keeps_plans_which_the_next_search_tries_first(tmp_path: Path) -> None:
    plans = [ORDER, Plan("late", False, (PriceChange(1099), OrderRequest(1, 2)), "leap day", "reject")]
    write_corpus(tmp_path / "new", plans)
    write_corpus(tmp_path / "new", plans[:1])
    kept = read_corpus(tmp_path / "new")
    assert sorted(map(str, kept)) == sorted(map(str, plans))
    search = Search(1, ACTIONS, kept)
    assert [search.next_plan(), search.next_plan()] == kept


def test_the_same_budget_in_steps_gives_the_same_report_and_corpus(tmp_path: Path) -> None:
    reports = []
    with shop("new-key") as app:
        for name in ("one", "two"):
            corpus = tmp_path / name
            options = ("--budget", 60, "--seed", 3, "--corpus", corpus, "--out", tmp_path / "out", "--force", "--json")
            reports.append(json.loads(explore("--app", app, *options).stdout))
    assert reports[0] == reports[1]
    [finding] = reports[0]["findings"]
    assert (finding["repeats"], finding["reason"]) == (True, "order-1 was made 2 times")
    assert "of a search with seed 3" in Path(finding["file"]).read_text(encoding="utf-8")
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two")]
    assert files[0] == files[1] != {}


def test_a_search_ends_when_its_steps_or_its_seconds_are_used_up(tmp_path: Path) -> None:
    asked: list[str] = []

    def respond(request: AppRequest) -> tuple[int, object]:
        asked.append(request.path)
        return 200, {"ok": True}

    with run_app(respond) as app:
        one = explore("--app", app.url, "--budget", 1)
        steps = explore("--app", app.url, "--budget", 20)
        seconds = explore("--app", app.url, "--budget", "1s")
    assert (steps.exit_code, seconds.exit_code) == (0, 0)
    assert "no findings in 1 plan (2 runs in" in one.stdout
    assert "no findings in" in steps.stdout
    assert "plans (" in seconds.stdout
    assert asked.count("/giftsim/do") > 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--budget", "soon"], "--budget is a time such as 60s or 5m, or a number of steps such as 2000, not 'soon'"),
        (["--budget", "60s", "--cluster", "here"], "--cluster is the address of a Dask scheduler, tcp://HOST:PORT"),
        (["--cluster", "tcp://127.0.0.1:8786"], "--cluster needs an app for each worker"),
        (["--corpus", "plans"], "--corpus is for a search: give its --budget too"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: list[str], message: str) -> None:
    done = explore("--app", "http://127.0.0.1:9", *options)
    assert (done.exit_code, message in done.output) == (2, True), done.output


def test_a_file_of_the_corpus_that_has_no_plan_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{}")
    with run_app(lambda _: (200, {"ok": True})) as app:
        done = explore("--app", app.url, "--budget", "10", "--corpus", tmp_path)
    assert done.exit_code == 2
    assert f"{tmp_path / 'broken.json'} is not a plan of explore" in done.output
