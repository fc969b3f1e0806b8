"""Plans: generated from a seed, turned into scenarios that can be played, and described in English."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
import yaml

from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.explore.failures import RunResult, check_failures, make_failure
from giftsim.workbench.explore.generator import Shrinker, generate_plan
from giftsim.workbench.explore.plan import (
    Action,
    DeclinedPayment,
    FailedAttempt,
    LostConnection,
    OrderRequest,
    Outage,
    Plan,
    TemporaryError,
    Wait,
    WebhookFault,
    describe_plan,
    scenario_comments,
)
from giftsim.workbench.explore.scenario_writer import document_text, plan_scenario, write_file
from giftsim.workbench.scenario import load_scenario

APP = AppProtocol(app="http://127.0.0.1:9100")
SEEDS = range(1, 61)


def test_a_seed_always_generates_the_same_plan_and_most_seeds_different_ones() -> None:
    plans = [generate_plan(seed) for seed in SEEDS]
    assert plans == [generate_plan(seed) for seed in SEEDS]
    assert len(set(plans)) > 50


def test_every_kind_of_action_is_generated_and_every_plan_has_an_order() -> None:
    plans = [generate_plan(seed) for seed in SEEDS]
    kinds = Counter(type(action) for plan in plans for action in plan.actions)
    assert set(kinds) == set(get_args(Action))
    assert all(any(isinstance(action, OrderRequest) for action in plan.actions) for plan in plans)
    assert {(plan.destination, plan.fast) for plan in plans} == set(product(("address", "link"), (True, False)))


def test_a_long_failing_plan_shrinks_to_the_shortest_one() -> None:
    def run_plan(plan: Plan) -> RunResult:
        lost = [
            n for n, action in enumerate(plan.actions) if isinstance(action, LostConnection) and action.when == "after"
        ]
        ordered = [n for n, action in enumerate(plan.actions) if isinstance(action, OrderRequest)]
        return RunResult((make_failure("order 7 is lost"),)) if lost and min(lost) < max(ordered) else RunResult()

    seed = next(
        seed for seed in SEEDS if len(generate_plan(seed).actions) > 6 and run_plan(generate_plan(seed)).failures
    )
    shrinker = Shrinker(seed, generate_plan(seed), make_failure("order 1 is lost"))
    shrinker.search(run_plan)
    assert shrinker.best == Plan("address", False, (LostConnection("after", 1), OrderRequest(1)))
    assert shrinker.failure == make_failure("order 7 is lost")


def test_the_text_of_a_plan_loads_as_its_scenario() -> None:
    for seed in SEEDS[::3]:
        document = plan_scenario(generate_plan(seed), APP, seed=seed, title='"A: title, with # all {that}"')
        content = document_text(document, scenario_comments(generate_plan(seed), "why", seed))
        assert yaml.safe_load(content) == document
        assert len(load_scenario(content).steps) == len(document["steps"])


def test_a_change_of_the_receiver_before_any_action_is_part_of_its_first_step() -> None:
    first = plan_scenario(Plan("address", False, (Outage(6), OrderRequest(1))), APP, seed=1)
    later = plan_scenario(
        Plan("address", False, (Wait(30), OrderRequest(1), Outage(6), FailedAttempt("reset", 2))), APP, seed=1
    )
    assert first["steps"][0]["receiver"]["outage"] == {"from": "+0h", "to": "+6h", "status": 503}
    assert [step["receiver"] for step in later["steps"] if "receiver" in step][1:] == [
        {
            "host": "hooks.partner.example",
            "to": "${app}",
            "outage": {"from": "+30h", "to": "+36h", "status": 503},
            "optional": True,
        },
        {
            "host": "hooks.partner.example",
            "to": "${app}",
            "outage": {"from": "+30h", "to": "+36h", "status": 503},
            "script": [{"reset": True}, {"reset": True}],
            "optional": True,
        },
    ]


def test_a_plan_is_described_in_english() -> None:
    problems = (
        LostConnection("after", 1),
        LostConnection("before", 2),
        TemporaryError(503, "idempotency_unavailable", 1),
    )
    declined = DeclinedPayment("insufficient_funds", 3)
    webhooks = (WebhookFault("duplicate", 1), WebhookFault("reorder", 2), FailedAttempt("timeout", 1))
    actions = (*problems, declined, OrderRequest(2), *webhooks, Outage(1), Wait(30))
    assert describe_plan(Plan("address", True, actions)) == [
        "every parcel is produced, shipped and delivered within an hour",
        "the next order reaches the service, but the response is lost",
        "each of the next 2 orders never reaches the service",
        "the next order is refused temporarily: 503 idempotency_unavailable",
        "each of the next 3 orders cannot be paid: insufficient_funds",
        "order-2 is requested",
        "the next webhook arrives twice",
        "each of the next 2 webhooks arrives after the one that follows it",
        "the next delivery fails with a time-out",
        "the receiver is down for an hour",
        "30 hours pass",
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("order-1 was placed 2 times", "order-12 was placed 3 times", True),
        ("order 01J9ZK3V8Q7W is lost", "order 01HX22VV8Q0A is lost", True),
        ("event evt_3f9ac0b1d2e4 arrived twice", "event evt_00b1d2e43f9a arrived twice", True),
        ("order-1 was placed 2 times", "order-1 was lost 2 times", False),
        ("the cabbage is added", "the baggage is added", False),
    ],
)
def test_failures_that_differ_only_in_numbers_and_ids_are_of_one_kind(one: str, other: str, same: bool) -> None:
    assert (make_failure(one).kind == make_failure(other).kind) is same


def test_a_long_reason_becomes_one_line_of_limited_length() -> None:
    assert make_failure("a\n  b " + "c" * 500).reason == "a b " + "c" * 195 + "…"


def test_the_check_may_give_one_reason_or_a_list() -> None:
    assert check_failures("GET /check", 200, b'{"ok": true}') == ()
    assert [failure.reason for failure in check_failures("GET /check", 200, b'{"wrong": "why"}')] == ["why"]
    assert [failure.reason for failure in check_failures("GET /check", 200, b'{"wrong": ["a 1", "b", "a 2"]}')] == [
        "a 1",
        "b",
    ]
    assert [failure.reason for failure in check_failures("GET /check", 200, b"ok")] == [
        "GET /check did not answer with JSON"
    ]


def test_a_file_is_named_for_its_reason_and_two_reasons_never_share_a_name(tmp_path: Path) -> None:
    assert write_file(tmp_path / "a", "Order-1 was placed (2 times)!", "x").name == "order-1-was-placed-2-times.yaml"
    assert write_file(tmp_path / "a", "???", "x").name == "failure.yaml"
    assert write_file(tmp_path / "a", "!", "x", [tmp_path / "a" / "failure.yaml"]).name == "failure-2.yaml"


def test_a_file_is_named_for_its_failure_and_written_once(tmp_path: Path) -> None:
    paths = [write_file(tmp_path / "explored", "Order 1 was lost!", "a: 1\n") for _ in range(2)]
    assert paths == [tmp_path / "explored" / "order-1-was-lost.yaml"] * 2
    assert paths[0].read_text() == "a: 1\n"


def test_a_file_with_other_content_is_kept_unless_forced(tmp_path: Path) -> None:
    mine = tmp_path / "lost.yaml"
    mine.write_text("mine\n")
    (tmp_path / "lost-2.yaml").mkdir()
    assert write_file(tmp_path, "lost", "a: 1\n") == tmp_path / "lost-3.yaml"
    assert mine.read_text() == "mine\n"
    assert write_file(tmp_path, "lost", "a: 1\n", force=True) == mine
    assert mine.read_text() == "a: 1\n"


def test_two_failures_of_one_run_have_two_files(tmp_path: Path) -> None:
    first = write_file(tmp_path, "lost", "a: 1\n", force=True)
    assert write_file(tmp_path, "lost", "a: 2\n", [first], force=True) == tmp_path / "lost-2.yaml"
