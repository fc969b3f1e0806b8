"""Why a gift's life did not go on, and why it was not paid: edge cases, asked over HTTP."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, email_recipients, order_body
from tests.support.partner.orders import recipient_ids
from tests.support.team.campaigns import (
    approved_campaign,
    create_campaign,
    patch_action,
    prepared_campaign,
    raise_price,
)
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    approve,
    cancel,
    create_gift,
    create_order,
    reject,
    request_approval,
)
from tests.support.team.payments import fund, key_with_limits, request_funding
from tests.support.worlds import World
from tests.why.test_questions import why

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")
THE_FIRST = "2027-01-04T09:00:00Z"


@pytest.fixture
def team(world: World) -> TeamClients:
    """The clients of the world's team."""
    return TeamClients(world)


def kinds(world: World, about: str, expected: str | None = None) -> list[str]:
    """The kinds of the verdicts on a question."""
    return [verdict["kind"] for verdict in why(world, about, expected)]


def first(world: World, about: str, expected: str | None = None) -> Any:
    """The first verdict on a question."""
    return why(world, about, expected)[0]


def last_call(world: World) -> str:
    """The last call of a client, as a question names it."""
    return f"call:{world.rows('calls')[-1]['seq']}"


# ---- Claims and parcels


def test_all_who_have_not_claimed_are_named_and_all_of_them_mended(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(6))
    world.simulate("claim", team_order_id=1001, recipient=2)
    verdict = first(world, "order:1001", "delivered")
    assert verdict["sentence"] == (
        "Person 0, Person 1, Person 3, Person 4 and 1 other have not claimed order 1001: nobody has entered an address,"
        " so nothing is made or sent"
    )
    assert verdict["mend"]["pytest"].splitlines() == [
        "giftsim.claim(1001)", *(f"giftsim.claim(1001, {place})" for place in (1, 3, 4, 5))
    ]  # fmt: skip
    assert len(verdict["mend"]["curl"].splitlines()) == len(verdict["mend"]["vitest"].splitlines()) == 5


def test_the_steps_and_the_commands_of_a_mend_are_the_same_acts(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(2))
    mend = first(world, "order:1001", "in_progress")["mend"]
    steps = yaml.safe_load(mend["scenario"])
    commands = [shlex.split(line) for line in mend["curl"].splitlines()]
    sent = [(command[4].rpartition("/")[2], json.loads(command[-1])) for command in commands]
    assert [(step["simulate"], step["with"]) for step in steps] == sent
    for verb, body in sent:
        world.simulate(verb, **body)
    assert kinds(world, "order:1001", "in_progress") == ["unknown"]


def test_links_that_expired_one_after_the_other_expired_between_two_instants(
    world: World, partner: PartnerClient
) -> None:
    partner.create_order(recipients=email_recipients(2), claim_expiry_days=2)
    world.simulate("claim_link", team_order_id=1001, recipient=1, expiry_days=4)
    world.advance("5d")
    verdict = first(world, "order:1001", "shipped")
    assert verdict["kind"] == "expired"
    assert "for Person 0 and Person 1 in order 1001 expired between 2027-01-06T09" in verdict["sentence"]
    assert len({mark["entry"] for mark in verdict["marks"]}) == 2


def test_what_an_actor_will_do_waits_for_time_and_not_for_anybody(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/actors", {"id": "p", "recipient": "person0@example.com", "claims": "2d"})
    partner.create_order(recipients=email_recipients(1))
    assert {*kinds(world, "order:1001", "in_progress")} == {"not_due"}
    assert first(world, "order:1001", "in_progress")["mend"]["pytest"] == 'giftsim.advance("2d")'


def test_a_canceled_recipient_does_not_hold_up_the_others(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(recipients=email_recipients(2)).json()
    partner.post("/team-orders/1001/cancel", {"recipient_ids": recipient_ids(order)[:1]})
    verdict = first(world, "order:1001", "delivered")
    assert (verdict["kind"], verdict["sentence"].partition(" has")[0]) == ("not_claimed", "Person 1")


def test_a_delay_that_ends_by_itself_is_not_due(world: World, partner: PartnerClient) -> None:
    world.change_settings(partner__delay="3d")
    partner.create_order(recipients=[{"name": "Bo", "address": {**RENO, "zip": "00013"}}])
    world.advance("2d")
    assert kinds(world, "order:1001", "delivered")[0] == "not_due"


def test_a_parcel_that_a_person_rejected_was_rejected_by_a_verb(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="rejected")
    verdict = first(world, "order:1001", "team_order.delivered")
    assert verdict["sentence"] == (
        f"the parcel for Person 0 in order 1001 was rejected in production at {THE_FIRST} (simulate shipment)"
    )
    assert not any(verdict["mend"].values())
    assert verdict["why_not"]


@pytest.mark.parametrize("status", ["delivered", "team_order.delivered"])
def test_a_parcel_that_the_carrier_lost_was_not_rejected_in_production(
    world: World, partner: PartnerClient, status: str
) -> None:
    partner.create_order(recipients=email_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="shipped")
    world.simulate("parcel", team_order_id=1001, event="returned")
    verdict = first(world, "order:1001", status)
    assert verdict["sentence"] == (
        f"the parcel for Person 0 in order 1001 was lost, returned or refused at {THE_FIRST} (simulate parcel), after"
        " the carrier had it"
    )
    assert verdict["mend"]["pytest"] == 'giftsim.ship(1001, "delivered", 0)'
    assert kinds(world, "order:1001", "shipped") == ["gone_past"]


def test_an_exception_is_over_in_time_or_when_the_parcel_is_found(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="shipped")
    world.simulate("parcel", team_order_id=1001, event="exception")
    assert kinds(world, "order:1001", "delivered")[0] == "not_due"
    world.change_settings(parcels__lost_is_delayed=True)
    world.simulate("parcel", team_order_id=1001, event="lost")
    verdict = first(world, "order:1001", "delivered")
    assert (verdict["kind"], verdict["mend"]["pytest"]) == ("delayed", 'giftsim.ship(1001, "delivered", 0)')


def test_what_is_so_already_and_what_went_further_have_no_reason(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    assert kinds(world, "order:1001", "collecting_addresses") == ["unknown"]
    world.simulate("shipment", team_order_id=1001, to="delivered")
    assert kinds(world, "order:1001", "shipped") == ["unknown"]


def test_a_claim_that_was_refused_has_the_reason_of_its_refusal(world: World, partner: PartnerClient) -> None:
    world.change_account("partner.prepaid", wallet_cents=0, card="none")
    assert partner.create_order(recipients=email_recipients(1)).status == 402
    verdict, refused = why(world, last_call(world))
    assert verdict["kind"] == "not_paid"
    assert verdict["marks"][0]["what"] == "was refused with 402"
    assert refused["kind"] == "refused"


def test_what_a_fixture_made_was_so_before_the_trace_began(new_world: Callable[..., World]) -> None:
    world = new_world(fixture="default")
    told = {
        (kind, row["id"]): first(world, f"{kind}:{row['id']}")
        for kind in ("order", "gift")
        for row in world.rows(f"{kind}s")
        if row["status"] not in ("delivered", "shipped", "in_production")
    }
    assert told["order", 1004]["sentence"] == f"order 1004 was canceled before {THE_FIRST}"
    assert told["order", 1009]["kind"] == "not_paid"
    assert told["order", 20000003]["sentence"].endswith(
        "was rejected before 2027-01-04T09:00:00Z: Over this quarter's budget"
    )
    assert told["order", 20000008]["kind"] == "proof_unsigned"
    assert told["gift", 60000002]["kind"] == "expired"
    assert [about for about, verdict in told.items() if verdict["kind"] == "unknown"] == [("order", 1011)]
    assert {mark["entry"] for verdict in told.values() for mark in verdict["marks"]} == {1}


def test_nobody_claims_in_a_sandbox(world: World, team: TeamClients) -> None:
    gift = create_gift(team.test)
    approve(world, gift)
    verdict = first(world, f"gift:{gift['id']}", "delivered")
    assert (verdict["kind"], verdict["mend"]["pytest"]) == ("not_claimed", None)
    assert "createSandboxEvent" in verdict["why_not"]


def failed(world: World, message: str) -> list[Any]:
    """The verdicts on a test that failed with this assertion."""
    test = {"id": "t", "outcome": "failed", "seconds": 0.1, "failure": {"message": message, "text": message}}
    found: list[Any] = world.call_control("POST", "/why", {"test": test})["verdicts"]
    return found


def test_a_test_that_expects_no_status_is_not_told_of_what_waits(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    assert "not_claimed" not in {verdict["kind"] for verdict in failed(world, "AssertionError: assert [] == ['mug']")}


def test_a_test_that_names_no_record_means_what_its_app_read_last(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    partner.create_order(recipients=email_recipients(1), idempotency_key="second")
    partner.get("/team-orders/1001")
    message = "AssertionError: assert 'collecting_addresses' == 'delivered'"
    assert "claimed order 1001:" in failed(world, message)[0]["sentence"]
    partner.get("/team-orders")
    assert "claimed order 1002:" in failed(world, message)[0]["sentence"]


def test_the_status_that_a_test_saw_of_a_recipient_is_that_of_its_own_parcel(
    world: World, partner: PartnerClient
) -> None:
    partner.create_order(recipients=email_recipients(2))
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.simulate("shipment", team_order_id=1001, recipient=0, to="delayed")
    partner.get("/team-orders/1001")
    told = failed(world, "AssertionError: assert 'delayed' == 'shipped'")
    assert told[0]["kind"] == "delayed"
    assert "not_claimed" not in {verdict["kind"] for verdict in told}


# ---- Approvals


def test_an_approval_can_be_asked_about_itself(world: World, team: TeamClients) -> None:
    for id_, decide in ((70000001, approve), (70000002, reject)):
        order = create_order(team.live)
        request_approval(team.live, order)
        assert kinds(world, f"approval:{id_}", "approved") == ["not_approved"]
        decide(world, order)
    assert kinds(world, "approval:70000001", "approved") == ["unknown"]
    assert kinds(world, "approval:70000002", "approved") == ["rejected"]


def test_an_approval_is_canceled_with_its_order(world: World, team: TeamClients) -> None:
    order = create_order(team.live)
    request_approval(team.live, order)
    cancel(team.live, order, reason="moved")
    verdict = first(world, "approval:70000001", "approved")
    assert verdict["kind"] == "canceled"
    assert verdict["sentence"].endswith(f"with order {order['id']} (cancelTeamOrder by team.live_approver)")
    assert first(world, f"order:{order['id']}", "approved")["sentence"].endswith(": moved")


def test_a_reviewer_who_will_decide_is_waited_for(world: World, team: TeamClients) -> None:
    world.call_control("POST", "/actors", {"id": "boss", "approver": "any", "decides": "approve", "after": "2h"})
    gift = create_gift(team.live)
    verdict = first(world, f"gift:{gift['id']}", "sent")
    assert verdict["kind"] == "not_due"
    assert verdict["sentence"].endswith("which the actor boss approves at 2027-01-04T11:00:00Z")
    assert verdict["mend"]["pytest"] == 'giftsim.advance("2h")'


def test_a_reviewer_who_will_reject_is_not_waited_for(world: World, team: TeamClients) -> None:
    world.call_control("POST", "/actors", {"id": "boss", "approver": "any", "decides": "reject", "after": "2h"})
    gift = create_gift(team.live)
    verdict = first(world, f"gift:{gift['id']}", "sent")
    assert (verdict["kind"], verdict["mend"]["pytest"]) == ("not_approved", None)
    assert "rejects it" in verdict["why_not"]


def test_a_campaign_waits_for_its_batches_then_for_its_approval_then_for_its_payment(
    world: World, team: TeamClients
) -> None:
    about = "campaign:80000001"
    create_campaign(team.live, 2)
    verdict = first(world, about, "approved")
    assert "1 of its 1 batches is not prepared" in verdict["sentence"]
    assert "processLargeCampaign" in verdict["why_not"]
    world.simulate("team", balance_cents=0, credit={"status": "suspended"})
    approved = approved_campaign(team, 2)
    about = f"campaign:{approved['id']}"
    verdict = first(world, about, "completed")
    assert verdict["kind"] == "not_paid"
    assert f"batch 1 of campaign {approved['id']} is not paid: it costs $92.00" in verdict["sentence"]
    raise_price(world, team.live)
    assert "prices have changed" in first(world, about, "completed")["sentence"]
    patch_action(team.live, approved, "reprice")
    assert kinds(world, about, "approved")[:1] == ["superseded"]


def test_a_campaign_that_its_reviewer_rejected_was_rejected_and_not_stopped(world: World, team: TeamClients) -> None:
    campaign = prepared_campaign(team.live, 2)
    world.simulate("approval", campaign_id=campaign["id"], decision="reject")
    assert kinds(world, f"campaign:{campaign['id']}", "approved") == ["rejected"]


# ---- Money


def test_an_order_is_unpaid_until_its_call_is_sent_again(world: World) -> None:
    poor = world.partner("partner.no_funds")
    poor.create_order(recipients=email_recipients(1))
    assert first(world, "order:1001", "delivered")["mend"]["pytest"] == 'giftsim.fund(2600, "partner.no_funds")'
    world.change_account("partner.no_funds", add_cents=2_600)
    verdict = first(world, "order:1001", "delivered")
    assert verdict["sentence"].endswith("refused with insufficient_funds_no_card; it has not been charged again since")
    assert "idempotency_key" in verdict["why_not"]


def test_a_fault_that_declined_is_not_told_as_a_lack_of_money(world: World, partner: PartnerClient) -> None:
    world.add_fault({"charge": "insufficient_funds"}, when={"first": 1})
    partner.create_order(recipients=email_recipients(1))
    sentences = [verdict["sentence"] for verdict in why(world, "order:1001", "delivered")]
    assert any("was refused with insufficient_funds" in each for each in sentences)
    assert not any("wallet has" in each for each in sentences)


def test_a_charge_without_an_outcome_is_mended_by_its_outcome(world: World, partner: PartnerClient) -> None:
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    verdicts = {verdict["kind"]: verdict for verdict in why(world, "order:1001", "collecting_addresses")}
    verdict = verdicts["not_paid"]
    assert "unknown (idempotency_outcome_unknown)" in verdict["sentence"]
    assert verdict["mend"]["scenario"] == '- simulate: outcome\n  with: {"team_order_id":1001,"outcome":"paid"}'
    world.simulate("outcome", team_order_id=1001, outcome="paid")
    assert "not_paid" not in kinds(world, "order:1001", "collecting_addresses")


def test_a_payment_above_the_keys_limit_is_told_for_its_call(world: World, team: TeamClients) -> None:
    client = key_with_limits(team, 1_000, 10_000)
    order = create_order(client)
    assert request_funding(client, order).status == 422
    verdict = first(world, last_call(world))
    assert verdict["kind"] == "not_paid"
    assert "refused with spending_ceiling_exceeded" in verdict["sentence"]


def test_a_payment_that_takes_time_is_told_with_its_status(world: World, team: TeamClients) -> None:
    world.change_settings(payments__settle_after="2d")
    order = create_order(team.live)
    approve(world, order)
    verdict = first(world, f"order:{order['id']}", "paid")
    assert "payment 820001 of $92.00 by balance is reserved" in verdict["sentence"]


def test_a_gift_that_cannot_be_paid_is_short_of_money_before_it_is_short_of_an_approval(
    world: World, team: TeamClients
) -> None:
    world.simulate("team", balance_cents=100, credit={"status": "suspended"})
    gift = create_gift(team.live)
    assert kinds(world, f"gift:{gift['id']}", "sent") == ["not_paid", "not_approved"]


def test_two_keys_after_an_answer_are_two_intents(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    partner.create_order(recipients=email_recipients(1), idempotency_key="second")
    assert "charged_twice" not in kinds(world, "order:1002")


def test_a_charge_after_a_lost_answer_is_told_about_both_orders_and_no_other(
    world: World, partner: PartnerClient
) -> None:
    world.add_fault({"drop": "after"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        partner.create_order(recipients=email_recipients(1))
    partner.create_order(recipients=email_recipients(1), idempotency_key="second")
    partner.create_order(recipients=email_recipients(1), idempotency_key="third", name="another")
    assert kinds(world, "order:1001")[0] == kinds(world, "order:1002")[0] == "charged_twice"
    assert "charged_twice" not in kinds(world, "order:1003")


def test_the_same_key_after_a_lost_answer_charges_once(world: World, partner: PartnerClient) -> None:
    world.add_fault({"drop": "after"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        partner.create_order(recipients=email_recipients(1))
    partner.create_order(recipients=email_recipients(1))
    assert "charged_twice" not in kinds(world, "order:1001")


def test_an_order_is_unpaid_because_its_bank_took_the_money_back(team: TeamClients, world: World) -> None:
    order = create_order(team.live)
    payment = fund(team.live, order, "us_bank_account")["payment_id"]
    world.simulate("payment", payment_id=payment, outcome="settled")
    approve(world, order)
    world.simulate("bank", payment_id=payment, event="returned")
    verdict = first(world, f"order:{order['id']}", "paid")
    assert (verdict["kind"], "was taken back by its bank" in str(verdict)) == ("not_paid", True)
    assert "fund it again" in str(verdict)
    assert kinds(world, f"order:{order['id']}", "shipped")[0] == "not_claimed"
