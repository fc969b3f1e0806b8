"""Proofs are checked again before every payment: of orders, campaigns and gifts with custom artwork (G55)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.campaigns import approved_campaign, create_campaign, read_campaign, request_processing
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift, create_order, reload
from tests.support.team.payments import billing_state
from tests.support.team.proofs import add_version, first_proof, list_proofs, review, sign, sign_all

BRANDED = "branded-kit"
BMUG, BNOT = 137, 139


def create_branded_gift(team: TeamClients, **members: Any) -> Any:
    """Create a gift of the kit with custom artwork."""
    return create_gift(team.live, gift={"collection_slug": BRANDED}, **members)


def say_yes(team: TeamClients, gift: Any) -> Any:
    """Approve a gift, as a human; the response, which may be an error."""
    body = {"gift_id": gift["id"], "decision": "approve"}
    return team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", body)


@shows("T-4.56", "T-4.217")
def test_the_items_of_a_campaign_have_proofs(team: TeamClients) -> None:
    campaign = create_campaign(team.live, 2, collection=BRANDED)
    proofs = list_proofs(team.live, campaign)
    assert [item["id"] for item in campaign["items"]] == [proof["order_item_id"] for proof in proofs]
    assert {item["proof_status"] for item in campaign["items"]} == {"awaiting_version"}
    assert {proof["campaign_id"] for proof in proofs} == {campaign["id"]}
    item = proofs[0]["id"]
    assert add_version(team.live, item)["status"] == "in_review"
    assert review(team.live, item)["status"] == "ready_to_sign"
    signed = expect_status(sign(team.approver, item), 200).json()
    assert (signed["status"], signed["signed_version"], signed["campaign_id"]) == ("signed", 1, campaign["id"])
    statuses = [item["proof_status"] for item in read_campaign(team.live, campaign)["items"]]
    assert statuses == ["signed", *["awaiting_version"] * (len(proofs) - 1)]


def test_a_campaign_without_custom_artwork_has_items_and_no_proofs(team: TeamClients) -> None:
    campaign = create_campaign(team.live, 2)
    assert {item["proof_status"] for item in campaign["items"]} == {None}
    assert list_proofs(team.live, campaign) == []
    expect_error(
        team.live.post(f"/proofs/{campaign['items'][0]['id']}/review", {"decision": "approve"}), 404, "not_found"
    )


def test_the_proofs_of_a_campaign_belong_to_its_tenant(team: TeamClients) -> None:
    campaign, tested = (create_campaign(client, 2, collection=BRANDED) for client in (team.live, team.test))
    for client, record in ((team.other, campaign), (team.test, campaign), (team.live, tested)):
        expect_error(client.get(f"/team-orders/{record['id']}/proofs"), 404, "not_found")
    assert [proof["livemode"] for proof in list_proofs(team.test, tested)] == [False] * len(tested["items"])
    expect_error(team.live.get(f"/team-orders/{campaign['items'][0]['id']}/proofs"), 404, "not_found")


@shows("T-5.23")
@pytest.mark.parametrize("method", [None, "net_terms"])
def test_a_campaign_with_an_unsigned_proof_pays_nothing(team: TeamClients, method: str | None) -> None:
    members: dict[str, Any] = {"payment_method": method} if method else {}
    campaign = approved_campaign(team, 2, collection=BRANDED, **members)
    before = billing_state(team.live)
    expect_error(request_processing(team.live, campaign), 422, "proof_not_signed")
    for proof in list_proofs(team.live, campaign)[1:]:
        add_version(team.live, proof["id"])
        review(team.live, proof["id"])
        expect_status(sign(team.approver, proof["id"]), 200)
    expect_error(request_processing(team.live, campaign), 422, "proof_not_signed")
    assert (billing_state(team.live), team.world.mail()) == (before, [])
    assert read_campaign(team.live, campaign)["status"] == "approved"
    sign_all(team, campaign)
    assert expect_status(request_processing(team.live, campaign), 202).json()["status"] == "completed"
    item = list_proofs(team.live, campaign)[0]["id"]
    expect_error(
        team.live.post(f"/proofs/{item}/versions", {"artwork_id": _artwork(team, campaign)}), 409, "invalid_state"
    )


def _artwork(team: TeamClients, campaign: Any) -> Any:
    return first_proof(team.live, campaign)["versions"][0]["artwork_id"]


@shows("T-5.23")
def test_a_signature_of_a_former_version_does_not_count_for_a_campaign(team: TeamClients) -> None:
    campaign = approved_campaign(team, 2, collection=BRANDED)
    sign_all(team, campaign)
    add_version(team.live, first_proof(team.live, campaign)["id"])
    expect_error(request_processing(team.live, campaign), 422, "proof_not_signed")


@shows("T-5.23")
@pytest.mark.parametrize("kind", ["order", "campaign"])
def test_a_gift_counts_the_signed_proofs_of_its_products(team: TeamClients, kind: str) -> None:
    gift, before = create_branded_gift(team), billing_state(team.live)
    expect_error(say_yes(team, gift), 422, "proof_not_signed")
    assert (billing_state(team.live), team.world.mail(), reload(team.live, gift)) == (before, [], gift)
    record = (
        create_campaign(team.live, 2, collection=BRANDED)
        if kind == "campaign"
        else create_order(team.live, collection=BRANDED)
    )
    expect_error(say_yes(team, gift), 422, "proof_not_signed")
    sign_all(team, record)
    assert expect_status(say_yes(team, gift), 200).json()["id"] == gift["approval_id"]
    assert reload(team.live, gift)["payment_status"] == "paid"


def test_a_proof_signed_by_another_team_or_of_another_product_does_not_count(team: TeamClients) -> None:
    gift = create_gift(team.live, gift={"item_slug": "bmug-01"})
    order = team.live.post_json("/store/orders", {"items": [{"merchant_product_id": BNOT, "quantity": 1}]})
    sign_all(team, order)
    create_order(team.other, collection=BRANDED)
    expect_error(say_yes(team, gift), 422, "proof_not_signed")
    sign_all(team, team.live.post_json("/store/orders", {"items": [{"merchant_product_id": BMUG, "quantity": 1}]}))
    expect_status(say_yes(team, gift), 200)


@pytest.mark.parametrize("kind", ["gift", "order"])
def test_an_entry_of_a_menu_counts_a_signed_proof_of_its_product_too(team: TeamClients, kind: str) -> None:
    choices = [
        {"label": "Plain", "items": [{"item_slug": "mug-01", "quantity": 1}]},
        {"label": "Branded", "items": [{"item_slug": "bmug-01", "quantity": 1}]},
    ]
    if kind == "gift":
        gift = create_gift(team.live, gift_choices=choices, mode="bundle")
        expect_error(say_yes(team, gift), 422, "proof_not_signed")
        sign_all(team, create_order(team.live, collection=BRANDED))
        expect_status(say_yes(team, gift), 200)
        return
    order = create_order(team.live, gift_choices=choices, mode="bundle")
    funding = {"method": "net_terms", "campaign_id": order["id"]}
    expect_error(team.live.post("/funding", funding), 422, "proof_not_signed")
    sign_all(team, create_order(team.live, collection=BRANDED))
    expect_status(team.live.post("/funding", funding), 201)


def test_an_unsigned_proof_comes_before_a_changed_price(team: TeamClients) -> None:
    order = create_order(team.live, collection=BRANDED)
    funding = {"method": "net_terms", "campaign_id": order["id"]}
    team.world.simulate("price", product="bmug-01", price_cents=9_900)
    expect_error(team.live.post("/funding", funding), 422, "proof_not_signed")
    sign_all(team, order)
    expect_error(team.live.post("/funding", funding), 422, "price_changed")


def test_a_test_gift_moves_no_money_and_needs_no_proof(team: TeamClients) -> None:
    gift = create_gift(team.test, gift={"collection_slug": BRANDED})
    expect_status(say_yes(team, gift), 200)
    assert reload(team.test, gift)["status"] == "sent"
