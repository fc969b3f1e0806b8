"""The JSON of proofs. A proof has the id of its order item."""

from __future__ import annotations

from typing import Any

from giftsim.domain.team.campaigns import campaign
from giftsim.domain.team.campaigns.campaign import CAMPAIGNS
from giftsim.domain.team.design.artwork import ARTWORK
from giftsim.domain.team.design.proof import SIGNED, Proof, Review, Version
from giftsim.domain.team.orders.team_order import TEAM_ORDERS, OrderItem
from giftsim.domain.team.tenant import Id, Tenant
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State


def proof(state: State, tenant: Tenant, item: OrderItem, proof: Proof) -> dict[str, Any]:
    """A proof with all its versions, the newest first."""
    numbered = list(enumerate(proof.versions, start=1))
    return {
        "id": item.id,
        "order_item_id": item.id,
        "campaign_id": _owner_id(state, item),
        "status": proof.status,
        "current_version": proof.current,
        "versions": [version(state, number, each) for number, each in reversed(numbered)],
        "review": review(proof.review) if proof.review else None,
        "signed_version": proof.current if proof.status == SIGNED else None,
        "signed_at": instant_or_null(proof.signed_ms),
        "livemode": tenant.livemode,
        "created_at": format_instant(item.created_ms),
    }


def _owner_id(state: State, item: OrderItem) -> Id:
    """The id of the order or campaign that an item belongs to."""
    if item.resource_type == campaign.RESOURCE:
        return state[CAMPAIGNS].get(item.order).id
    return state[TEAM_ORDERS].get(item.order).id


def version(state: State, number: int, version: Version) -> dict[str, Any]:
    """A version of a proof."""
    return {
        "version": number,
        "artwork_id": state[ARTWORK].get(version.artwork).id,
        "notes": version.notes,
        "created_at": format_instant(version.created_ms),
    }


def review(review: Review) -> dict[str, Any]:
    """The review of the current version."""
    return {"decision": review.decision, "note": review.note, "reviewed_at": format_instant(review.reviewed_ms)}
