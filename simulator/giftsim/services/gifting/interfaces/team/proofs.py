"""The JSON of proofs. A proof has the id of its order item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.campaigns import campaign
from giftsim.services.gifting.domain.team.campaigns.campaign import CAMPAIGNS, Campaign
from giftsim.services.gifting.domain.team.design import proof
from giftsim.services.gifting.domain.team.design.artwork import ARTWORK, require_readable_artwork
from giftsim.services.gifting.domain.team.design.proof import SIGNED, Proof, Review, Version
from giftsim.services.gifting.domain.team.orders import team_order
from giftsim.services.gifting.domain.team.orders.team_order import TEAM_ORDERS, OrderItem, TeamOrder
from giftsim.services.gifting.domain.team.team_errors import NotFound
from giftsim.services.gifting.domain.team.tenant import Id, Tenant
from giftsim.services.gifting.interfaces.team.pagination import single_page
from giftsim.services.gifting.interfaces.team.request_checks import Finder


def proof_view(state: State, tenant: Tenant, item: OrderItem, proof: Proof) -> dict[str, Any]:
    """A proof with all its versions, the newest first."""
    numbered = list(enumerate(proof.versions, start=1))
    return {
        "id": item.id,
        "order_item_id": item.id,
        "campaign_id": _owner_id(state, item),
        "status": proof.status,
        "current_version": proof.current,
        "versions": [version_view(state, number, each) for number, each in reversed(numbered)],
        "review": review_view(proof.review) if proof.review else None,
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


def version_view(state: State, number: int, version: Version) -> dict[str, Any]:
    """A version of a proof."""
    return {
        "version": number,
        "artwork_id": state[ARTWORK].get(version.artwork).id,
        "notes": version.notes,
        "created_at": format_instant(version.created_ms),
    }


def review_view(review: Review) -> dict[str, Any]:
    """The review of the current version."""
    return {"decision": review.decision, "note": review.note, "reviewed_at": format_instant(review.reviewed_ms)}


def list_proofs(call: Call) -> Response:
    """List the proofs of an order or campaign, sorted as its items are."""
    state, tenant, subject = call.state, call.caller.tenant, call.subject
    resource_type = campaign.RESOURCE if isinstance(subject, Campaign) else team_order.RESOURCE
    return single_page(
        proof_view(state, tenant, item, each) for item, each in proof.list_proofs(state, resource_type, subject.n)
    )


def add_proof_version(call: Call) -> Response:
    """Add a version, which then awaits review."""
    artwork = require_readable_artwork(call.state, call.caller.tenant, call.body["artwork_id"], "artwork_id")
    return _response(call, proof.add_version(call.state, call.subject, artwork, call.body.get("notes")), 201)


def review_proof(call: Call) -> Response:
    """Approve the current version, or request changes."""
    return _response(call, proof.review_proof(call.state, call.subject, call.body["decision"], call.body.get("note")))


def sign_proof(call: Call) -> Response:
    """Sign the current version, as a signed-in human."""
    return _response(call, proof.sign_proof(call.state, call.subject, call.body["version"], call.caller.member))


def _order_or_campaign(call: Call, raw: str) -> TeamOrder | Campaign:
    """The order or large campaign in the path: the ids of the two never coincide (A7.2)."""
    tenant = call.caller.tenant
    try:
        return team_order.find_order(call.state, tenant, raw)
    except NotFound:
        return campaign.find_campaign(call.state, tenant, raw)


def _response(call: Call, changed: Proof, status: int = 200) -> Response:
    return Response(status, proof_view(call.state, call.caller.tenant, call.subject, changed))


FINDERS: Final[Mapping[str, Finder]] = {
    "order_or_campaign": _order_or_campaign,
    "order_item": lambda call, raw: proof.find_order_item(call.state, call.caller.tenant, raw),
}
