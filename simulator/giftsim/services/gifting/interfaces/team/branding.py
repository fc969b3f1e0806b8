"""The JSON of the branding that recipients see."""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.design import branding
from giftsim.services.gifting.domain.team.design.artwork import ARTWORK
from giftsim.services.gifting.domain.team.design.branding import Branding
from giftsim.services.gifting.domain.team.tenant import Tenant


def branding_view(state: State, tenant: Tenant, branding: Branding) -> dict[str, Any]:
    """The branding of a tenant. All members are null until it is set."""
    return {
        "logo_artwork_id": None if branding.logo is None else state[ARTWORK].get(branding.logo).id,
        "primary_color": branding.primary_color,
        "sender_name": branding.sender_name,
        "livemode": tenant.livemode,
    }


def get_recipient_branding(call: Call) -> Response:
    """Read the branding."""
    tenant = call.caller.tenant
    return Response(200, branding_view(call.state, tenant, branding.branding_of(call.state, tenant)))


def update_recipient_branding(call: Call) -> Response:
    """Change some members of the branding."""
    tenant = call.caller.tenant
    return Response(200, branding_view(call.state, tenant, branding.update_branding(call.state, tenant, call.body)))
