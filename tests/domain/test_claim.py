"""Links that are opened, used, shared, expired and sent again."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.domain.fulfilment.cancellation import cancel_recipients
from giftsim.domain.fulfilment.claim import ClaimPage, claim_by_token, claim_for_recipient, read_claim_page, resend_link
from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.domain.fulfilment.mail import MAILS, oldest_slot, record_mail
from giftsim.domain.fulfilment.problem import InvalidClaim
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.kernel.placeholders import WORLD
from giftsim.problem import Problem
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, email_order_body

PICK = {"merchant_product_id": 102, "fixed_options": {"1022": 10222}, "choice_variation_ids": [1021]}
GUEST = {"name": "Guest", "email": "guest@example.com", "address": RENO}


def token_of(stage: PartnerDomain, order: Fulfilment, place: int = 0) -> str:
    token = stage.rows(order)[place][0].token
    assert token is not None
    return token


def enter(stage: PartnerDomain, token: str | None, **entry: Any) -> Recipient:
    with stage.state.transaction():
        return claim_by_token(stage.state, token or "", {"address": RENO, **entry})


def refused(stage: PartnerDomain, token: str | None, **entry: Any) -> str:
    with pytest.raises(Problem) as problem:
        enter(stage, token, **entry)
    return problem.value.code


def again(stage: PartnerDomain, order: Fulfilment, place: int = 0, days: int | None = None) -> Recipient:
    with stage.state.transaction():
        return resend_link(stage.state, order, *stage.rows(order)[place], days)


def page(stage: PartnerDomain, token: str | None) -> ClaimPage:
    return read_claim_page(stage.state, token or "")


def test_only_a_claimed_shipment_progresses() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body("Bo", "Cy"))
    assert order.status == "collecting_addresses"
    stage.advance("1d")
    recipient = enter(stage, token_of(stage, order))
    assert recipient.address is not None
    assert recipient.address.city == "Reno"
    assert stage.events == [("team_order.claimed", "account 0", stage.rows(order)[0][1].n, {})]
    stage.advance("29d")
    assert stage.statuses(order) == ["delivered", "expired"]
    assert stage.rows(order)[0][1].produced_at_ms == stage.state.now_ms - 28 * 86_400_000


def test_the_page_shows_the_recipients_own_message_before_the_orders() -> None:
    stage = PartnerDomain()
    body = email_order_body("Bo", "Cy", gift_message="To all", items=[PICK])
    body["recipients"][1]["gift_message"] = "To Cy"
    order = stage.buy(body)
    assert page(stage, token_of(stage, order)).message == "To all"
    shown = page(stage, token_of(stage, order, 1))
    assert (shown.message, shown.gift_sender, shown.countries, shown.status) == ("To Cy", "Ada", ("US",), "awaiting")
    assert [(choice.variation_id, choice.name) for choice in shown.choices] == [(1021, "Size")]
    assert shown.expires_at_ms == order.expires_at_ms
    assert not shown.shared


@pytest.mark.parametrize("picked", [{"1021": 10212}, {1021: 10212}, {"1021": "10212"}])
def test_picked_options_become_the_selection(picked: dict[Any, Any]) -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body(items=[PICK]))
    assert enter(stage, token_of(stage, order), selection=picked).selection == ((1021, 10212),)


@pytest.mark.parametrize(
    ("entry", "fields"),
    [
        ({"selection": None}, ["selection.1021"]),
        ({"selection": {"1021": 10222}}, ["selection.1021"]),
        ({"selection": {"1021": True}}, ["selection.1021"]),
        ({"selection": {"1021": 10212, "1022": 10221}}, ["selection.1022"]),
        ({"selection": {"1021": 10212}, "address": LONDON}, ["address.country"]),
        ({"selection": {"1021": 10212}, "address": {**RENO, "zip": "1"}}, ["address.zip"]),
        ({"selection": {"1021": 10212}, "address": "Reno"}, ["address"]),
        ({"selection": [], "address": None}, ["address", "selection.1021"]),
    ],
)
def test_claim_errors_name_the_field_and_the_link_still_works(entry: dict[str, Any], fields: list[str]) -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body(items=[PICK]))
    with pytest.raises(InvalidClaim) as problem:
        enter(stage, token_of(stage, order), **entry)
    errors = problem.value.details["errors"]
    assert isinstance(errors, list)
    assert [error["field"] for error in errors] == fields
    enter(stage, token_of(stage, order), selection={"1021": 10211})


def test_an_unusable_link_says_why() -> None:
    stage = PartnerDomain(wallet_cents=0, card="none")
    assert refused(stage, "nonsense") == "claim_not_found"
    order = stage.place(email_order_body("Bo", "Cy", "Di"))
    stage.charge(order)
    assert refused(stage, token_of(stage, order)) == "claim_unpaid"
    stage.change_account(wallet_cents=10_000)
    stage.charge(order)
    enter(stage, token_of(stage, order))
    assert refused(stage, token_of(stage, order)) == "claim_used"
    with stage.state.transaction():
        cancel_recipients(stage.state, order, [stage.rows(order)[1][0].id])
    assert refused(stage, token_of(stage, order, 1)) == "claim_canceled"
    stage.advance("31d")
    assert refused(stage, token_of(stage, order, 2)) == "claim_expired"
    with pytest.raises(Problem) as problem:
        page(stage, token_of(stage, order, 2))
    assert problem.value.status == 410


def test_a_link_expires_exactly_at_its_expiry_time() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body("Bo", "Cy", claim_expiry_days=10))
    stage.advance("9d")
    stage.advance("86399s")
    enter(stage, token_of(stage, order))
    stage.advance("1s")
    assert refused(stage, token_of(stage, order, 1)) == "claim_expired"
    reasons = [facts["reason"] for kind, _, _, facts in stage.events if kind == "team_order.needs_attention"]
    assert reasons == ["claim_link_expired"]


def test_link_expiry_counts_from_the_payment() -> None:
    stage = PartnerDomain(wallet_cents=0, card="none")
    order = stage.place(email_order_body(claim_expiry_days=10))
    stage.charge(order)
    stage.advance("40d")
    assert stage.statuses(order) == ["awaiting"]
    stage.change_account(wallet_cents=10_000)
    stage.charge(order)
    assert stage.order(order).expires_at_ms == stage.state.now_ms + 10 * 86_400_000
    stage.advance("9d")
    enter(stage, token_of(stage, order))


def test_a_shared_link_can_be_claimed_once_per_open_seat() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body("Bo", open_seats=2))
    assert page(stage, order.share_token).shared
    assert enter(stage, order.share_token, **GUEST).place == 1
    assert enter(stage, order.share_token, **{**GUEST, "name": "Other"}).name == "Other"
    assert refused(stage, order.share_token, **GUEST) == "claim_exhausted"
    assert stage.statuses(order) == ["awaiting", "submitted", "submitted"]
    assert page(stage, token_of(stage, order)).status == "awaiting"


@pytest.mark.parametrize("wrong", [{"name": " "}, {"name": 5}, {"email": "guest"}, {"email": "a b@c.example"}])
def test_an_open_seat_requires_name_and_email(wrong: dict[str, Any]) -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body(open_seats=1))
    with pytest.raises(InvalidClaim) as problem:
        enter(stage, order.share_token, **{**GUEST, **wrong})
    assert problem.value.details["errors"][0]["field"] == next(iter(wrong))  # type: ignore[index]


def test_a_shared_link_without_free_seats_says_why() -> None:
    stage = PartnerDomain(wallet_cents=0, card="none")
    order = stage.place(email_order_body(open_seats=2, claim_expiry_days=5))
    stage.charge(order)
    assert refused(stage, order.share_token, **GUEST) == "claim_unpaid"
    stage.change_account(wallet_cents=10_000)
    stage.charge(order)
    enter(stage, order.share_token, **GUEST)
    stage.advance("5d")
    assert refused(stage, order.share_token, **GUEST) == "claim_expired"
    with stage.state.transaction():
        cancel_recipients(stage.state, order)
    other = stage.buy(email_order_body(open_seats=1))
    with stage.state.transaction():
        cancel_recipients(stage.state, other)
    assert refused(stage, other.share_token, **GUEST) == "claim_canceled"


def test_resending_a_link_replaces_the_old_one() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body(claim_expiry_days=5))
    old = token_of(stage, order)
    stage.advance("6d")
    assert stage.statuses(order) == ["expired"]
    assert stage.order(order).status == "collecting_addresses"
    new = again(stage, order, days=3).token
    assert stage.statuses(order) == ["awaiting"]
    assert refused(stage, old) == "claim_expired"
    assert [mail.links for mail in stage.state[MAILS]] == [
        (f"/claim/{WORLD}/{old}",),
        (f"/claim/{WORLD}/{new}",),
    ]
    stage.advance("71h")
    enter(stage, new)
    with pytest.raises(Problem) as problem:
        again(stage, order)
    assert problem.value.code == "claim_used"


def test_resending_an_open_seat_keeps_the_shared_link() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body(open_seats=1, claim_expiry_days=5))
    stage.advance("6d")
    again(stage, order, place=1)
    assert enter(stage, order.share_token, **GUEST).place == 1


def test_the_account_can_claim_after_the_link_has_expired() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body())
    stage.advance("31d")
    with stage.state.transaction():
        claim_for_recipient(stage.state, order, *stage.rows(order)[0], {"address": RENO})
    assert stage.statuses(order) == ["submitted"]
    assert stage.event_types == ["team_order.needs_attention", "team_order.claimed"]
    with pytest.raises(Problem) as problem, stage.state.transaction():
        claim_for_recipient(stage.state, order, *stage.rows(order)[0], {"address": RENO})
    assert problem.value.code == "claim_used"


def test_claim_mails_are_recorded_on_payment() -> None:
    stage = PartnerDomain(wallet_cents=0, card="none")
    order = stage.place(email_order_body("Bo", "Cy", open_seats=1))
    stage.charge(order)
    assert stage.state[MAILS].next_n == 0
    stage.change_account(wallet_cents=10_000)
    stage.charge(order)
    assert [(mail.to, mail.kind) for mail in stage.state[MAILS]] == [
        ("bo@example.com", "claim_link"),
        ("cy@example.com", "claim_link"),
    ]


def test_the_oldest_mails_are_dropped() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        for i in range(10_005):
            record_mail(stage.state, f"{i}@example.com", "note", "Hello")
    assert oldest_slot(stage.state) == 5
    assert [mail.to for mail in stage.state[MAILS]][:1] == ["5@example.com"]
