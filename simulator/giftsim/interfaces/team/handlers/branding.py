"""Read and change the branding that recipients see."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.design import branding
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.views import branding as views


def get_recipient_branding(call: Call) -> Response:
    """Read the branding."""
    tenant = call.caller.tenant
    return Response(200, views.branding(call.state, tenant, branding.branding_of(call.state, tenant)))


def update_recipient_branding(call: Call) -> Response:
    """Change some members of the branding."""
    tenant = call.caller.tenant
    return Response(200, views.branding(call.state, tenant, branding.update_branding(call.state, tenant, call.body)))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"getRecipientBranding": get_recipient_branding, "updateRecipientBranding": update_recipient_branding}
)
