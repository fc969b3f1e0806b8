"""Repricing a large campaign: one unpaid batch a call, no authority meanwhile, and paid batches as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.program import (
    PATH,
    approve,
    approved,
    balance,
    campaign,
    cents,
    dearer,
    prepared,
    process,
    processed,
    read,
    statuses,
    steered,
)
from tests.interfaces.team.scene import Team, TeamFace, refused

Way = Callable[[TeamFace, Any], Any]
WAYS: tuple[Way, ...] = (
    lambda face, made: processed(face, made, "reprice"),
    lambda face, made: steered(face, made, "reprice"),
)


@pytest.fixture(autouse=True)
def small_batches(world: World) -> None:
    """Batches of two."""
    world.settings(large_campaign__batch_size=2)


@claims("T-3.1", "T-3.3", "T-4.167")
@pytest.mark.parametrize("reprice", WAYS, ids=("process", "patch"))
def test_each_call_reprices_one_batch_and_the_last_one_asks_a_human(team: Team, reprice: Way) -> None:
    made = prepared(team.live)
    old = int(cents(made)[0] or 0)
    dearer(team.world, team.live)
    new = old + 2 * 100
    seen = [reprice(team.live, made) for _ in range(3)]
    assert [cents(each) for each in seen] == [[new, old, old], [new, new, old], [new, new, new]]
    assert [each["status"] for each in seen] == ["preparing", "preparing", "awaiting_approval"]
    assert read(team.live, made) == seen[-1]
    assert [batch["repriced_at"] for batch in seen[0]["batches"]] == [team.world.now, None, None]


@claims("T-3.2")
def test_a_repeated_key_reprices_nothing_and_a_fresh_one_the_next_batch(team: Team) -> None:
    made = prepared(team.live)
    old = cents(made)[0]
    dearer(team.world, team.live)
    first = processed(team.live, made, "reprice", Idempotency_Key="k1")
    assert processed(team.live, made, "reprice", Idempotency_Key="k1") == first
    assert cents(read(team.live, made)).count(old) == 2
    processed(team.live, made, "reprice", Idempotency_Key="k2")
    assert cents(read(team.live, made)).count(old) == 1


@claims("T-3.4", "T-3.5")
def test_repricing_clears_the_authority_and_needs_a_human_anew(team: Team) -> None:
    made = approved(team)
    before = balance(team.live)
    dearer(team.world, team.live)
    processed(team.live, made, "reprice")
    assert team.live.got(f"/approvals/{made['approval_id']}")["status"] == "superseded"
    refused(process(team.live, made), 409, "invalid_state")
    processed(team.live, made, "reprice")
    done = processed(team.live, made, "reprice")
    refused(process(team.live, made), 409, "invalid_state")
    asked = [row for row in team.live.got("/approvals")["data"] if row["status"] == "pending"]
    assert [row["id"] for row in asked] == [done["approval_id"]]
    assert done["approval_id"] != made["approval_id"]
    assert asked[0]["amount_cents"] == done["totals"]["total_cents"]
    old = {"approval_id": made["approval_id"], "decision": "approve"}
    answer = team.world.control.call("POST", f"/worlds/{team.world.id}/simulate/approval", old)
    assert answer.status == 409
    assert (balance(team.live), read(team.live, made)) == (before, done)
    approve(team.world, made)
    assert statuses(processed(team.live, made)) == ["paid", "prepared", "prepared"]
    assert before - balance(team.live) == cents(done)[0]


@claims("T-3.6")
def test_paid_batches_keep_their_totals(team: Team) -> None:
    made = processed(team.live, approved(team))
    dearer(team.world, team.live)
    processed(team.live, made, "reprice")
    done = processed(team.live, made, "reprice")
    assert done["status"] == "awaiting_approval"
    assert done["batches"][0] == made["batches"][0]
    assert cents(done)[1:] == [int(total or 0) + 200 for total in cents(made)[1:]]
    approve(team.world, made)
    processed(team.live, made)
    assert processed(team.live, made)["status"] == "completed"
    refused(process(team.live, made, "reprice"), 409, "invalid_state")
    refused(team.live.patch(f"{PATH}/{made['id']}", {"action": "pause"}), 409, "invalid_state")


@claims("T-5.22")
def test_a_changed_price_is_not_paid_until_it_is_repriced_and_approved(team: Team) -> None:
    made, before = approved(team), balance(team.live)
    dearer(team.world, team.live)
    refused(process(team.live, made), 422, "price_changed")
    assert (read(team.live, made), balance(team.live)) == (made, before)
    dearer(team.world, team.live, -100)
    assert statuses(processed(team.live, made)) == ["paid", "prepared", "prepared"]


def test_what_is_prepared_can_be_repriced_before_the_rest_is(team: Team) -> None:
    made = campaign(team.live)
    refused(process(team.live, made, "reprice"), 409, "invalid_state")
    old = cents(processed(team.live, made))[0] or 0
    dearer(team.world, team.live)
    half = processed(team.live, made, "reprice")
    assert (half["status"], cents(half)) == ("preparing", [old + 200, None, None])
    processed(team.live, made)
    last = processed(team.live, made)
    assert (last["status"], cents(last)) == ("awaiting_approval", [old + 200] * 3)


def test_between_two_calls_of_a_round_nothing_is_prepared_or_asked(team: Team) -> None:
    made = prepared(team.live)
    processed(team.live, made, "reprice")
    refused(process(team.live, made), 409, "invalid_state")
    assert read(team.live, made)["status"] == "preparing"


RARE = ("pause", "resume", "stop", "reject", "dearer", "cheaper")
ACTIONS = ("next",) * 8 + ("approve",) * 4 + ("reprice",) * 3 + RARE


@given(size=st.integers(1, 4), count=st.integers(1, 7), taken=st.lists(st.sampled_from(ACTIONS), max_size=24))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_done_no_batch_is_paid_twice_or_at_a_price_nobody_approved(
    simulator: Simulator, size: int, count: int, taken: list[str]
) -> None:
    world = World(simulator, fixture="empty")
    world.settings(large_campaign__batch_size=size)
    program = Program(Team(world), count)
    for action in taken:
        program.act(action)
        program.check()
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


class Program:
    """A campaign under random hands; `allowed` are the batch totals that the last yes was given for."""

    def __init__(self, team: Team, count: int) -> None:
        self.team, self.world = team, team.world
        self.made = campaign(team.live, count)
        self.start = balance(team.live)
        self.allowed: list[int | None] = []
        self.paid: dict[int, Any] = {}

    def act(self, action: str) -> None:
        """Try one thing; what is refused changes nothing."""
        was = self.made
        if action in ("dearer", "cheaper"):
            dearer(self.world, self.team.live, 100 if action == "dearer" else -100)
            return
        status = self._call(action)
        self.made = read(self.team.live, was)
        if status >= 400:
            assert self.made == was
        elif action == "approve":
            self.allowed = cents(self.made)
        elif action == "reprice":
            self.allowed = []
            changed = [new for new, old in zip(self.made["batches"], was["batches"], strict=True) if new != old]
            assert len(changed) <= 1

    def check(self) -> None:
        """Every batch counts its recipients once; what is paid stays, was approved at that price, and is all paid."""
        assert sum(batch["recipient_count"] for batch in self.made["batches"]) == self.made["recipient_count"]
        for place, batch in enumerate(self.made["batches"]):
            if batch["status"] == "paid":
                self.paid.setdefault(place, batch)
                assert batch["totals"]["total_cents"] == self.paid[place]["totals"]["total_cents"]
        assert [statuses(self.made)[place] for place in self.paid] == ["paid"] * len(self.paid)
        spent = sum(batch["totals"]["total_cents"] for batch in self.paid.values())
        assert self.start - balance(self.team.live) == spent
        for place in self.paid:
            if self.allowed and self.made["status"] in ("approved", "completed"):
                assert self.allowed[place] == cents(self.made)[place]

    def _call(self, action: str) -> int:
        live, made = self.team.live, self.made
        if action in ("approve", "reject"):
            body = {"campaign_id": made["id"], "decision": action}
            return self.world.control.call("POST", f"/worlds/{self.world.id}/simulate/approval", body).status
        if action in ("pause", "resume"):
            return live.patch(f"{PATH}/{made['id']}", {"action": action}).status
        return process(live, made, None if action == "next" else action).status
