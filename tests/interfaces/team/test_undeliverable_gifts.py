"""Gifts that cannot arrive, because their link expires or production refuses them: their status and their money."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.responses import status_and_code
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve_and_reload,
    create_gift,
    move_parcels,
    recipient_statuses,
    reject,
    reload,
)
from tests.support.team.payments import balance_cents

REFUND = {"gifts.refund_undeliverable": True}
ENDS = ("expired", "rejected", "delivered")
in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)


def ended(team: TeamClients, ends: list[str]) -> Any:
    """A paid gift whose recipients came to these ends: those who did not claim expire."""
    gift = approve_and_reload(team, create_gift(team.live, len(ends)))
    for place, end in enumerate(ends):
        if end in ("rejected", "delivered"):
            move_parcels(team.world, gift, end, recipient=place)
    team.world.advance("31d")
    return reload(team.live, gift)


def test_rejected_is_what_a_person_refused_and_nothing_else(team: TeamClients) -> None:
    refused = create_gift(team.live)
    reject(team.world, refused)
    refused = reload(team.live, refused)
    assert (refused["status"], recipient_statuses(refused)) == ("rejected", ["rejected"])
    made = ended(team, ["rejected", "delivered"])
    assert (made["status"], recipient_statuses(made)) == ("delivered", ["canceled", "delivered"])


def test_what_cannot_arrive_keeps_its_money_and_an_expired_link_can_be_sent_again(team: TeamClients) -> None:
    before = balance_cents(team.live)
    gift = ended(team, ["expired", "rejected"])
    assert (gift["status"], recipient_statuses(gift)) == ("expired", ["expired", "canceled"])
    assert (balance_cents(team.live), gift["payment_status"]) == (before - 2 * EACH_CENTS, "paid")
    team.world.simulate("claim_link", gift_id=gift["id"], recipient=0)
    assert recipient_statuses(reload(team.live, gift)) == ["sent", "canceled"]


def test_with_the_setting_it_is_canceled_and_refunded(team: TeamClients) -> None:
    team.world.change_settings(**REFUND)
    before = balance_cents(team.live)
    gift = ended(team, ["expired", "rejected"])
    assert (gift["status"], recipient_statuses(gift)) == ("canceled", ["canceled", "canceled"])
    assert (balance_cents(team.live), gift["payment_status"]) == (before, "refunded")
    for verb in ("claim_link", "claim"):
        body = {"gift_id": gift["id"], "recipient": 0}
        answer = team.world.control.post(f"/worlds/{team.world.id}/simulate/{verb}", body)
        assert status_and_code(answer) == (410, "claim_canceled")


@in_one_world
@given(ends=st.lists(st.sampled_from(ENDS), min_size=1, max_size=4), refunds=st.booleans())
def test_what_cannot_arrive_is_refunded_to_the_cent(team: TeamClients, ends: list[str], refunds: bool) -> None:
    team.world.change_settings(**{"gifts.refund_undeliverable": refunds})
    team.world.simulate("team", balance_cents=10 * EACH_CENTS)
    before = balance_cents(team.live)
    ended(team, ends)
    back = ends.count("expired") + ends.count("rejected") if refunds else 0
    assert balance_cents(team.live) == before - (len(ends) - back) * EACH_CENTS
