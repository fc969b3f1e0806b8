"""Claim links: one for each recipient, shown only when asked for, good from payment to the very second they expire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import later
from tests.support.orders import address_recipients, claim_tokens, email_recipients, order_body
from tests.support.partner.catalogue import MUG_CENTS
from tests.support.partner.orders import order_id, refused_order, shipment_statuses
from tests.support.responses import created, error_code
from tests.support.worlds import World


def links(order: Any) -> list[str]:
    return [row["claim"]["link"] for row in order["recipients"] if "link" in row["claim"]]


def opened(world: World, token: str) -> int:
    """The status of the claim page."""
    return world.client.call("GET", f"/claim/{world.id}/{token}").status


@shows("P-1.4")
def test_every_recipient_has_a_link_of_its_own(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(3), return_claim_links=True))
    assert len(set(links(order))) == 3
    assert all(link.startswith(f"http://giftsim.example/claim/{world.id}/") for link in links(order))
    assert world.claim(claim_tokens(order)[1]).status == 200
    assert shipment_statuses(partner, order) == ["awaiting", "submitted", "awaiting"]
    assert [opened(world, token) for token in claim_tokens(order)] == [200, 410, 200]
    assert [mail["links"] for mail in world.mail()] == [[link] for link in links(order)]


@shows("P-2.15", "P-1.8")
@pytest.mark.parametrize(("asked", "count"), [(True, 2), (False, 0), (None, 0)])
def test_links_are_in_the_create_answer_only_when_asked_for(
    partner: PartnerClient, asked: bool | None, count: int
) -> None:
    answer = partner.create_order(recipients=email_recipients(2), open_seats=1, return_claim_links=asked)
    assert len(links(created(answer))) == count
    assert ("shared_claim_link" in answer.json()["team_order"]) is bool(count)
    assert ("/claim/" in answer.text) is bool(count)


@shows("P-1.8")
def test_links_stand_in_no_answer_that_did_not_ask_for_them(world: World, partner: PartnerClient) -> None:
    endpoint = partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.needs_attention")
    first = created(
        partner.create_order(
            recipients=email_recipients(3), open_seats=1, return_claim_links=True, claim_expiry_days=10
        )
    )
    shared = first["team_order"]["shared_claim_link"].rsplit("/", 1)[1]
    secrets, path = [*claim_tokens(first), shared], f"/team-orders/{order_id(first)}"
    world.claim(claim_tokens(first)[0])
    answers = [partner.post(f"{path}/cancel", {"recipient_ids": [first["recipients"][1]["recipient_id"]]})]
    world.advance("11d")
    answers += [partner.get(f"{path}{query}") for query in ("", "?include=", "?include=recipients", "/manifest.csv")]
    answers += [partner.get("/team-orders"), partner.create_order(name="another body"), partner.get("/webhooks")]
    answers += [partner.get(f"/webhooks/{endpoint['endpoint']['id']}")]
    texts = [answer.text for answer in answers] + [delivery["request"]["body"] for delivery in world.deliveries()]
    assert len(world.deliveries()) >= 3
    assert [(token, text) for token in secrets for text in texts if token in text or "/claim/" in text] == []
    asked = partner.get(f"{path}?include=claim_links").text
    assert [token for token in secrets if token not in asked] == []


@shows("P-1.8")
def test_a_refused_charge_shows_no_links(world: World) -> None:
    partner = world.partner("partner.no_funds")
    answer = partner.create_order(return_claim_links=True)
    assert error_code(answer, 402) == "insufficient_funds_no_card"
    assert "/claim/" not in answer.text
    assert world.mail() == []


@shows("P-2.10")
def test_links_expire_after_the_days_that_the_order_says(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2), claim_expiry_days=10, return_claim_links=True))
    end = later(world.now, "10d")
    assert order["team_order"]["claim_expires_at"] == end
    assert [row["claim"]["expires_at"] for row in order["recipients"]] == [end, end]
    first, second = claim_tokens(order)
    world.advance(to=later(end, "-1s"))
    assert opened(world, second) == 200
    assert world.claim(first).status == 200
    world.advance("1s")
    assert (opened(world, second), world.claim(second).status) == (410, 410)
    assert shipment_statuses(partner, order) == ["submitted", "expired"]
    detail = partner.read_order(order_id(order))["recipients"]
    assert [row["claim"] for row in detail] == [
        {"status": "submitted", "expires_at": end}, {"status": "expired", "expires_at": end},
    ]  # fmt: skip


@shows("P-2.10")
@pytest.mark.parametrize("after", ["1ms", "250ms", "999ms"])
def test_the_second_that_is_printed_is_the_second_that_counts(world: World, partner: PartnerClient, after: str) -> None:
    world.advance(after)
    order = created(partner.create_order(recipients=email_recipients(2), claim_expiry_days=1, return_claim_links=True))
    first, second = claim_tokens(order)
    end = order["team_order"]["claim_expires_at"]
    assert end == later(world.now, "1d")
    world.advance(to=later(end, "-1s"))
    assert (opened(world, first), world.claim(first).status) == (200, 200)
    world.advance(to=end)
    assert (opened(world, second), world.claim(second).status) == (410, 410)
    assert shipment_statuses(partner, order) == ["submitted", "expired"]


def test_a_link_sent_again_expires_at_the_printed_second_too(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order())
    world.advance("250ms")
    world.simulate("claim_link", team_order_id=order_id(order), recipient=0, resend=True, expiry_days=2)
    end = partner.read_order(order_id(order))["recipients"][0]["claim"]["expires_at"]
    assert end == later(world.now, "2d")
    world.advance(to=end)
    assert shipment_statuses(partner, order) == ["expired"]


@shows("P-2.10")
@pytest.mark.parametrize("days", [1, 365])
def test_links_may_live_from_a_day_to_a_year(world: World, partner: PartnerClient, days: int) -> None:
    order = created(partner.create_order(claim_expiry_days=days))
    assert order["team_order"]["claim_expires_at"] == later(world.now, f"{days}d")


@pytest.mark.parametrize("days", [0, 366, -1, "10", 2.5, True])
def test_other_spans_are_refused(world: World, partner: PartnerClient, days: Any) -> None:
    assert refused_order(world, partner, claim_expiry_days=days) == "invalid_body"


def test_without_a_word_links_live_thirty_days_or_what_the_setting_says(world: World, partner: PartnerClient) -> None:
    assert created(partner.create_order())["team_order"]["claim_expires_at"] == later(world.now, "30d")
    world.change_settings(partner__claim_expiry_days=7)
    assert created(partner.create_order(idempotency_key="second"))["team_order"]["claim_expires_at"] == later(
        world.now, "7d"
    )


def test_orders_with_addresses_have_nothing_to_claim(world: World, partner: PartnerClient) -> None:
    order = created(
        partner.create_order(recipients=address_recipients(1), claim_expiry_days=10, return_claim_links=True)
    )
    assert order["team_order"]["claim_expires_at"] is None
    assert order["recipients"][0]["claim"] == {"status": "submitted", "expires_at": None}
    assert partner.read_order(order_id(order), "?include=claim_links")["recipients"][0]["claim"] == {
        "status": "submitted", "expires_at": None,
    }  # fmt: skip
    assert world.mail() == []


def test_links_of_an_unpaid_order_wait_and_their_days_count_from_the_payment(world: World) -> None:
    partner = world.partner("partner.no_funds")
    body = order_body(claim_expiry_days=10)
    unpaid = partner.post("/team-orders", body).json()["team_order_id"]
    (token,) = claim_tokens(partner.read_order(unpaid, "?include=claim_links"))
    world.advance("40d")
    assert shipment_statuses(partner, {"team_order": {"id": unpaid}}) == ["awaiting"]
    with world.assert_unchanged():
        assert (opened(world, token), world.claim(token).status) == (409, 409)
    world.change_account("partner.no_funds", wallet_cents=MUG_CENTS + 800)
    order = created(partner.post("/team-orders", body))
    assert order["team_order"]["claim_expires_at"] == later(world.now, "10d")
    assert [mail["links"] for mail in world.mail()] == [[f"http://giftsim.example/claim/{world.id}/{token}"]]
    world.advance(to=later(order["team_order"]["claim_expires_at"], "-1s"))
    assert (opened(world, token), world.claim(token).status) == (200, 200)


def test_a_canceled_recipient_of_an_unpaid_order_has_nothing_to_claim(world: World) -> None:
    partner = world.partner("partner.no_funds")
    unpaid = partner.post("/team-orders", order_body()).json()["team_order_id"]
    (token,) = claim_tokens(partner.read_order(unpaid, "?include=claim_links"))
    assert partner.post(f"/team-orders/{unpaid}/cancel", {}).status == 200
    for verb in ("claim", "claim_link"):
        body = {"team_order_id": unpaid, "recipient": 0}
        response = world.control.post(f"/worlds/{world.id}/simulate/{verb}", body)
        assert error_code(response, 410) == "claim_canceled"
    assert opened(world, token) == 410


def test_a_link_sent_again_is_a_new_link_and_the_old_one_is_over(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(claim_expiry_days=10, return_claim_links=True))
    (old,) = claim_tokens(order)
    world.advance("10d")
    world.simulate("claim_link", team_order_id=order_id(order), recipient=0, resend=True, expiry_days=3)
    (new,) = claim_tokens(partner.read_order(order_id(order), "?include=claim_links"))
    assert new != old
    assert [mail["links"][0].rsplit("/", 1)[1] for mail in world.mail()] == [old, new]
    (row,) = partner.read_order(order_id(order))["recipients"]
    assert row["claim"] == {"status": "awaiting", "expires_at": later(world.now, "3d")}
    team_order = partner.read_order(order_id(order))["team_order"]
    assert (team_order["summary"]["awaiting_address"], team_order["claim_expires_at"]) == (
        1,
        row["claim"]["expires_at"],
    )
    assert (opened(world, old), world.claim(old).status) == (410, 410)
    assert world.claim(new).status == 200
    assert shipment_statuses(partner, order) == ["submitted"]


def test_a_link_may_be_sent_again_before_it_expires_with_the_orders_own_days(
    world: World, partner: PartnerClient
) -> None:
    order = created(partner.create_order(claim_expiry_days=10, return_claim_links=True))
    world.advance("4d")
    world.simulate("claim_link", team_order_id=order_id(order), recipient=0)
    assert opened(world, claim_tokens(order)[0]) == 410
    world.advance("7d")
    assert shipment_statuses(partner, order) == ["awaiting"]
    world.advance("3d")
    assert shipment_statuses(partner, order) == ["expired"]


@shows("P-2.21")
def test_the_order_s_links_expire_with_the_last_of_them(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2), claim_expiry_days=10))
    first = order["team_order"]["claim_expires_at"]
    expected = []
    for days in (3, 12, 11):
        world.simulate("claim_link", team_order_id=order_id(order), recipient=0, expiry_days=days)
        expected.append(partner.read_order(order_id(order))["team_order"]["claim_expires_at"])
    assert expected == [first, later(world.now, "12d"), later(world.now, "11d")]


@shows("P-6.1")
def test_only_a_recipient_claims_so_an_address_of_the_account_makes_no_such_event(
    world: World, partner: PartnerClient
) -> None:
    order = created(partner.create_order(recipients=email_recipients(3), claim_expiry_days=1))
    world.simulate("claim", team_order_id=order_id(order), recipient=0)
    world.advance("2d")
    world.simulate("claim", team_order_id=order_id(order), recipient=1)
    world.simulate("shipment", team_order_id=order_id(order), recipient=2, to="in_production")
    assert shipment_statuses(partner, order) == ["labeled", "submitted", "in_production"]
    kinds = [event["type"] for event in world.events()]
    assert kinds == ["team_order.claimed", *["team_order.needs_attention"] * 2]


def test_the_account_may_enter_the_address_after_the_link_has_expired(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(claim_expiry_days=1, return_claim_links=True))
    world.advance("2d")
    assert world.claim(claim_tokens(order)[0]).status == 410
    world.simulate("claim", team_order_id=order_id(order), recipient=0)
    assert shipment_statuses(partner, order) == ["submitted"]
    world.advance("1d")
    assert shipment_statuses(partner, order) == ["in_production"]


@shows("P-1.8")
def test_a_replay_gives_links_only_if_the_first_answer_did(partner: PartnerClient) -> None:
    asked, silent = order_body(return_claim_links=True), order_body(idempotency_key="second")
    assert partner.post("/team-orders", asked).body == partner.post("/team-orders", asked).body
    created(partner.post("/team-orders", silent))
    assert "/claim/" not in partner.post("/team-orders", silent).text


@shows("P-4.7", "P-1.8")
@pytest.mark.parametrize(
    ("include", "count"),
    [("claim_links", 1), ("claim_links,foo", 1), ("foo,%20claim_links", 1), ("foo", 0), ("", 0), ("claim_link", 0)],
)
def test_include_is_a_list_of_names_of_which_one_is_known(partner: PartnerClient, include: str, count: int) -> None:
    order = created(partner.create_order())
    answer = partner.get(f"/team-orders/{order['team_order']['id']}?include={include}")
    assert (answer.status, len(links(answer.json()))) == (200, count)
