"""Gift sends: create, list, read, and their timeline (T-4.35 to T-4.45)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.orders.gift import GIFTS, find_gift
from giftsim.domain.team.orders.gift_creation import create_gift
from giftsim.domain.team.orders.gift_timeline import timeline
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page, single_page
from giftsim.interfaces.team.views import gifts as views


def send_gift(call: Call) -> Response:
    """Create a gift send, held for a human's approval. The response has ids and a status only."""
    gift = create_gift(call.state, call.caller.tenant, call.caller.key.n, call.body)
    return Response(201, views.sent(call.state, call.caller.tenant, gift))


def list_gifts(call: Call) -> Response:
    """List gift sends."""
    state, tenant = call.state, call.caller.tenant
    slots = state[GIFTS].slots_in("owner", tenant.owner)
    return page(call, "gifts", slots, lambda n: views.gift(state, tenant, state[GIFTS].get(n)))


def get_gift(call: Call) -> Response:
    """Read a gift send."""
    return Response(200, views.gift(call.state, call.caller.tenant, call.subject))


def get_gift_timeline(call: Call) -> Response:
    """Read the timeline of a gift send, oldest first."""
    moments = timeline(call.state, call.subject.n)
    return single_page(views.moment(call.state, call.subject, moment) for moment in moments)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"sendGift": send_gift, "listGifts": list_gifts, "getGift": get_gift, "getGiftTimeline": get_gift_timeline}
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"gift": lambda call, raw: find_gift(call.state, call.caller.tenant, raw)}
)
