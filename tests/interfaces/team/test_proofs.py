"""Proofs: one for every order item of custom artwork, from its first version to the signature of a human."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.proofing import APPROVE, CHANGES, first, order, proofs, review, sign, signed, submit
from tests.interfaces.team.scene import SCOPES, Team, fields, refused, well
from tests.interfaces.team.workshop import NOBODY, artwork


@pytest.fixture
def mixed(new_world: Callable[..., World]) -> Team:
    """A team whose catalogue has a collection of both kinds of items."""
    kit = {"id": 899, "slug": "mixed-kit", "name": "Mixed", "items": ["pen-01", "bmug-01", "mug-01", "bnot-01"]}
    return Team(new_world(fixture={"extends": "empty", "collections": [kit]}))


@claims("T-4.56")
def test_every_item_of_custom_artwork_has_a_proof_in_the_order_of_the_items(team: Team) -> None:
    made = order(team.live)
    found = proofs(team.live, made)
    assert [proof["order_item_id"] for proof in found] == [item["id"] for item in made["items"]]
    assert [item["proof_status"] for item in made["items"]] == ["awaiting_version"] * len(found)
    assert found[0] == {
        "id": made["items"][0]["id"], "order_item_id": made["items"][0]["id"], "campaign_id": made["id"],
        "status": "awaiting_version", "current_version": None, "versions": [], "review": None, "signed_version": None,
        "signed_at": None, "livemode": True, "created_at": made["created_at"],
    }  # fmt: skip


def test_items_without_custom_artwork_have_none(mixed: Team) -> None:
    made = order(mixed.live, "mixed-kit")
    assert [item["proof_status"] for item in made["items"]] == [None, "awaiting_version", None, "awaiting_version"]
    assert [proof["id"] for proof in proofs(mixed.live, made)] == [made["items"][place]["id"] for place in (1, 3)]


def test_an_item_that_needs_no_proof_gets_none(team: Team) -> None:
    plain = order(team.live, "welcome-kit")
    assert proofs(team.live, plain) == []
    assert {item["proof_status"] for item in plain["items"]} == {None}
    item = plain["items"][0]["id"]
    refused(team.live.post(f"/proofs/{item}/versions", {"artwork_id": artwork(team.live)["id"]}), 404, "not_found")
    refused(team.live.post(f"/proofs/{item}/review", APPROVE), 404, "not_found")
    refused(sign(team.approver, item), 404, "not_found")


@claims("T-4.153", "T-4.156", "T-4.159")
def test_a_proof_goes_from_version_to_review_to_signature(team: Team) -> None:
    made = order(team.live)
    item = first(team.live, made)["id"]
    logo = artwork(team.live)["id"]
    shown = submit(team.live, item, artwork_id=logo, notes="Logo in white")
    at = team.world.now
    assert shown["versions"] == [{"version": 1, "artwork_id": logo, "notes": "Logo in white", "created_at": at}]
    assert (shown["status"], shown["current_version"], shown["review"]) == ("in_review", 1, None)
    team.world.advance("1h")
    approved = review(team.live, item, {**APPROVE, "note": "Good"})
    assert approved["review"] == {"decision": "approve", "note": "Good", "reviewed_at": team.world.now}
    assert (approved["status"], approved["signed_version"]) == ("ready_to_sign", None)
    team.world.advance("1h")
    done = well(sign(team.approver, item), 200).json()
    assert done == {**approved, "status": "signed", "signed_version": 1, "signed_at": team.world.now}
    assert first(team.live, made) == done
    assert [proof["status"] for proof in proofs(team.live, made)[1:]] == ["awaiting_version"] * (len(made["items"]) - 1)
    assert team.live.got(f"/team-orders/{made['id']}")["items"][0]["proof_status"] == "signed"


@claims("T-4.156")
def test_requested_changes_ask_for_another_version(team: Team) -> None:
    item = first(team.live, order(team.live))["id"]
    submit(team.live, item)
    sent_back = review(team.live, item, CHANGES)
    assert (sent_back["status"], sent_back["review"]["note"]) == ("changes_requested", "Larger, please")
    refused(sign(team.approver, item), 409, "invalid_state")
    refused(team.live.post(f"/proofs/{item}/review", APPROVE), 409, "invalid_state")
    again = submit(team.live, item)
    assert (again["status"], again["current_version"], again["review"]) == ("in_review", 2, None)
    assert [version["version"] for version in again["versions"]] == [2, 1]


@claims("T-4.153", "T-4.159")
def test_a_new_version_voids_the_signature_and_the_old_one_cannot_be_signed(team: Team) -> None:
    made = order(team.live)
    item = first(team.live, made)["id"]
    signed(team, made)
    voided = submit(team.live, item)
    assert [voided[name] for name in ("status", "current_version", "signed_version", "signed_at", "review")] == [
        "in_review", 2, None, None, None,
    ]  # fmt: skip
    review(team.live, item)
    for stale in (1, 3):
        refused(sign(team.approver, item, stale), 409, "proof_version_stale")
    assert first(team.live, made)["status"] == "ready_to_sign"
    assert well(sign(team.approver, item, 2), 200).json()["signed_version"] == 2


def test_only_what_is_ready_is_signed_and_only_what_is_in_review_is_reviewed(team: Team) -> None:
    made = order(team.live)
    item = first(team.live, made)["id"]
    refused(sign(team.approver, item), 409, "invalid_state")
    refused(team.live.post(f"/proofs/{item}/review", APPROVE), 409, "invalid_state")
    submit(team.live, item)
    refused(sign(team.approver, item), 409, "invalid_state")
    signed(team, made)
    for answer in (sign(team.approver, item, 2), team.live.post(f"/proofs/{item}/review", CHANGES)):
        refused(answer, 409, "invalid_state")
    assert first(team.live, made)["status"] == "signed"


@claims("T-4.161")
def test_a_signature_takes_an_approvers_or_the_owners_session_and_never_a_key(team: Team) -> None:
    made = order(team.live)
    for proof, face in zip(proofs(team.live, made), (team.approver, team.owner), strict=False):
        item = proof["id"]
        submit(team.live, item)
        review(team.live, item)
        for key in (team.live, team.requester, team.test, team.key(*SCOPES)):
            refused(sign(key, item), 403, "session_required")
        refused(sign(team.member, item), 403, "insufficient_role")
        refused(sign(team.nobody, item), 401, "missing_session")
        refused(sign(team.other_owner, item), 404, "not_found")
        assert next(each for each in proofs(team.live, made) if each["id"] == item)["status"] == "ready_to_sign"
        assert well(sign(face, item), 200).json()["status"] == "signed"


@claims("T-4.217")
def test_ids_of_orders_and_of_items_are_not_mixed_up(team: Team) -> None:
    made = order(team.live)
    item, campaign = first(team.live, made)["id"], made["campaign_id"]
    assert campaign == made["id"]
    refused(team.live.get(f"/team-orders/{item}/proofs"), 404, "not_found")
    version = {"artwork_id": artwork(team.live)["id"]}
    refused(team.live.post(f"/proofs/{campaign}/versions", version), 404, "not_found")
    refused(team.live.post(f"/proofs/{campaign}/review", APPROVE), 404, "not_found")
    refused(sign(team.approver, campaign), 404, "not_found")
    for unknown in (1, "abc", NOBODY):
        refused(team.live.post(f"/proofs/{unknown}/versions", version), 404, "not_found")
        refused(team.live.get(f"/team-orders/{unknown}/proofs"), 404, "not_found")


@claims("T-4.155", "T-4.158", "T-4.160")
def test_each_step_is_made_once_per_idempotency_key(team: Team) -> None:
    made = order(team.live)
    item = first(team.live, made)["id"]
    version = {"artwork_id": artwork(team.live)["id"]}
    for face, path, body, status in (
        (team.live, f"/proofs/{item}/versions", version, 201),
        (team.live, f"/proofs/{item}/review", APPROVE, 200),
        (team.approver, f"/proofs/{item}/sign", {"version": 1}, 200),
    ):
        before = first(team.live, made)
        refused(face.post(path, body, Idempotency_Key=None), 400, "idempotency_key_required")
        assert first(team.live, made) == before
        done = well(face.post(path, body, Idempotency_Key=path), status)
        assert well(face.post(path, body, Idempotency_Key=path), status).body == done.body
    assert first(team.live, made)["current_version"] == 1


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
def test_what_is_wrong_with_a_step_is_named(team: Team, step: str, body: dict[str, Any], field: str) -> None:
    made = order(team.live)
    item = first(team.live, made)["id"]
    submit(team.live, item)
    before = proofs(team.live, made)
    face = team.approver if step == "sign" else team.live
    (named,) = fields(face.post(f"/proofs/{item}/{step}", body))
    assert named in (field, *(name for name in ("artwork_id", "decision") if field == "body"))
    assert proofs(team.live, made) == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("GET", "/team-orders/{order}/proofs", None, marks=claims("T-4.57")),
        pytest.param("POST", "/proofs/{item}/versions", {"artwork_id": 50_001}, marks=claims("T-4.154")),
        pytest.param("POST", "/proofs/{item}/review", APPROVE, marks=claims("T-4.157")),
    ],
)
def test_each_step_takes_its_own_scope(team: Team, method: str, path: str, body: Any) -> None:
    made = order(team.live)
    submit(team.live, first(team.live, made)["id"])
    path = path.format(order=made["id"], item=made["items"][0]["id"])
    scope = "orders:read" if method == "GET" else "artwork:write"
    before = proofs(team.live, made)
    others = team.key(*(name for name in SCOPES if name != scope))
    assert scope in refused(others.call(method, path, body), 403, "insufficient_scope")["message"]
    assert proofs(team.live, made) == before
    assert team.key(scope).call(method, path, body).status in (200, 201)


def test_proofs_belong_to_one_team_and_mode(team: Team) -> None:
    live, test = order(team.live), order(team.test)
    proof = first(team.test, test)
    assert (proof["livemode"], isinstance(proof["id"], str), proof["campaign_id"]) == (False, True, test["id"])
    assert submit(team.test, proof["id"])["status"] == "in_review"
    for face in (team.other, team.test_second, team.test):
        refused(face.get(f"/team-orders/{live['id']}/proofs"), 404, "not_found")
        refused(face.post(f"/proofs/{live['items'][0]['id']}/review", APPROVE), 404, "not_found")
    refused(team.live.get(f"/team-orders/{test['id']}/proofs"), 404, "not_found")


def test_proofs_stay_as_they_are_once_their_order_is_canceled(team: Team) -> None:
    made = order(team.live)
    item = first(team.live, made)["id"]
    well(team.live.post(f"/team-orders/{made['id']}/cancel", {}), 200)
    refused(
        team.live.post(f"/proofs/{item}/versions", {"artwork_id": artwork(team.live)["id"]}), 409, "invalid_state"
    )  # fmt: skip
    assert first(team.live, made)["versions"] == []


@claims("T-5.23")
def test_an_order_is_paid_only_with_every_present_version_signed(team: Team) -> None:
    made = order(team.live)
    last = proofs(team.live, made)[-1]["id"]

    def approved() -> tuple[str, str]:
        team.world.simulate("approval", team_order_id=made["id"], decision="approve")
        shown = team.live.got(f"/team-orders/{made['id']}")
        return shown["status"], shown["payment_status"]

    assert approved() == ("approved", "unpaid")
    signed(team, made)
    submit(team.live, last)
    review(team.live, last)
    assert approved() == ("approved", "unpaid")
    well(sign(team.approver, last, 2), 200)
    assert approved() == ("approved", "paid")
    refused(
        team.live.post(f"/proofs/{last}/versions", {"artwork_id": artwork(team.live)["id"]}), 409, "invalid_state"
    )  # fmt: skip
    assert {proof["status"] for proof in proofs(team.live, made)} == {"signed"}


@claims("T-5.23")
def test_no_key_pays_for_what_is_not_signed(team: Team) -> None:
    limits = {"per_request_cents": 10_000_000, "monthly_cents": 10_000_000}
    payer = team.key(*SCOPES, pay_limits=limits)
    for collection, status in (("branded-kit", 422), ("welcome-kit", 201)):
        body = {"collection": collection, "headcount": 2, "payment_method": "net_terms"}
        answer = well(payer.post("/team-orders", body), status)
        assert status == 201 or answer.json()["error"]["code"] == "proof_not_signed"
    assert [made["collection"] for made in team.live.listed("/team-orders")] == ["welcome-kit"]
