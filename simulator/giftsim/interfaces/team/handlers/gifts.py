"""Gift sends: prepare, list, read, and what happened to one (T-4.35 to T-4.45)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.orders.gift import GIFTS, find_gift
from giftsim.domain.team.orders.gift_preparation import prepare
from giftsim.domain.team.orders.gift_timeline import timeline
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page, single_page
from giftsim.interfaces.team.views import gifts as views


def send_gift(call: Call) -> Response:
    """A new send, held for a human's approval; the answer has ids and status only."""
    gift = prepare(call.state, call.caller.tenant, call.caller.key.n, call.body)
    return Response(201, views.sent(call.state, call.caller.tenant, gift))


def list_gifts(call: Call) -> Response:
    """A page of gift sends."""
    state, tenant = call.state, call.caller.tenant
    slots = state[GIFTS].slots_in("owner", tenant.owner)
    return page(call, "gifts", slots, lambda n: views.gift(state, tenant, state[GIFTS].get(n)))


def get_gift(call: Call) -> Response:
    """One gift send."""
    return Response(200, views.gift(call.state, call.caller.tenant, call.subject))


def get_gift_timeline(call: Call) -> Response:
    """What happened to a gift send, oldest first."""
    moments = timeline(call.state, call.subject.n)
    return single_page(views.moment(call.state, call.subject, moment) for moment in moments)


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"sendGift": send_gift, "listGifts": list_gifts, "getGift": get_gift, "getGiftTimeline": get_gift_timeline}
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"gift": lambda call, raw: find_gift(call.state, call.caller.tenant, raw)}
)
