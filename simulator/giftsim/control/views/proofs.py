"""Proofs as JSON, with what each of them waits for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from giftsim.domain.fulfilment.products import PRODUCTS
from giftsim.domain.team.campaigns import campaign
from giftsim.domain.team.campaigns.campaign import CAMPAIGNS
from giftsim.domain.team.design.artwork import ARTWORK
from giftsim.domain.team.design.proof import (
    AWAITING,
    CHANGES_REQUESTED,
    IN_REVIEW,
    READY_TO_SIGN,
    Proof,
    Version,
)
from giftsim.domain.team.member import MEMBERS
from giftsim.domain.team.orders.team_order import TEAM_ORDERS, OrderItem
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import is_live, tenant_of_owner
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State

# What takes a proof on from each status; a signed one waits for nothing.
_WAITS_FOR: Final[Mapping[str, str]] = MappingProxyType(
    {
        AWAITING: "a first version: a key of the team calls POST /proofs/{id}/versions with its artwork",
        IN_REVIEW: "a review: simulate/proof with decision approve or request_changes, or POST /proofs/{id}/review",
        CHANGES_REQUESTED: "a new version: a key of the team calls POST /proofs/{id}/versions",
        READY_TO_SIGN: "a signature: simulate/proof with decision sign, or POST /proofs/{id}/sign of an approver",
    }
)


def proof_view(state: State, item: OrderItem, proof: Proof) -> dict[str, Any]:
    """A proof, which has the id of its order item, with its versions, the newest first."""
    numbered = list(enumerate(proof.versions, start=1))
    review = proof.review
    waits_for = _WAITS_FOR.get(proof.status)
    return {
        "seq": item.n + 1,
        "proof_id": item.id,
        "team_id": state[TEAMS].get(tenant_of_owner(state, item.owner).team).id,
        "livemode": is_live(item),
        "about": _about(state, item),
        "item": item.name,
        "product_id": state[PRODUCTS].get(item.product).id,
        "quantity": item.quantity,
        "status": proof.status,
        "waits_for": None if waits_for is None else waits_for.replace("{id}", str(item.id)),
        "current_version": proof.current,
        "versions": [_version(state, number, each) for number, each in reversed(numbered)],
        "review": review and {
            "decision": review.decision, "note": review.note, "reviewed_at": format_instant(review.reviewed_ms),
        },
        "signed_at": instant_or_null(proof.signed_ms),
        "signed_by": None if proof.signer is None else state[MEMBERS].get(proof.signer).user,
        "created_at": format_instant(item.created_ms),
    }  # fmt: skip


def _about(state: State, item: OrderItem) -> dict[str, Any]:
    if item.resource_type == campaign.RESOURCE:
        return {"kind": "campaign", "id": state[CAMPAIGNS].get(item.order).id}
    return {"kind": "team_order", "id": state[TEAM_ORDERS].get(item.order).id}


def _version(state: State, number: int, version: Version) -> dict[str, Any]:
    artwork = state[ARTWORK].get(version.artwork)
    return {
        "version": number, "artwork_id": artwork.id, "artwork": artwork.name, "artwork_url": artwork.url,
        "notes": version.notes, "created_at": format_instant(version.created_ms),
    }  # fmt: skip
