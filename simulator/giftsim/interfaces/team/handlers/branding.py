"""What recipients see of the team."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.studio import branding
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.views import branding as views


def get_recipient_branding(call: Call) -> Response:
    """The branding as it is now."""
    space = call.caller.space
    return Response(200, views.branding(call.state, space, branding.branding(call.state, space)))


def update_recipient_branding(call: Call) -> Response:
    """Change some of it."""
    space = call.caller.space
    return Response(200, views.branding(call.state, space, branding.change(call.state, space, call.body)))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"getRecipientBranding": get_recipient_branding, "updateRecipientBranding": update_recipient_branding}
)
