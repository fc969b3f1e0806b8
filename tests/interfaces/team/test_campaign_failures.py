"""Large campaigns with a batch whose payment failed, and campaigns that are stopped while paused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.team.campaigns import (
    approved_campaign,
    batch_cents,
    batch_statuses,
    create_campaign,
    patch_action,
    process,
    raise_price,
    read_campaign,
    request_processing,
)
from tests.support.team.clients import TeamClients
from tests.support.team.payments import CRASH, balance_cents

pytestmark = pytest.mark.usefixtures("small_batches")


def fail_first_batch(team: TeamClients, campaign: Any) -> int:
    """Pay the first batch with an unknown outcome, which turns out to have failed; the payment's id."""
    with pytest.raises(ConnectionError):
        request_processing(team.live, campaign, **CRASH)
    payment_id: int = read_campaign(team.live, campaign)["batches"][0]["payment_id"]
    team.world.simulate("payment", payment_id=payment_id, outcome="failed")
    return payment_id


@pytest.fixture
def failed(team: TeamClients) -> Any:
    """An approved campaign of three batches, of which the first has failed."""
    campaign = approved_campaign(team)
    fail_first_batch(team, campaign)
    return read_campaign(team.live, campaign)


def test_a_failed_batch_can_fail_again(team: TeamClients, failed: Any) -> None:
    before = balance_cents(team.live)
    first, second = fail_first_batch(team, failed), fail_first_batch(team, failed)
    assert first != second
    assert batch_statuses(read_campaign(team.live, failed)) == ["failed", "prepared", "prepared"]
    assert balance_cents(team.live) == before


def test_a_failed_batch_is_repriced_like_an_unpaid_one(team: TeamClients, failed: Any) -> None:
    old = int(batch_cents(failed)[0] or 0)
    raise_price(team.world, team.live)
    repriced = process(team.live, failed, "reprice")
    assert batch_statuses(repriced) == ["prepared", "prepared", "prepared"]
    assert batch_cents(repriced) == [old + 2 * 100, old, old]


def test_a_stop_drops_a_failed_batch(team: TeamClients, failed: Any) -> None:
    before = balance_cents(team.live)
    stopped = process(team.live, failed, "stop")
    assert (stopped["status"], batch_statuses(stopped)) == ("stopped", ["dropped"] * 3)
    assert balance_cents(team.live) == before


def test_a_paused_campaign_can_be_stopped(team: TeamClients) -> None:
    campaign = create_campaign(team.live)
    assert patch_action(team.live, campaign, "pause")["status"] == "paused"
    stopped = process(team.live, campaign, "stop")
    assert (stopped["status"], batch_statuses(stopped)) == ("stopped", ["dropped"] * 3)
