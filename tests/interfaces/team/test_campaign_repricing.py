"""Repricing of large campaigns: one unpaid batch per call, a new approval at the end, paid batches unchanged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.campaigns import (
    PATH,
    approved_campaign,
    batch_cents,
    batch_statuses,
    create_campaign,
    decide,
    patch_action,
    prepared_campaign,
    process,
    raise_price,
    read_campaign,
    request_processing,
)
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.payments import balance_cents
from tests.support.worlds import temporary_world

pytestmark = pytest.mark.usefixtures("small_batches")

Way = Callable[[TeamClient, Any], Any]
WAYS: tuple[Way, ...] = (
    lambda client, campaign: process(client, campaign, "reprice"),
    lambda client, campaign: patch_action(client, campaign, "reprice"),
)


@shows("T-3.1", "T-3.3", "T-4.167")
@pytest.mark.parametrize("reprice", WAYS, ids=("process", "patch"))
def test_each_call_reprices_one_batch_and_the_last_requests_approval(team: TeamClients, reprice: Way) -> None:
    campaign = prepared_campaign(team.live)
    old = int(batch_cents(campaign)[0] or 0)
    raise_price(team.world, team.live)
    new = old + 2 * 100
    responses = [reprice(team.live, campaign) for _ in range(3)]
    assert [batch_cents(each) for each in responses] == [[new, old, old], [new, new, old], [new, new, new]]
    assert [each["status"] for each in responses] == ["preparing", "preparing", "awaiting_approval"]
    assert read_campaign(team.live, campaign) == responses[-1]
    assert [batch["repriced_at"] for batch in responses[0]["batches"]] == [team.world.now, None, None]


@shows("T-3.2")
def test_a_repeated_idempotency_key_reprices_only_once(team: TeamClients) -> None:
    campaign = prepared_campaign(team.live)
    old = batch_cents(campaign)[0]
    raise_price(team.world, team.live)
    first = process(team.live, campaign, "reprice", Idempotency_Key="k1")
    assert process(team.live, campaign, "reprice", Idempotency_Key="k1") == first
    assert batch_cents(read_campaign(team.live, campaign)).count(old) == 2
    process(team.live, campaign, "reprice", Idempotency_Key="k2")
    assert batch_cents(read_campaign(team.live, campaign)).count(old) == 1


@shows("T-3.4", "T-3.5")
def test_repricing_withdraws_the_approval_and_needs_a_new_one(team: TeamClients) -> None:
    campaign = approved_campaign(team)
    before = balance_cents(team.live)
    raise_price(team.world, team.live)
    process(team.live, campaign, "reprice")
    assert team.live.get_json(f"/approvals/{campaign['approval_id']}")["status"] == "superseded"
    expect_error(request_processing(team.live, campaign), 409, "invalid_state")
    process(team.live, campaign, "reprice")
    done = process(team.live, campaign, "reprice")
    expect_error(request_processing(team.live, campaign), 409, "invalid_state")
    pending = [row for row in team.live.get_json("/approvals")["data"] if row["status"] == "pending"]
    assert [row["id"] for row in pending] == [done["approval_id"]]
    assert done["approval_id"] != campaign["approval_id"]
    assert pending[0]["amount_cents"] == done["totals"]["total_cents"]
    old = {"approval_id": campaign["approval_id"], "decision": "approve"}
    response = team.world.control.call("POST", f"/worlds/{team.world.id}/simulate/approval", old)
    assert response.status == 409
    assert (balance_cents(team.live), read_campaign(team.live, campaign)) == (before, done)
    decide(team.world, campaign)
    assert batch_statuses(process(team.live, campaign)) == ["paid", "prepared", "prepared"]
    assert before - balance_cents(team.live) == batch_cents(done)[0]


@shows("T-3.6")
def test_paid_batches_keep_their_totals(team: TeamClients) -> None:
    campaign = process(team.live, approved_campaign(team))
    raise_price(team.world, team.live)
    process(team.live, campaign, "reprice")
    done = process(team.live, campaign, "reprice")
    assert done["status"] == "awaiting_approval"
    assert done["batches"][0] == campaign["batches"][0]
    assert batch_cents(done)[1:] == [int(total or 0) + 200 for total in batch_cents(campaign)[1:]]
    decide(team.world, campaign)
    process(team.live, campaign)
    assert process(team.live, campaign)["status"] == "completed"
    expect_error(request_processing(team.live, campaign, "reprice"), 409, "invalid_state")
    expect_error(team.live.patch(f"{PATH}/{campaign['id']}", {"action": "pause"}), 409, "invalid_state")


@shows("T-5.22")
def test_a_changed_price_is_not_paid_until_it_is_repriced_and_approved(team: TeamClients) -> None:
    campaign, before = approved_campaign(team), balance_cents(team.live)
    raise_price(team.world, team.live)
    expect_error(request_processing(team.live, campaign), 422, "price_changed")
    assert (read_campaign(team.live, campaign), balance_cents(team.live)) == (campaign, before)
    raise_price(team.world, team.live, -100)
    assert batch_statuses(process(team.live, campaign)) == ["paid", "prepared", "prepared"]


def test_prepared_batches_can_be_repriced_before_all_are_prepared(team: TeamClients) -> None:
    campaign = create_campaign(team.live)
    expect_error(request_processing(team.live, campaign, "reprice"), 409, "invalid_state")
    old = batch_cents(process(team.live, campaign))[0] or 0
    raise_price(team.world, team.live)
    half = process(team.live, campaign, "reprice")
    assert (half["status"], batch_cents(half)) == ("preparing", [old + 200, None, None])
    process(team.live, campaign)
    last = process(team.live, campaign)
    assert (last["status"], batch_cents(last)) == ("awaiting_approval", [old + 200] * 3)


def test_preparing_is_refused_while_batches_are_being_repriced(team: TeamClients) -> None:
    campaign = prepared_campaign(team.live)
    process(team.live, campaign, "reprice")
    expect_error(request_processing(team.live, campaign), 409, "invalid_state")
    assert read_campaign(team.live, campaign)["status"] == "preparing"


RARE = ("pause", "resume", "stop", "reject", "dearer", "cheaper")
ACTIONS = ("next",) * 8 + ("approve",) * 4 + ("reprice",) * 3 + RARE


@given(size=st.integers(1, 4), count=st.integers(1, 7), taken=st.lists(st.sampled_from(ACTIONS), max_size=24))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_batch_is_paid_twice_or_at_an_unapproved_price(
    simulator: Simulator, size: int, count: int, taken: list[str]
) -> None:
    with temporary_world(simulator) as world:
        world.change_settings(large_campaign__batch_size=size)
        program = CampaignModel(TeamClients(world), count)
        for action in taken:
            program.act(action)
            program.check()


class CampaignModel:
    """A campaign under random operations. `allowed` are the batch totals at its last approval."""

    def __init__(self, team: TeamClients, count: int) -> None:
        self.team, self.world = team, team.world
        self.campaign = create_campaign(team.live, count)
        self.start = balance_cents(team.live)
        self.allowed: list[int | None] = []
        self.paid: dict[int, Any] = {}

    def act(self, action: str) -> None:
        """Run one operation. If it is refused, the campaign must not change."""
        before = self.campaign
        if action in ("dearer", "cheaper"):
            raise_price(self.world, self.team.live, 100 if action == "dearer" else -100)
            return
        status = self._call(action)
        self.campaign = read_campaign(self.team.live, before)
        if status >= 400:
            assert self.campaign == before
        elif action == "approve":
            self.allowed = batch_cents(self.campaign)
        elif action == "reprice":
            self.allowed = []
            changed = [new for new, old in zip(self.campaign["batches"], before["batches"], strict=True) if new != old]
            assert len(changed) <= 1

    def check(self) -> None:
        """Check: every recipient is in one batch; paid batches stay paid, at the price that was approved."""
        assert sum(batch["recipient_count"] for batch in self.campaign["batches"]) == self.campaign["recipient_count"]
        for index, batch in enumerate(self.campaign["batches"]):
            if batch["status"] == "paid":
                self.paid.setdefault(index, batch)
                assert batch["totals"]["total_cents"] == self.paid[index]["totals"]["total_cents"]
        assert [batch_statuses(self.campaign)[index] for index in self.paid] == ["paid"] * len(self.paid)
        spent = sum(batch["totals"]["total_cents"] for batch in self.paid.values())
        assert self.start - balance_cents(self.team.live) == spent
        for index in self.paid:
            if self.allowed and self.campaign["status"] in ("approved", "completed"):
                assert self.allowed[index] == batch_cents(self.campaign)[index]

    def _call(self, action: str) -> int:
        live, created = self.team.live, self.campaign
        if action in ("approve", "reject"):
            body = {"campaign_id": created["id"], "decision": action}
            return self.world.control.call("POST", f"/worlds/{self.world.id}/simulate/approval", body).status
        if action in ("pause", "resume"):
            return live.patch(f"{PATH}/{created['id']}", {"action": action}).status
        return request_processing(live, created, None if action == "next" else action).status
