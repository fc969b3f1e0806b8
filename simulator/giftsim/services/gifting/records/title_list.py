"""The titles of records that a caller names."""

from __future__ import annotations

from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import InvalidParameter
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, PartnerOrder
from giftsim.services.gifting.domain.fulfilment.order_errors import TeamOrderNotFound
from giftsim.services.gifting.records.gifting_kinds import CAMPAIGN, GIFT
from giftsim.services.gifting.records.named import find_any_record, find_order, read_id
from giftsim.services.gifting.records.titles import campaign_title, gift_title, order_title

MOST = 200
KINDS = ("team_order", "gift", "campaign")


def list_titles(call: Call) -> Response:
    """The titles of some orders, gifts and campaigns, without those that do not exist."""
    wanted = list(dict.fromkeys(filter(None, call.query["of"].split(","))))
    if len(wanted) > MOST:
        raise InvalidParameter(f"of: names {len(wanted)} records; the most is {MOST}")
    with current_state(call.world) as state:
        titles = [_titled(state, name) for name in wanted]
        return Response(200, {"titles": [each for each in titles if each], "next": None})


def _titled(state: State, name: str) -> dict[str, str | int] | None:
    kind, _, text = name.partition(":")
    if kind not in KINDS or not text:
        raise InvalidParameter(f"of: {name[:60]!r} is not a kind and an id, such as team_order:1001")
    title = _title(state, kind, text)
    return None if title is None else {"kind": kind, "id": read_id(text), "title": title}


def _title(state: State, kind: str, text: str) -> str | None:
    public_id = read_id(text)
    if kind == "gift":
        gift = find_any_record(state, GIFT, public_id)
        return gift_title(state, gift) if gift else None
    if kind == "campaign":
        campaign = find_any_record(state, CAMPAIGN, public_id)
        return campaign_title(campaign) if campaign else None
    try:
        order = find_order(state, public_id)
    except TeamOrderNotFound:
        return None
    return order_title(state, order if isinstance(order, PartnerOrder) else state[FULFILMENTS].get(order.fulfilment))
