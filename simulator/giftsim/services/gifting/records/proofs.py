"""Proofs as JSON, with what each of them waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from giftsim.engine.control.pagination import Rows, page_of_records
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.products import CUSTOM_ARTWORK, PRODUCTS
from giftsim.services.gifting.domain.team.design.artwork import ARTWORK
from giftsim.services.gifting.domain.team.design.proof import (
    AWAITING,
    CHANGES_REQUESTED,
    IN_REVIEW,
    READY_TO_SIGN,
    Proof,
    Version,
    closed_by,
    needs_proof,
    open_proof,
    proof_of,
    review_proof,
    sign_proof,
    sign_sandbox_proof,
)
from giftsim.services.gifting.domain.team.member import MEMBERS, Member, default_approver
from giftsim.services.gifting.domain.team.orders.team_order import ORDER_ITEMS, OrderItem
from giftsim.services.gifting.domain.team.tenant import Id, all_owners, is_live, tenant_of_owner
from giftsim.services.gifting.records.gifting_kinds import PROOF, team_and_mode, team_id
from giftsim.services.gifting.records.named import named_approver, require_record
from giftsim.services.gifting.records.record_errors import ProofNotFound
from giftsim.services.gifting.records.searches import PROOF_SEARCH

# What an open proof in each status waits for. A signed one waits for nothing.
_WAITS_FOR: Final[Mapping[str, str]] = {
    AWAITING: "a first version: a key of the team calls POST /proofs/{id}/versions with its artwork",
    IN_REVIEW: "a review: simulate/proof with decision approve or request_changes, or POST /proofs/{id}/review",
    CHANGES_REQUESTED: "a new version: a key of the team calls POST /proofs/{id}/versions",
    READY_TO_SIGN: "a signature: simulate/proof with decision sign, or POST /proofs/{id}/sign of an approver",
}


def proof_view(state: State, item: OrderItem, proof: Proof) -> dict[str, Any]:
    """A proof, which has the id of its order item, with its versions, the newest first."""
    numbered = list(enumerate(proof.versions, start=1))
    review = proof.review
    waits_for = None if closed_by(state, item) else _WAITS_FOR.get(proof.status)
    return {
        "seq": item.n + 1,
        "proof_id": item.id,
        **team_and_mode(state, item),
        "about": PROOF.ref(state, item),
        "item": item.name,
        "product_id": state[PRODUCTS].get(item.product).id,
        "quantity": item.quantity,
        "status": proof.status,
        "waits_for": None if waits_for is None else waits_for.replace("{id}", str(item.id)),
        "current_version": proof.current,
        "versions": [_version(state, number, each) for number, each in reversed(numbered)],
        "review": review
        and {
            "decision": review.decision,
            "note": review.note,
            "reviewed_at": format_instant(review.reviewed_ms),
        },
        "signed_at": instant_or_null(proof.signed_ms),
        "signed_by": None if proof.signer is None else state[MEMBERS].get(proof.signer).user,
        "created_at": format_instant(item.created_ms),
    }


def _version(state: State, number: int, version: Version) -> dict[str, Any]:
    artwork = state[ARTWORK].get(version.artwork)
    return {
        "version": number,
        "artwork_id": artwork.id,
        "artwork": artwork.name,
        "artwork_url": artwork.url,
        "notes": version.notes,
        "created_at": format_instant(version.created_ms),
    }


SIGN = "sign"


def list_proofs(call: Call) -> Response:
    """List the proofs of all order items with custom artwork, numbered by their items."""
    with current_state(call.world) as state:
        slots = item_slots(state)
        numbers = frozenset(slots)
        items = state[ORDER_ITEMS]
        rows = Rows(
            slots[-1] + 1 if slots else 0, lambda number: items.get(number - 1) if number - 1 in numbers else None
        )
        return page_of_records(
            call, state, PROOF_SEARCH, rows, lambda item: proof_view(state, item, proof_of(state, item))
        )


def get_proof(call: Call) -> Response:
    """The proof of one order item."""
    with current_state(call.world) as state:
        item = _item(state, call.params["id"])
        return Response(200, proof_view(state, item, proof_of(state, item)))


def simulate_proof(call: Call) -> Response:
    """Approve, refuse or sign the current version of a proof. Signing approves it first if nobody has."""
    body, decision = call.body, call.body["decision"]
    with change_state(call) as state:
        item = _item(state, body["proof_id"])
        proof = open_proof(state, item)
        if proof.status == AWAITING:
            raise InvalidState(
                f"proof {item.id} has no version yet: a key of its team adds one by POST /proofs/{item.id}/versions"
            )
        if decision != SIGN:
            proof = review_proof(state, item, decision, body.get("note"))
        else:
            proof = _sign(state, item, proof, body.get("user"))
        return Response(200, proof_view(state, item, proof))


def item_slots(state: State) -> Sequence[int]:
    """The slots of all order items that need a proof, in order of creation."""
    products = [product.n for product in state[PRODUCTS] if product.personalization == CUSTOM_ARTWORK]
    items = state[ORDER_ITEMS]
    return sorted(
        slot for owner in all_owners(state) for n in products for slot in items.slots_in("product", f"{owner} {n}")
    )


def _sign(state: State, item: OrderItem, proof: Proof, user: str | None) -> Proof:
    if proof.status == IN_REVIEW:
        proof = review_proof(state, item, "approve", None)
    if not is_live(item):
        return sign_sandbox_proof(state, item)
    return sign_proof(state, item, proof.current or 0, _signer(state, item, user))


def _signer(state: State, item: OrderItem, user: str | None) -> Member:
    """The member of the item's team who signs. InvalidState for a member who may not."""
    if user is not None:
        return named_approver(state, item, user)
    member = default_approver(state, tenant_of_owner(state, item.owner).team)
    if member is None:
        raise InvalidState(f"team {team_id(state, item.owner)} has no approver who could sign")
    return member


def _item(state: State, proof_id: Id) -> OrderItem:
    item = require_record(state, PROOF, proof_id)
    if not needs_proof(state, item):
        raise ProofNotFound(f"the order item {item.id} has no custom artwork, so it needs no proof")
    return item
