"""Paying a large campaign: an approval pays nothing, each call pays one batch whole, and nothing moves unpaid."""

from __future__ import annotations

import pytest

from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.program import (
    approved,
    balance,
    cents,
    process,
    processed,
    read,
    statuses,
    steered,
)
from tests.interfaces.team.scene import SCOPES, Team, TeamFace, refused

CRASH = {"X_Sim_Fault": "crash=after_charge"}


@pytest.fixture(autouse=True)
def small_batches(world: World) -> None:
    """Batches of two."""
    world.settings(large_campaign__batch_size=2)


def payer(team: Team, per_request: int, monthly: int) -> TeamFace:
    """A key with every scope and these ceilings, in cents."""
    return team.key(*SCOPES, pay_limits={"per_request_cents": per_request, "monthly_cents": monthly})


def test_each_call_pays_and_releases_one_batch_and_the_last_completes_it(team: Team) -> None:
    made, before = approved(team), balance(team.live)
    assert (made["status"], statuses(made), balance(team.live)) == ("approved", ["prepared"] * 3, before)
    each = int(cents(made)[0] or 0)
    for count in range(1, 4):
        made = processed(team.live, made)
        assert statuses(made) == ["paid"] * count + ["prepared"] * (3 - count)
        assert made["status"] == ("completed" if count == 3 else "approved")
        assert before - balance(team.live) == count * each
        assert len(team.world.mail()) == 2 * count
    assert len({batch["payment_id"] for batch in made["batches"]}) == 3
    assert all(batch["receipt_id"] and batch["paid_at"] == team.world.now for batch in made["batches"])
    refused(process(team.live, made), 409, "invalid_state")
    month = team.live.got(f"/statements/{team.world.now[:7]}")
    charges = [entry for entry in month["entries"] if entry["kind"] == "charge"]
    assert [(entry["resource_type"], entry["resource_id"]) for entry in charges] == [("large_campaign", made["id"])] * 3


def test_a_repeated_key_pays_nothing_twice(team: Team) -> None:
    made, before = approved(team), balance(team.live)
    first = processed(team.live, made, Idempotency_Key="k1")
    assert processed(team.live, made, Idempotency_Key="k1") == first
    assert before - balance(team.live) == cents(made)[0]


def test_on_terms_each_batch_has_an_invoice_and_the_balance_stays(team: Team) -> None:
    made, before = approved(team, payment_method="net_terms"), balance(team.live)
    made = processed(team.live, processed(team.live, made))
    bills = {batch["invoice_id"] for batch in made["batches"][:2]}
    assert [row["amount_cents"] for row in team.live.got("/invoices")["data"]] == cents(made)[:2]
    assert {row["id"] for row in team.live.got("/invoices")["data"]} == bills
    assert balance(team.live) == before
    assert team.live.got("/credit-terms")["outstanding_cents"] == sum(int(total or 0) for total in cents(made)[:2])


@claims("T-1.7")
def test_without_the_power_to_pay_nothing_moves(team: Team) -> None:
    made, before = approved(team), balance(team.live)
    writer = team.key("orders:write", "orders:read", role="requester")
    ceilingless = team.key("orders:write", "orders:pay")
    for face in (writer, team.requester, ceilingless):
        refused(process(face, made), 422, "payment_not_permitted")
    assert (read(team.live, made), balance(team.live), team.world.mail()) == (made, before, [])


@claims("T-5.16", "T-5.17")
def test_a_batch_fits_the_ceiling_whole_or_is_not_paid_at_all(team: Team) -> None:
    made, before = approved(team), balance(team.live)
    each = int(cents(made)[0] or 0)
    refused(process(payer(team, each - 1, 10 * each), made), 422, "spending_ceiling_exceeded")
    assert (read(team.live, made), balance(team.live), team.world.mail()) == (made, before, [])
    assert statuses(processed(payer(team, each, 10 * each), made)) == ["paid", "prepared", "prepared"]


@claims("T-5.18")
def test_batches_count_against_the_month_of_the_key_that_pays(team: Team) -> None:
    made = approved(team)
    each = int(cents(made)[0] or 0)
    face = payer(team, each, 2 * each)
    processed(face, made)
    after = processed(face, made)
    refused(process(face, made), 422, "monthly_cap_exceeded")
    assert read(team.live, made) == after
    assert processed(team.live, made)["status"] == "completed"


@claims("T-5.24")
def test_a_drained_balance_pays_no_batch(team: Team) -> None:
    made = approved(team)
    each = int(cents(made)[0] or 0)
    team.world.simulate("team", balance_cents=each - 1)
    refused(process(team.live, made), 422, "insufficient_balance")
    assert (read(team.live, made), balance(team.live)) == (made, each - 1)
    team.world.simulate("team", balance_cents=each)
    processed(team.live, made)
    assert balance(team.live) == 0


@claims("T-4.210")
def test_a_crash_leaves_the_batch_uncertain_until_it_is_told(team: Team) -> None:
    made, before = approved(team), balance(team.live)
    with pytest.raises(ConnectionError):
        process(team.live, made, Idempotency_Key="k1", **CRASH)
    lost = read(team.live, made)
    assert (lost["status"], statuses(lost)) == ("approved", ["uncertain", "prepared", "prepared"])
    refused(process(team.live, made, Idempotency_Key="k1"), 409, "idempotency_in_progress")
    assert statuses(processed(team.live, made)) == ["uncertain", "paid", "prepared"]
    team.world.simulate("payment", payment_id=lost["batches"][0]["payment_id"], outcome="settled")
    assert statuses(read(team.live, made)) == ["paid", "paid", "prepared"]
    assert statuses(processed(team.live, made, Idempotency_Key="k1")) == ["paid", "paid", "prepared"]
    assert before - balance(team.live) == 2 * int(cents(made)[0] or 0)
    assert processed(team.live, made)["status"] == "completed"


def test_a_batch_whose_payment_failed_is_paid_anew(team: Team) -> None:
    made, before = approved(team), balance(team.live)
    with pytest.raises(ConnectionError):
        process(team.live, made, **CRASH)
    lost = read(team.live, made)["batches"][0]["payment_id"]
    team.world.simulate("payment", payment_id=lost, outcome="failed")
    assert statuses(read(team.live, made)) == ["failed", "prepared", "prepared"]
    assert balance(team.live) == before
    again = processed(team.live, made)
    assert statuses(again) == ["paid", "prepared", "prepared"]
    assert again["batches"][0]["payment_id"] != lost


@pytest.mark.parametrize(("outcome", "ends"), [("settled", "paid"), ("failed", "dropped")])
def test_a_stop_leaves_an_uncertain_batch_to_its_outcome(team: Team, outcome: str, ends: str) -> None:
    made = approved(team)
    with pytest.raises(ConnectionError):
        process(team.live, made, **CRASH)
    stopped = processed(team.live, made, "stop")
    assert statuses(stopped) == ["uncertain", "dropped", "dropped"]
    team.world.simulate("payment", payment_id=stopped["batches"][0]["payment_id"], outcome=outcome)
    told = read(team.live, made)
    assert (told["status"], statuses(told)) == ("stopped", [ends, "dropped", "dropped"])
    assert len(team.world.mail()) == (2 if ends == "paid" else 0)


def test_a_payment_that_the_provider_settles_later_is_waited_for(team: Team, world: World) -> None:
    world.settings(payments__settle_after="1h")
    made = approved(team, 2)
    held = processed(team.live, made)
    assert (held["status"], statuses(held)) == ("approved", ["prepared"])
    assert world.mail() == []
    refused(process(team.live, made), 409, "invalid_state")
    steered(team.live, made, "pause")
    world.advance("1h")
    done = read(team.live, made)
    assert (done["status"], statuses(done), len(world.mail())) == ("completed", ["paid"], 2)
