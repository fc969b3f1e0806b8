"""Payment of large campaigns: approving pays nothing, each call pays one whole batch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.campaigns import (
    PATH,
    approved_campaign,
    batch_cents,
    batch_statuses,
    campaign_body,
    create_campaign,
    patch_action,
    process,
    read_campaign,
    request_processing,
)
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.payments import balance_cents
from tests.support.worlds import World

pytestmark = pytest.mark.usefixtures("small_batches")

CRASH = {"X_Sim_Fault": "crash=after_charge"}


def client_with_limits(team: TeamClients, per_request: int, monthly: int) -> TeamClient:
    """A client whose key has every scope and these pay limits, in cents."""
    return team.key(*SCOPES, pay_limits={"per_request_cents": per_request, "monthly_cents": monthly})


def key_on_terms(team: TeamClients, **members: Any) -> tuple[TeamClient, str]:
    """A client whose new key may pay on terms, and that key."""
    limits = {"per_request_cents": 10**6, "monthly_cents": 10**7}
    made = team.world.call_control(
        "POST", "/keys", {"interface": "team", "scopes": list(SCOPES), "pay_limits": limits, **members}
    )
    return TeamClient(team.world, {"Authorization": f"Bearer {made['key']}"}), made["name"]


def test_each_call_pays_and_releases_one_batch_and_the_last_completes_it(team: TeamClients) -> None:
    campaign, before = approved_campaign(team), balance_cents(team.live)
    assert (campaign["status"], batch_statuses(campaign), balance_cents(team.live)) == (
        "approved",
        ["prepared"] * 3,
        before,
    )
    each = int(batch_cents(campaign)[0] or 0)
    for count in range(1, 4):
        campaign = process(team.live, campaign)
        assert batch_statuses(campaign) == ["paid"] * count + ["prepared"] * (3 - count)
        assert campaign["status"] == ("completed" if count == 3 else "approved")
        assert before - balance_cents(team.live) == count * each
        assert len(team.world.mail()) == 2 * count
    assert len({batch["payment_id"] for batch in campaign["batches"]}) == 3
    assert all(batch["receipt_id"] and batch["paid_at"] == team.world.now for batch in campaign["batches"])
    expect_error(request_processing(team.live, campaign), 409, "invalid_state")
    month = team.live.get_json(f"/statements/{team.world.now[:7]}")
    charges = [entry for entry in month["entries"] if entry["kind"] == "charge"]
    assert [(entry["resource_type"], entry["resource_id"]) for entry in charges] == [
        ("large_campaign", campaign["id"])
    ] * 3


def test_a_repeated_idempotency_key_pays_only_once(team: TeamClients) -> None:
    campaign, before = approved_campaign(team), balance_cents(team.live)
    first = process(team.live, campaign, Idempotency_Key="k1")
    assert process(team.live, campaign, Idempotency_Key="k1") == first
    assert before - balance_cents(team.live) == batch_cents(campaign)[0]


def test_on_terms_each_batch_is_invoiced_and_the_balance_is_unchanged(team: TeamClients) -> None:
    campaign, before = approved_campaign(team, payment_method="net_terms"), balance_cents(team.live)
    campaign = process(team.live, process(team.live, campaign))
    bills = {batch["invoice_id"] for batch in campaign["batches"][:2]}
    assert [row["amount_cents"] for row in team.live.get_json("/invoices")["data"]] == batch_cents(campaign)[:2]
    assert {row["id"] for row in team.live.get_json("/invoices")["data"]} == bills
    assert balance_cents(team.live) == before
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == sum(
        int(total or 0) for total in batch_cents(campaign)[:2]
    )


@shows("T-1.7")
def test_a_key_that_cannot_pay_processes_no_approved_batch(team: TeamClients) -> None:
    campaign, before = approved_campaign(team), balance_cents(team.live)
    writer = team.key("orders:write", "orders:read", role="requester")
    without_limits = team.key("orders:write", "orders:pay")
    for client in (writer, team.requester, without_limits):
        expect_error(request_processing(client, campaign), 422, "payment_not_permitted")
    assert (read_campaign(team.live, campaign), balance_cents(team.live), team.world.mail()) == (campaign, before, [])


@shows("T-5.16", "T-5.17")
def test_a_batch_above_the_limit_per_request_is_not_paid(team: TeamClients) -> None:
    campaign, before = approved_campaign(team), balance_cents(team.live)
    each = int(batch_cents(campaign)[0] or 0)
    expect_error(
        request_processing(client_with_limits(team, each - 1, 10 * each), campaign), 422, "spending_ceiling_exceeded"
    )
    assert (read_campaign(team.live, campaign), balance_cents(team.live), team.world.mail()) == (campaign, before, [])
    assert batch_statuses(process(client_with_limits(team, each, 10 * each), campaign)) == [
        "paid",
        "prepared",
        "prepared",
    ]


@shows("T-5.18")
def test_batches_count_towards_the_monthly_limit_of_the_paying_key(team: TeamClients) -> None:
    campaign = approved_campaign(team)
    each = int(batch_cents(campaign)[0] or 0)
    client = client_with_limits(team, each, 2 * each)
    process(client, campaign)
    after = process(client, campaign)
    expect_error(request_processing(client, campaign), 422, "monthly_cap_exceeded")
    assert read_campaign(team.live, campaign) == after
    assert process(team.live, campaign)["status"] == "completed"


@shows("T-5.24")
def test_an_insufficient_balance_pays_no_batch(team: TeamClients) -> None:
    campaign = approved_campaign(team)
    each = int(batch_cents(campaign)[0] or 0)
    team.world.simulate("team", balance_cents=each - 1)
    expect_error(request_processing(team.live, campaign), 422, "insufficient_balance")
    assert (read_campaign(team.live, campaign), balance_cents(team.live)) == (campaign, each - 1)
    team.world.simulate("team", balance_cents=each)
    process(team.live, campaign)
    assert balance_cents(team.live) == 0


@shows("T-4.210")
def test_a_crash_leaves_the_batch_uncertain_until_the_outcome_is_set(team: TeamClients) -> None:
    campaign, before = approved_campaign(team), balance_cents(team.live)
    with pytest.raises(ConnectionError):
        request_processing(team.live, campaign, Idempotency_Key="k1", **CRASH)
    lost = read_campaign(team.live, campaign)
    assert (lost["status"], batch_statuses(lost)) == ("approved", ["uncertain", "prepared", "prepared"])
    expect_error(request_processing(team.live, campaign, Idempotency_Key="k1"), 409, "idempotency_in_progress")
    assert batch_statuses(process(team.live, campaign)) == ["uncertain", "paid", "prepared"]
    team.world.simulate("payment", payment_id=lost["batches"][0]["payment_id"], outcome="settled")
    assert batch_statuses(read_campaign(team.live, campaign)) == ["paid", "paid", "prepared"]
    assert batch_statuses(process(team.live, campaign, Idempotency_Key="k1")) == ["paid", "paid", "prepared"]
    assert before - balance_cents(team.live) == 2 * int(batch_cents(campaign)[0] or 0)
    assert process(team.live, campaign)["status"] == "completed"


def test_a_batch_whose_payment_failed_can_be_paid_again(team: TeamClients) -> None:
    campaign, before = approved_campaign(team), balance_cents(team.live)
    with pytest.raises(ConnectionError):
        request_processing(team.live, campaign, **CRASH)
    lost = read_campaign(team.live, campaign)["batches"][0]["payment_id"]
    team.world.simulate("payment", payment_id=lost, outcome="failed")
    assert batch_statuses(read_campaign(team.live, campaign)) == ["failed", "prepared", "prepared"]
    assert balance_cents(team.live) == before
    again = process(team.live, campaign)
    assert batch_statuses(again) == ["paid", "prepared", "prepared"]
    assert again["batches"][0]["payment_id"] != lost


@pytest.mark.parametrize(("outcome", "ends"), [("settled", "paid"), ("failed", "dropped")])
def test_stopping_keeps_an_uncertain_batch_until_its_outcome(team: TeamClients, outcome: str, ends: str) -> None:
    campaign = approved_campaign(team)
    with pytest.raises(ConnectionError):
        request_processing(team.live, campaign, **CRASH)
    stopped = process(team.live, campaign, "stop")
    assert batch_statuses(stopped) == ["uncertain", "dropped", "dropped"]
    team.world.simulate("payment", payment_id=stopped["batches"][0]["payment_id"], outcome=outcome)
    reloaded = read_campaign(team.live, campaign)
    assert (reloaded["status"], batch_statuses(reloaded)) == ("stopped", [ends, "dropped", "dropped"])
    assert len(team.world.mail()) == (2 if ends == "paid" else 0)


def test_a_payment_that_settles_later_completes_its_batch_then(team: TeamClients, world: World) -> None:
    world.change_settings(payments__settle_after="1h")
    campaign = approved_campaign(team, 2)
    reloaded = process(team.live, campaign)
    assert (reloaded["status"], batch_statuses(reloaded)) == ("approved", ["prepared"])
    assert world.mail() == []
    expect_error(request_processing(team.live, campaign), 409, "invalid_state")
    patch_action(team.live, campaign, "pause")
    world.advance("1h")
    done = read_campaign(team.live, campaign)
    assert (done["status"], batch_statuses(done), len(world.mail())) == ("completed", ["paid"], 2)


@shows("T-1.7")
@pytest.mark.parametrize("missing", ["billing:write", "orders:pay"])
def test_a_campaign_on_terms_is_created_only_by_a_key_that_may_pay_on_terms(team: TeamClients, missing: str) -> None:
    client = team.key(*[scope for scope in SCOPES if scope != missing])
    body = campaign_body(payment_method="net_terms")
    expect_error(client.post(PATH, body), 403, "insufficient_scope")
    expect_error(team.test.post(PATH, body), 403, "insufficient_scope")
    assert create_campaign(client)["payment_method"] is None
    assert create_campaign(team.live, payment_method="net_terms")["payment_method"] == "net_terms"


@shows("T-1.7")
@pytest.mark.parametrize("missing", ["billing:write", "orders:pay"])
def test_each_batch_on_terms_needs_the_scopes_of_the_key_that_processes_it(team: TeamClients, missing: str) -> None:
    client, key = key_on_terms(team)
    campaign = process(client, approved_campaign(team, client=client, payment_method="net_terms"))
    outstanding = team.live.get_json("/credit-terms")["outstanding_cents"]
    mail = team.world.mail()
    fewer = [scope for scope in SCOPES if scope != missing]
    team.world.call_control("PATCH", f"/keys/{key}", {"scopes": fewer})
    assert expect_error(request_processing(client, campaign), 403, "insufficient_scope")["message"] == (
        f"this key lacks the scope {missing}"
    )
    expect_error(request_processing(team.key(*fewer), campaign), 403, "insufficient_scope")
    assert (read_campaign(client, campaign), team.world.mail()) == (campaign, mail)
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == outstanding
    team.world.call_control("PATCH", f"/keys/{key}", {"scopes": list(SCOPES)})
    assert batch_statuses(process(client, campaign)) == ["paid", "paid", "prepared"]


@shows("T-1.7")
def test_only_the_key_that_made_a_campaign_pays_its_batches_on_terms(team: TeamClients) -> None:
    client, _ = key_on_terms(team)
    campaign = approved_campaign(team, client=client, payment_method="net_terms")
    error = expect_error(request_processing(team.live, campaign), 422, "payment_not_permitted")
    assert error["message"] == "a key can pay on terms only for orders and campaigns that it created itself"
    assert (read_campaign(team.live, campaign), team.world.mail()) == (campaign, [])
    assert batch_statuses(process(client, campaign)) == ["paid", "prepared", "prepared"]
    expect_error(request_processing(team.live, campaign), 422, "payment_not_permitted")


def test_any_key_prepares_the_batches_of_a_campaign_on_terms(team: TeamClients) -> None:
    campaign = create_campaign(team.live, payment_method="net_terms")
    writer = team.key("orders:write", "orders:read")
    assert batch_statuses(process(writer, campaign)) == ["prepared", "pending", "pending"]


def test_a_setting_requires_the_role_approver_of_keys_that_pay_batches_on_terms(team: TeamClients) -> None:
    client, _ = key_on_terms(team, role="requester")
    campaign = approved_campaign(team, client=client, payment_method="net_terms")
    team.world.change_settings(team__net_terms_role="approver")
    expect_error(client.post(PATH, campaign_body(payment_method="net_terms")), 403, "insufficient_role")
    expect_error(request_processing(client, campaign), 403, "insufficient_role")
    team.world.change_settings(team__net_terms_role="any")
    assert batch_statuses(process(client, campaign)) == ["paid", "prepared", "prepared"]
