"""Mail, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.pagination import NEWEST, Rows, page_of_records
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.placeholders import fill_text
from giftsim.engine.kernel.state import State
from giftsim.engine.worlds.call_log import CallLogTruncated
from giftsim.engine.worlds.world import World
from giftsim.services.gifting.domain.actor_schedule import on_mail_bounced
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.services.gifting.domain.fulfilment.mail import (
    BOUNCES,
    MAILS,
    Mail,
    bounce_mail,
    mail_text,
    mail_with_link,
    oldest_slot,
)
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.gifting.records.named import PLACED, named_recipient
from giftsim.services.gifting.records.parent_refs import ref_of_fulfilment
from giftsim.services.gifting.records.record_errors import MailNotFound
from giftsim.services.gifting.records.searches import MAIL_SEARCH


def mail_view(world: World, state: State, mail: Mail) -> dict[str, Any]:
    """A mail with full links. Claim links are not redacted here, so that a tester can open them."""
    origin = world.runtime.origin
    links = [origin + fill_text(link, origin, world.id) for link in mail.links]
    bounce = state[BOUNCES].find("mail", mail.n)
    return {
        "seq": mail.n + 1,
        "at": format_instant(mail.at_ms),
        "to": mail.to,
        "kind": mail.kind,
        "subject": mail.subject,
        "links": links,
        "text": mail_text(mail, links),
        "about": _about(state, mail),
        "bounced_at": instant_or_null(bounce.at_ms if bounce else None),
        "read": world.read.get(mail.n) == mail,
    }


def _about(state: State, mail: Mail) -> Ref | None:
    """The order, gift or campaign that a mail's link claims from. None if a newer link has replaced it."""
    for link in mail.links:
        order = _order_of_link(state, link.rpartition("/")[2])
        if order is not None:
            return ref_of_fulfilment(state, order)
    return None


def _order_of_link(state: State, token: str) -> Fulfilment | None:
    recipient = state[RECIPIENTS].find("token", token)
    if recipient is not None:
        return state[FULFILMENTS].get(recipient.order)
    return state[FULFILMENTS].find("share", token)


class MailDropped(CallLogTruncated, code="mail_dropped"):
    """The requested part of the mail was dropped to make room."""


def list_mail(call: Call) -> Response:
    """List mail, by default from the oldest one kept."""
    world, query = call.world, call.query
    to, kind = query["to"], query["kind"]

    def keep(mail: Mail) -> bool:
        return to in (None, mail.to) and kind in (None, mail.kind)

    with current_state(world) as state:
        table, first = state[MAILS], oldest_slot(state)
        if query["after"] is not None and query["after"] < first and query["order"] != NEWEST:
            raise MailDropped(f"mail up to {first} was dropped to make room; ask for after={first} or later")
        rows = Rows(table.next_n, lambda number: table.at(number - 1), first + 1)
        return page_of_records(call, state, MAIL_SEARCH, rows, partial(mail_view, world, state), keep=keep)


def get_mail(call: Call) -> Response:
    """One mail."""
    with current_state(call.world) as state:
        return Response(200, mail_view(call.world, state, _find(state, call.params["seq"])))


def read_mail(call: Call) -> Response:
    """Mark a mail as read. That is not part of the state, so an undo does not take it back (G252)."""
    world = call.world
    with current_state(world) as state:
        mail, first = _find(state, call.params["seq"]), oldest_slot(state)
        world.read = {n: each for n, each in world.read.items() if n >= first} | {mail.n: mail}
        return Response(200, mail_view(world, state, mail))


def simulate_mail(call: Call) -> Response:
    """Let a mail bounce (G458)."""
    with change_state(call) as state:
        mail = _named(state, call.body)
        on_mail_bounced(state, bounce_mail(state, mail))
        return Response(200, mail_view(call.world, state, mail))


def _named(state: State, body: Mapping[str, Any]) -> Mail:
    """The mail of `seq`, or the one with the current claim link of the recipient that a body names."""
    if ("seq" in body) == any(name in body for name in (*PLACED, "recipient_id", "recipient")):
        raise Ambiguous("name the mail by seq, or by team_order_id, gift_id or campaign_id with recipient(_id)")
    if "seq" in body:
        return _find(state, body["seq"])
    order, recipient, _ = named_recipient(state, body)
    token = recipient.token or order.share_token
    mail = mail_with_link(state, token) if token else None
    if mail is None:
        raise MailNotFound("no mail has the claim link of this recipient: one is sent when a gift with links is paid")
    return mail


def _find(state: State, seq: int) -> Mail:
    mail = state[MAILS].at(seq - 1)
    if mail is None:
        dropped = 0 < seq <= oldest_slot(state)
        raise MailNotFound(f"mail {seq} was dropped to make room" if dropped else f"there is no mail {seq}")
    return mail
