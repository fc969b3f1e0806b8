"""Claim links: what each leads to, whether it still works, and what a recipient could enter on its page."""

from __future__ import annotations

from typing import Any

from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment.claim import DEFAULT_ADDRESSES, find_order_of_link, read_claim_page
from giftsim.services.gifting.domain.fulfilment.order_errors import ClaimNotFound
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.gifting.records.parcels import entry_by_link
from giftsim.services.gifting.records.parent_refs import ref_of_fulfilment

OPEN, OF_CLAIMS = "open", "claim_"


def get_claim_link(call: Call) -> Response:
    """A claim link by its token. A link that was replaced is expired, and leads to no record."""
    token = call.params["token"]
    with current_state(call.world) as state:
        return Response(200, {**_leads_to(state, token), **_state_of(state, token)})


def _leads_to(state: State, token: str) -> dict[str, Any]:
    order, recipient = find_order_of_link(state, token), state[RECIPIENTS].find("token", token)
    return {
        "about": ref_of_fulfilment(state, order) if order else None,
        "shared": order is not None and recipient is None,
        "recipient": {"name": recipient.name, "email": recipient.email} if recipient else None,
    }


def _state_of(state: State, token: str) -> dict[str, Any]:
    """Whether the link works, and if it does, what to enter; ClaimNotFound."""
    try:
        page = read_claim_page(state, token)
    except ClaimNotFound:
        raise
    except Problem as problem:
        status = problem.code.removeprefix(OF_CLAIMS)
        return {"status": status, "message": problem.message, "expires_at": None, "entry": None}
    entry = entry_by_link(state, token, {}, "Guest")
    addresses = [DEFAULT_ADDRESSES[country] for country in page.countries]
    entered = {"addresses": addresses, **{name: entry[name] for name in ("selection", "name", "email")}}
    return {"status": OPEN, "message": None, "expires_at": instant_or_null(page.expires_at_ms), "entry": entered}
