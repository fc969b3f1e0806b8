"""Mail, as JSON."""

from __future__ import annotations

from typing import Any

from giftsim.control.labels import order_reference
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.mail import Mail, mail_text
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.kernel.instants import format_instant
from giftsim.kernel.placeholders import fill_text
from giftsim.kernel.state import State
from giftsim.worlds.world import World


def mail_view(world: World, state: State, mail: Mail) -> dict[str, Any]:
    """A mail with full links. Claim links are not redacted here, so that a tester can open them."""
    origin = world.runtime.origin
    links = [origin + fill_text(link, origin, world.id) for link in mail.links]
    return {
        "seq": mail.n + 1,
        "at": format_instant(mail.at_ms),
        "to": mail.to,
        "kind": mail.kind,
        "subject": mail.subject,
        "links": links,
        "text": mail_text(mail, links),
        "about": _about(state, mail),
    }


def _about(state: State, mail: Mail) -> dict[str, Any] | None:
    """The order, gift or campaign that a mail's link claims from. None if a newer link has replaced it."""
    for link in mail.links:
        order = _order_of_link(state, link.rpartition("/")[2])
        if order is not None:
            member, order_id = order_reference(state, order)
            return {"kind": member.removesuffix("_id"), "id": order_id}
    return None


def _order_of_link(state: State, token: str) -> Fulfilment | None:
    recipient = state[RECIPIENTS].find("token", token)
    if recipient is not None:
        return state[FULFILMENTS].get(recipient.order)
    return state[FULFILMENTS].find("share", token)
