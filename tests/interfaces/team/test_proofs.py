"""Proofs: one per order item with custom artwork, from the first version to a human's signature."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.artwork import create_artwork
from tests.support.team.campaigns import create_campaign, process
from tests.support.team.clients import SCOPES, TeamClients
from tests.support.team.orders import cancel, create_gift, reject
from tests.support.team.proofs import (
    APPROVE,
    CHANGES,
    add_version,
    create_branded_order,
    first_proof,
    list_proofs,
    review,
    sign,
    sign_all,
)
from tests.support.worlds import World

BRANDED, BRANDED_MUG = "branded-kit", 137


@pytest.fixture
def team_with_mixed_kit(new_world: Callable[..., World]) -> TeamClients:
    """A team whose catalogue has a collection of items with and without custom artwork."""
    kit = {"id": 899, "slug": "mixed-kit", "name": "Mixed", "items": ["pen-01", "bmug-01", "mug-01", "bnot-01"]}
    return TeamClients(new_world(fixture={"extends": "empty", "collections": [kit]}))


@shows("T-4.56")
def test_every_item_with_custom_artwork_has_a_proof_in_item_order(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    proofs = list_proofs(team.live, order)
    assert [proof["order_item_id"] for proof in proofs] == [item["id"] for item in order["items"]]
    assert [item["proof_status"] for item in order["items"]] == ["awaiting_version"] * len(proofs)
    assert proofs[0] == {
        "id": order["items"][0]["id"], "order_item_id": order["items"][0]["id"], "campaign_id": order["id"],
        "status": "awaiting_version", "current_version": None, "versions": [], "review": None, "signed_version": None,
        "signed_at": None, "livemode": True, "created_at": order["created_at"],
    }  # fmt: skip


def test_items_without_custom_artwork_have_no_proof(team_with_mixed_kit: TeamClients) -> None:
    order = create_branded_order(team_with_mixed_kit.live, "mixed-kit")
    assert [item["proof_status"] for item in order["items"]] == [None, "awaiting_version", None, "awaiting_version"]
    assert [proof["id"] for proof in list_proofs(team_with_mixed_kit.live, order)] == [
        order["items"][place]["id"] for place in (1, 3)
    ]


def test_a_version_for_an_item_without_a_proof_is_refused(team: TeamClients) -> None:
    plain = create_branded_order(team.live, "welcome-kit")
    assert list_proofs(team.live, plain) == []
    assert {item["proof_status"] for item in plain["items"]} == {None}
    item = plain["items"][0]["id"]
    expect_error(
        team.live.post(f"/proofs/{item}/versions", {"artwork_id": create_artwork(team.live)["id"]}), 404, "not_found"
    )
    expect_error(team.live.post(f"/proofs/{item}/review", APPROVE), 404, "not_found")
    expect_error(sign(team.approver, item), 404, "not_found")


@shows("T-4.153", "T-4.156", "T-4.159")
def test_a_proof_goes_from_version_to_review_to_signature(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    item = first_proof(team.live, order)["id"]
    logo = create_artwork(team.live)["id"]
    proof = add_version(team.live, item, artwork_id=logo, notes="Logo in white")
    at = team.world.now
    assert proof["versions"] == [{"version": 1, "artwork_id": logo, "notes": "Logo in white", "created_at": at}]
    assert (proof["status"], proof["current_version"], proof["review"]) == ("in_review", 1, None)
    team.world.advance("1h")
    approved = review(team.live, item, {**APPROVE, "note": "Good"})
    assert approved["review"] == {
        "decision": "approve",
        "note": "Good",
        "reviewed_at": team.world.now,
    }
    assert (approved["status"], approved["signed_version"]) == (
        "ready_to_sign",
        None,
    )
    team.world.advance("1h")
    done = expect_status(sign(team.approver, item), 200).json()
    assert done == {**approved, "status": "signed", "signed_version": 1, "signed_at": team.world.now}
    assert first_proof(team.live, order) == done
    assert [proof["status"] for proof in list_proofs(team.live, order)[1:]] == ["awaiting_version"] * (
        len(order["items"]) - 1
    )
    assert team.live.get_json(f"/team-orders/{order['id']}")["items"][0]["proof_status"] == "signed"


@shows("T-4.156")
def test_requested_changes_ask_for_another_version(team: TeamClients) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, item)
    sent_back = review(team.live, item, CHANGES)
    assert (sent_back["status"], sent_back["review"]["note"]) == ("changes_requested", "Larger, please")
    expect_error(sign(team.approver, item), 409, "invalid_state")
    expect_error(team.live.post(f"/proofs/{item}/review", APPROVE), 409, "invalid_state")
    again = add_version(team.live, item)
    assert (again["status"], again["current_version"], again["review"]) == ("in_review", 2, None)
    assert [version["version"] for version in again["versions"]] == [2, 1]


@shows("T-4.153", "T-4.159")
def test_a_new_version_voids_the_signature_and_the_old_version_cannot_be_signed(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    item = first_proof(team.live, order)["id"]
    sign_all(team, order)
    voided = add_version(team.live, item)
    assert [voided[name] for name in ("status", "current_version", "signed_version", "signed_at", "review")] == [
        "in_review", 2, None, None, None,
    ]  # fmt: skip
    review(team.live, item)
    for stale in (1, 3):
        expect_error(sign(team.approver, item, stale), 409, "proof_version_stale")
    assert first_proof(team.live, order)["status"] == "ready_to_sign"
    assert expect_status(sign(team.approver, item, 2), 200).json()["signed_version"] == 2


def test_only_ready_proofs_are_signed_and_only_those_in_review_reviewed(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    item = first_proof(team.live, order)["id"]
    expect_error(sign(team.approver, item), 409, "invalid_state")
    expect_error(team.live.post(f"/proofs/{item}/review", APPROVE), 409, "invalid_state")
    add_version(team.live, item)
    expect_error(sign(team.approver, item), 409, "invalid_state")
    sign_all(team, order)
    for response in (sign(team.approver, item, 2), team.live.post(f"/proofs/{item}/review", CHANGES)):
        expect_error(response, 409, "invalid_state")
    assert first_proof(team.live, order)["status"] == "signed"


@shows("T-4.161")
def test_signing_needs_the_session_of_an_approver_or_the_owner(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    for proof, client in zip(list_proofs(team.live, order), (team.approver, team.owner), strict=False):
        item = proof["id"]
        add_version(team.live, item)
        review(team.live, item)
        for key in (team.live, team.requester, team.test, team.key(*SCOPES)):
            expect_error(sign(key, item), 403, "session_required")
        expect_error(sign(team.member, item), 403, "insufficient_role")
        expect_error(sign(team.anonymous, item), 401, "missing_session")
        expect_error(sign(team.other_owner, item), 404, "not_found")
        assert next(each for each in list_proofs(team.live, order) if each["id"] == item)["status"] == "ready_to_sign"
        assert expect_status(sign(client, item), 200).json()["status"] == "signed"


@shows("T-4.217")
def test_an_order_id_is_not_accepted_as_an_item_id(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    item, campaign = first_proof(team.live, order)["id"], order["campaign_id"]
    assert campaign == order["id"]
    expect_error(team.live.get(f"/team-orders/{item}/proofs"), 404, "not_found")
    version = {"artwork_id": create_artwork(team.live)["id"]}
    expect_error(team.live.post(f"/proofs/{campaign}/versions", version), 404, "not_found")
    expect_error(team.live.post(f"/proofs/{campaign}/review", APPROVE), 404, "not_found")
    expect_error(sign(team.approver, campaign), 404, "not_found")
    for unknown in (1, "abc", UNKNOWN_ID):
        expect_error(team.live.post(f"/proofs/{unknown}/versions", version), 404, "not_found")
        expect_error(team.live.get(f"/team-orders/{unknown}/proofs"), 404, "not_found")


@shows("T-4.155", "T-4.158", "T-4.160")
def test_one_idempotency_key_makes_one_step(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    item = first_proof(team.live, order)["id"]
    version = {"artwork_id": create_artwork(team.live)["id"]}
    for client, path, body, status in (
        (team.live, f"/proofs/{item}/versions", version, 201),
        (team.live, f"/proofs/{item}/review", APPROVE, 200),
        (team.approver, f"/proofs/{item}/sign", {"version": 1}, 200),
    ):
        before = first_proof(team.live, order)
        expect_error(client.post(path, body, Idempotency_Key=None), 400, "idempotency_key_required")
        assert first_proof(team.live, order) == before
        done = expect_status(client.post(path, body, Idempotency_Key=path), status)
        assert expect_status(client.post(path, body, Idempotency_Key=path), status).body == done.body
    assert first_proof(team.live, order)["current_version"] == 1


@pytest.mark.parametrize(
    ("step", "body", "field"),
    [
        ("versions", {}, "body"),
        ("versions", {"artwork_id": 50_999}, "artwork_id"),
        ("versions", {"artwork_id": "50001"}, "artwork_id"),
        ("versions", {"artwork_id": 50_001, "notes": 1}, "notes"),
        ("review", {"decision": "reject"}, "decision"),
        ("review", {"note": "Good"}, "body"),
        ("sign", {"version": "1"}, "version"),
        ("sign", {"version": 0}, "version"),
    ],
)
def test_an_invalid_step_is_refused_by_field(team: TeamClients, step: str, body: dict[str, Any], field: str) -> None:
    order = create_branded_order(team.live)
    item = first_proof(team.live, order)["id"]
    add_version(team.live, item)
    before = list_proofs(team.live, order)
    client = team.approver if step == "sign" else team.live
    (named,) = invalid_fields(client.post(f"/proofs/{item}/{step}", body))
    assert named in (field, *(name for name in ("artwork_id", "decision") if field == "body"))
    assert list_proofs(team.live, order) == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("GET", "/team-orders/{order}/proofs", None, marks=shows("T-4.57")),
        pytest.param("POST", "/proofs/{item}/versions", {"artwork_id": 50_001}, marks=shows("T-4.154")),
        pytest.param("POST", "/proofs/{item}/review", APPROVE, marks=shows("T-4.157")),
    ],
)
def test_each_step_needs_its_own_scope(team: TeamClients, method: str, path: str, body: Any) -> None:
    order = create_branded_order(team.live)
    add_version(team.live, first_proof(team.live, order)["id"])
    path = path.format(order=order["id"], item=order["items"][0]["id"])
    scope = "orders:read" if method == "GET" else "artwork:write"
    before = list_proofs(team.live, order)
    others = team.key(*(name for name in SCOPES if name != scope))
    assert scope in expect_error(others.call(method, path, body), 403, "insufficient_scope")["message"]
    assert list_proofs(team.live, order) == before
    assert team.key(scope).call(method, path, body).status in (200, 201)


def test_proofs_belong_to_one_team_and_mode(team: TeamClients) -> None:
    live, test = create_branded_order(team.live), create_branded_order(team.test)
    proof = first_proof(team.test, test)
    assert (proof["livemode"], isinstance(proof["id"], str), proof["campaign_id"]) == (False, True, test["id"])
    assert add_version(team.test, proof["id"])["status"] == "in_review"
    for client in (team.other, team.test_second, team.test):
        expect_error(client.get(f"/team-orders/{live['id']}/proofs"), 404, "not_found")
        expect_error(client.post(f"/proofs/{live['items'][0]['id']}/review", APPROVE), 404, "not_found")
    expect_error(team.live.get(f"/team-orders/{test['id']}/proofs"), 404, "not_found")


@pytest.mark.parametrize("end", ["cancel", "reject", "stop"])
def test_proofs_of_an_order_that_has_ended_cannot_change(team: TeamClients, end: str) -> None:
    kind = {"stop": "large campaign"}.get(end, "order")
    order = create_branded_order(team.live) if kind == "order" else create_campaign(team.live, 2, collection=BRANDED)
    new, reviewed, ready = (proof["id"] for proof in list_proofs(team.live, order)[:3])
    for item in (reviewed, ready):
        add_version(team.live, item)
    review(team.live, ready)
    version = {"artwork_id": create_artwork(team.live)["id"]}
    if end == "cancel":
        cancel(team.live, order)
    elif end == "reject":
        reject(team.world, order)
    else:
        process(team.live, order, "stop")
    before = list_proofs(team.live, order)
    answers = [team.live.post(f"/proofs/{item}/versions", version) for item in (new, reviewed, ready)]
    answers += [team.live.post(f"/proofs/{reviewed}/review", decision) for decision in (APPROVE, CHANGES)]
    answers += [sign(team.approver, ready, 1), sign(team.approver, ready, 2)]
    for answer in answers:
        message = expect_error(answer, 409, "invalid_state")["message"]
        assert re.search(r"is (canceled|rejected|stopped): its proofs cannot change", message)
    assert list_proofs(team.live, order) == before


def test_a_proof_of_a_canceled_order_lets_no_gift_through(team: TeamClients) -> None:
    order = team.live.post_json("/store/orders", {"items": [{"merchant_product_id": BRANDED_MUG, "quantity": 1}]})
    item = first_proof(team.live, order)["id"]
    add_version(team.live, item)
    review(team.live, item)
    cancel(team.live, order)
    gift = create_gift(team.live, gift={"item_slug": "bmug-01"})
    expect_error(sign(team.approver, item), 409, "invalid_state")
    answer = team.world.control.post(
        f"/worlds/{team.world.id}/simulate/approval", {"gift_id": gift["id"], "decision": "approve"}
    )
    expect_error(answer, 422, "proof_not_signed")


def test_a_sandbox_does_not_sign_the_proof_of_a_canceled_order(team: TeamClients) -> None:
    order = create_branded_order(team.test)
    item = first_proof(team.test, order)["id"]
    add_version(team.test, item)
    review(team.test, item)
    cancel(team.test, order)
    expect_error(team.test.post("/sandbox/events", {"type": "proof.signed", "resource_id": item}), 409, "invalid_state")
    assert first_proof(team.test, order)["status"] == "ready_to_sign"


@shows("T-5.23")
def test_an_order_is_paid_only_if_every_current_version_is_signed(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    last = list_proofs(team.live, order)[-1]["id"]

    def approval_and_payment_status() -> tuple[str, str]:
        team.world.simulate("approval", team_order_id=order["id"], decision="approve")
        order_now = team.live.get_json(f"/team-orders/{order['id']}")
        return order_now["status"], order_now["payment_status"]

    assert approval_and_payment_status() == ("approved", "unpaid")
    sign_all(team, order)
    add_version(team.live, last)
    review(team.live, last)
    assert approval_and_payment_status() == ("approved", "unpaid")
    expect_status(sign(team.approver, last, 2), 200)
    assert approval_and_payment_status() == ("approved", "paid")
    version = {"artwork_id": create_artwork(team.live)["id"]}
    expect_error(team.live.post(f"/proofs/{last}/versions", version), 409, "invalid_state")
    assert {proof["status"] for proof in list_proofs(team.live, order)} == {"signed"}


@shows("T-5.23")
def test_no_key_pays_an_order_with_unsigned_proofs(team: TeamClients) -> None:
    limits = {"per_request_cents": 10_000_000, "monthly_cents": 10_000_000}
    payer = team.key(*SCOPES, pay_limits=limits)
    for collection, status in (("branded-kit", 422), ("welcome-kit", 201)):
        body = {"collection": collection, "headcount": 2, "payment_method": "net_terms"}
        response = expect_status(payer.post("/team-orders", body), status)
        assert status == 201 or response.json()["error"]["code"] == "proof_not_signed"
    assert [record["collection"] for record in team.live.list_all("/team-orders")] == ["welcome-kit"]


def test_a_new_version_of_an_approved_proof_is_reviewed_again(team: TeamClients) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, item)
    assert review(team.live, item)["status"] == "ready_to_sign"
    proof = add_version(team.live, item)
    assert (proof["status"], proof["current_version"], proof["review"]) == ("in_review", 2, None)
    expect_error(sign(team.approver, item, 2), 409, "invalid_state")
