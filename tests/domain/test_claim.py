"""Claim links: read, claimed, shared, expired and resent."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.kernel.placeholders import WORLD
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment.cancellation import cancel_recipients
from giftsim.services.gifting.domain.fulfilment.claim import (
    ClaimPage,
    claim_by_token,
    claim_for_recipient,
    read_claim_page,
    resend_link,
)
from giftsim.services.gifting.domain.fulfilment.fulfilment import PartnerOrder
from giftsim.services.gifting.domain.fulfilment.mail import MAILS, oldest_slot, record_mail
from giftsim.services.gifting.domain.fulfilment.order_errors import InvalidClaim
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, email_order_body

PICK = {"merchant_product_id": 102, "fixed_options": {"1022": 10222}, "choice_variation_ids": [1021]}
GUEST = {"name": "Guest", "email": "guest@example.com", "address": RENO}
OTHER = {**GUEST, "name": "Other", "email": "other@example.com"}


def token_of(partner: PartnerDomain, order: PartnerOrder, place: int = 0) -> str:
    token = partner.rows(order)[place][0].token
    assert token is not None
    return token


def claim(partner: PartnerDomain, token: str | None, **entry: Any) -> Recipient:
    with partner.state.transaction():
        return claim_by_token(partner.state, token or "", {"address": RENO, **entry})


def error_code(partner: PartnerDomain, token: str | None, **entry: Any) -> str:
    with pytest.raises(Problem) as error:
        claim(partner, token, **entry)
    return error.value.code


def resend(partner: PartnerDomain, order: PartnerOrder, place: int = 0, days: int | None = None) -> Recipient:
    with partner.state.transaction():
        return resend_link(partner.state, order, *partner.rows(order)[place], days)


def claim_page(partner: PartnerDomain, token: str | None) -> ClaimPage:
    return read_claim_page(partner.state, token or "")


def test_only_a_claimed_shipment_progresses() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body("Bo", "Cy"))
    assert order.status == "collecting_addresses"
    partner.advance("1d")
    recipient = claim(partner, token_of(partner, order))
    assert recipient.address is not None
    assert recipient.address.city == "Reno"
    assert partner.events == [("team_order.claimed", "account 0", partner.rows(order)[0][1].n, {})]
    partner.advance("29d")
    assert partner.statuses(order) == ["delivered", "expired"]
    assert partner.rows(order)[0][1].produced_at_ms == partner.state.now_ms - 28 * 86_400_000


def test_the_page_shows_the_recipients_own_message_before_the_orders() -> None:
    partner = PartnerDomain()
    body = email_order_body("Bo", "Cy", gift_message="To all", items=[PICK])
    body["recipients"][1]["gift_message"] = "To Cy"
    order = partner.buy(body)
    assert claim_page(partner, token_of(partner, order)).message == "To all"
    page = claim_page(partner, token_of(partner, order, 1))
    assert (page.message, page.gift_sender, page.countries, page.status) == ("To Cy", "Ada", ("US",), "awaiting")
    assert [(choice.variation_id, choice.name) for choice in page.choices] == [(1021, "Size")]
    assert page.expires_at_ms == order.expires_at_ms
    assert not page.shared


@pytest.mark.parametrize("picked", [{"1021": 10212}, {1021: 10212}, {"1021": "10212"}])
def test_picked_options_become_the_selection(picked: dict[Any, Any]) -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body(items=[PICK]))
    assert claim(partner, token_of(partner, order), selection=picked).selection == ((1021, 10212),)


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
    partner = PartnerDomain()
    order = partner.buy(email_order_body(items=[PICK]))
    with pytest.raises(InvalidClaim) as error:
        claim(partner, token_of(partner, order), **entry)
    errors = error.value.details["errors"]
    assert isinstance(errors, list)
    assert [error["field"] for error in errors] == fields
    claim(partner, token_of(partner, order), selection={"1021": 10211})


def test_an_unusable_link_says_why() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    assert error_code(partner, "nonsense") == "claim_not_found"
    order = partner.place(email_order_body("Bo", "Cy", "Di"))
    partner.charge(order)
    assert error_code(partner, token_of(partner, order)) == "claim_unpaid"
    partner.change_account(wallet_cents=10_000)
    partner.charge(order)
    claim(partner, token_of(partner, order))
    assert error_code(partner, token_of(partner, order)) == "claim_used"
    with partner.state.transaction():
        cancel_recipients(partner.state, order, [partner.rows(order)[1][0].id])
    assert error_code(partner, token_of(partner, order, 1)) == "claim_canceled"
    partner.advance("31d")
    assert error_code(partner, token_of(partner, order, 2)) == "claim_expired"
    with pytest.raises(Problem) as error:
        claim_page(partner, token_of(partner, order, 2))
    assert error.value.status == 410


def test_a_link_expires_exactly_at_its_expiry_time() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body("Bo", "Cy", claim_expiry_days=10))
    partner.advance("9d")
    partner.advance("86399s")
    claim(partner, token_of(partner, order))
    partner.advance("1s")
    assert error_code(partner, token_of(partner, order, 1)) == "claim_expired"
    reasons = [facts["reason"] for kind, _, _, facts in partner.events if kind == "team_order.needs_attention"]
    assert reasons == ["claim_link_expired"]


def test_link_expiry_counts_from_the_payment() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    order = partner.place(email_order_body(claim_expiry_days=10))
    partner.charge(order)
    partner.advance("40d")
    assert partner.statuses(order) == ["awaiting"]
    partner.change_account(wallet_cents=10_000)
    partner.charge(order)
    assert partner.order(order).expires_at_ms == partner.state.now_ms + 10 * 86_400_000
    partner.advance("9d")
    claim(partner, token_of(partner, order))


def test_a_shared_link_can_be_claimed_once_per_open_seat() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body("Bo", open_seats=2))
    assert claim_page(partner, order.share_token).shared
    assert claim(partner, order.share_token, **GUEST).place == 1
    assert claim(partner, order.share_token, **OTHER).name == "Other"
    assert error_code(partner, order.share_token, **{**GUEST, "email": "third@example.com"}) == "claim_exhausted"
    assert partner.statuses(order) == ["awaiting", "submitted", "submitted"]
    assert claim_page(partner, token_of(partner, order)).status == "awaiting"


@pytest.mark.parametrize("wrong", [{"name": " "}, {"name": 5}, {"email": "guest"}, {"email": "a b@c.example"}])
def test_an_open_seat_requires_name_and_email(wrong: dict[str, Any]) -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body(open_seats=1))
    with pytest.raises(InvalidClaim) as error:
        claim(partner, order.share_token, **{**GUEST, **wrong})
    assert error.value.details["errors"][0]["field"] == next(iter(wrong))  # type: ignore[index]


def test_a_shared_link_without_free_seats_says_why() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    order = partner.place(email_order_body(open_seats=2, claim_expiry_days=5))
    partner.charge(order)
    assert error_code(partner, order.share_token, **GUEST) == "claim_unpaid"
    partner.change_account(wallet_cents=10_000)
    partner.charge(order)
    claim(partner, order.share_token, **GUEST)
    partner.advance("5d")
    assert error_code(partner, order.share_token, **OTHER) == "claim_expired"
    with partner.state.transaction():
        cancel_recipients(partner.state, order)
    other = partner.buy(email_order_body(open_seats=1))
    with partner.state.transaction():
        cancel_recipients(partner.state, other)
    assert error_code(partner, other.share_token, **GUEST) == "claim_canceled"


def test_resending_a_link_replaces_the_old_one() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body(claim_expiry_days=5))
    old = token_of(partner, order)
    partner.advance("6d")
    assert partner.statuses(order) == ["expired"]
    assert partner.order(order).status == "collecting_addresses"
    new = resend(partner, order, days=3).token
    assert partner.statuses(order) == ["awaiting"]
    assert error_code(partner, old) == "claim_expired"
    assert [mail.links for mail in partner.state[MAILS]] == [
        (f"/claim/{WORLD}/{old}",),
        (f"/claim/{WORLD}/{new}",),
    ]
    partner.advance("71h")
    claim(partner, new)
    with pytest.raises(Problem) as error:
        resend(partner, order)
    assert error.value.code == "claim_used"


def test_resending_an_open_seat_keeps_the_shared_link() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body(open_seats=1, claim_expiry_days=5))
    partner.advance("6d")
    resend(partner, order, place=1)
    assert claim(partner, order.share_token, **GUEST).place == 1


def test_the_account_can_claim_after_the_link_has_expired() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body())
    partner.advance("31d")
    with partner.state.transaction():
        claim_for_recipient(partner.state, order, *partner.rows(order)[0], {"address": RENO})
    assert partner.statuses(order) == ["submitted"]
    assert partner.event_types == ["team_order.needs_attention"]
    with pytest.raises(Problem) as error, partner.state.transaction():
        claim_for_recipient(partner.state, order, *partner.rows(order)[0], {"address": RENO})
    assert error.value.code == "claim_used"


def test_claim_mails_are_recorded_on_payment() -> None:
    partner = PartnerDomain(wallet_cents=0, card="none")
    order = partner.place(email_order_body("Bo", "Cy", open_seats=1))
    partner.charge(order)
    assert partner.state[MAILS].next_n == 0
    partner.change_account(wallet_cents=10_000)
    partner.charge(order)
    assert [(mail.to, mail.kind) for mail in partner.state[MAILS]] == [
        ("bo@example.com", "claim_link"),
        ("cy@example.com", "claim_link"),
    ]


def test_the_oldest_mails_are_dropped() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        for i in range(10_005):
            record_mail(partner.state, f"{i}@example.com", "note", "Hello")
    assert oldest_slot(partner.state) == 5
    assert [mail.to for mail in partner.state[MAILS]][:1] == ["5@example.com"]
