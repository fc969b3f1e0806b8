"""Proofs: versions and reviews by key, signatures in a session only (A4.1, T-4.161)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.campaigns import campaign
from giftsim.domain.team.campaigns.campaign import Campaign
from giftsim.domain.team.design import proof
from giftsim.domain.team.design.artwork import require_artwork
from giftsim.domain.team.design.proof import Proof
from giftsim.domain.team.orders import team_order
from giftsim.domain.team.orders.team_order import TeamOrder
from giftsim.domain.team.problem import NotFound
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import single_page
from giftsim.interfaces.team.views import proofs as views


def list_proofs(call: Call) -> Response:
    """List the proofs of an order or campaign, sorted as its items are."""
    state, tenant, subject = call.state, call.caller.tenant, call.subject
    resource_type = campaign.RESOURCE if isinstance(subject, Campaign) else team_order.RESOURCE
    return single_page(
        views.proof(state, tenant, item, each) for item, each in proof.list_proofs(state, resource_type, subject.n)
    )


def add_proof_version(call: Call) -> Response:
    """Add a version, which then awaits review."""
    artwork = require_artwork(call.state, call.caller.tenant, call.body["artwork_id"], "artwork_id")
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
    return Response(status, views.proof(call.state, call.caller.tenant, call.subject, changed))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listProofs": list_proofs,
        "addProofVersion": add_proof_version,
        "reviewProof": review_proof,
        "signProof": sign_proof,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {
        "order_or_campaign": _order_or_campaign,
        "order_item": lambda call, raw: proof.find_order_item(call.state, call.caller.tenant, raw),
    }
)
