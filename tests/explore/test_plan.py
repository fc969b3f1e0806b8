"""Plans: drawn by seed, told as scenarios that can be played, and named in words."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest
import yaml

from giftsim.explore.app_protocol import Contract
from giftsim.explore.descriptions import remarks, sentences
from giftsim.explore.failures import Verdict, said, wrong
from giftsim.explore.generator import drawn
from giftsim.explore.plan import Declined, Lost, Order, Outage, Plan, Refused, Stumbled, Tangled, Wait
from giftsim.explore.scenario_text import put, text
from giftsim.explore.scenario_writer import told
from giftsim.explore.shrink import Shortest
from giftsim.scenario import load

APP = Contract(app="http://127.0.0.1:9100")
SEEDS = range(1, 61)


def test_a_seed_draws_the_same_plan_each_time_and_most_seeds_draw_another() -> None:
    plans = [drawn(seed) for seed in SEEDS]
    assert plans == [drawn(seed) for seed in SEEDS]
    assert len(set(plans)) > 50


def test_every_kind_of_action_is_drawn_and_every_plan_has_an_order() -> None:
    plans = [drawn(seed) for seed in SEEDS]
    drawn_kinds = Counter(type(action) for plan in plans for action in plan.actions)
    assert set(drawn_kinds) == {Order, Lost, Refused, Declined, Tangled, Stumbled, Outage, Wait}
    assert all(any(isinstance(action, Order) for action in plan.actions) for plan in plans)
    assert {(plan.claims, plan.hasty) for plan in plans} == set(product(("address", "link"), (True, False)))


def test_the_shortest_plan_with_a_wrong_is_found_from_a_long_one() -> None:
    def attempt(plan: Plan) -> Verdict:
        lost = [n for n, action in enumerate(plan.actions) if isinstance(action, Lost) and action.when == "after"]
        ordered = [n for n, action in enumerate(plan.actions) if isinstance(action, Order)]
        return Verdict((wrong("order 7 is lost"),)) if lost and min(lost) < max(ordered) else Verdict()

    seed = next(seed for seed in SEEDS if len(drawn(seed).actions) > 6 and attempt(drawn(seed)).wrongs)
    search = Shortest(seed, drawn(seed), wrong("order 1 is lost"))
    search.search(attempt)
    assert search.best == Plan("address", False, (Lost("after", 1), Order(1)))
    assert search.wrong == wrong("order 7 is lost")


def test_every_plan_is_a_scenario_and_its_text_says_just_that() -> None:
    for seed in SEEDS[::3]:
        document = told(drawn(seed), APP, seed=seed, title='"A: title, with # all {that}"')
        content = text(document, remarks(drawn(seed), "why", seed))
        assert yaml.safe_load(content) == document
        assert len(load(content).steps) == len(document["steps"])


def test_what_happens_to_the_receiver_first_stands_in_its_first_step() -> None:
    first = told(Plan("address", False, (Outage(6), Order(1))), APP, seed=1)
    later = told(Plan("address", False, (Wait(30), Order(1), Outage(6), Stumbled("reset", 2))), APP, seed=1)
    assert first["steps"][0]["receiver"]["outage"] == {"from": "+0h", "to": "+6h", "status": 503}
    assert [step["receiver"] for step in later["steps"] if "receiver" in step][1:] == [
        {"host": "hooks.partner.example", "to": "${app}", "outage": {"from": "+30h", "to": "+36h", "status": 503}},
        {
            "host": "hooks.partner.example",
            "to": "${app}",
            "outage": {"from": "+30h", "to": "+36h", "status": 503},
            "script": [{"reset": True}, {"reset": True}],
            "optional": True,
        },
    ]


def test_a_plan_is_told_in_words() -> None:
    troubles = (Lost("after", 1), Lost("before", 2), Refused(503, "idempotency_unavailable", 1))
    declined, tangled = Declined("insufficient_funds", 3), (Tangled("duplicate", 1), Tangled("reorder", 2))
    actions = (*troubles, declined, Order(2), *tangled, Stumbled("timeout", 1), Outage(1), Wait(30))
    assert sentences(Plan("address", True, actions)) == [
        "every parcel is made, shipped and delivered within the hour",
        "the next order reaches the service, and the answer is lost",
        "each of the next 2 orders is lost on the way to the service",
        "the next order is refused for the moment: 503 idempotency_unavailable",
        "each of the next 3 orders cannot be paid: insufficient_funds",
        "order-2 is asked for",
        "the next delivery comes twice",
        "each of the next 2 deliveries is overtaken by the one after it",
        "the next delivery meets a time-out",
        "the receiver is down for an hour",
        "30 hours pass",
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("order-1 was placed 2 times", "order-12 was placed 3 times", True),
        ("order 01J9ZK3V8Q7W is lost", "order 01HX22VV8Q0A is lost", True),
        ("event evt_3f9ac0b1d2e4 came twice", "event evt_00b1d2e43f9a came twice", True),
        ("order-1 was placed 2 times", "order-1 was lost 2 times", False),
        ("the cabbage is added", "the baggage is added", False),
    ],
)
def test_wrongs_are_of_one_kind_if_only_numbers_and_ids_differ(one: str, other: str, same: bool) -> None:
    assert (wrong(one).kind == wrong(other).kind) is same


def test_a_long_reason_is_cut_and_written_in_one_line() -> None:
    assert wrong("a\n  b " + "c" * 500).reason == "a b " + "c" * 195 + "…"


def test_the_check_may_give_one_reason_or_several() -> None:
    assert said("GET /check", 200, b'{"ok": true}') == ()
    assert [found.reason for found in said("GET /check", 200, b'{"wrong": "why"}')] == ["why"]
    assert [found.reason for found in said("GET /check", 200, b'{"wrong": ["a 1", "b", "a 2"]}')] == ["a 1", "b"]
    assert [found.reason for found in said("GET /check", 200, b"ok")] == ["GET /check answered no JSON"]


def test_a_file_is_named_for_its_reason_and_two_reasons_never_share_one(tmp_path: Path) -> None:
    assert put(tmp_path / "a", "Order-1 was placed (2 times)!", "x").name == "order-1-was-placed-2-times.yaml"
    assert put(tmp_path / "a", "???", "x").name == "wrong.yaml"
    assert put(tmp_path / "a", "!", "x", [tmp_path / "a" / "wrong.yaml"]).name == "wrong-2.yaml"
