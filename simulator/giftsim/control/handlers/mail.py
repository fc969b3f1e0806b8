"""The mail of a world: what the service would have sent."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.control.pagination import NEWEST, Rows, filtered_page, search
from giftsim.control.problem import MailNotFound
from giftsim.control.views.mail import mail_view
from giftsim.control.world_access import current_state
from giftsim.domain.fulfilment.mail import MAILS, Mail, oldest_slot
from giftsim.gateway.call import Call, Handler, Response
from giftsim.worlds.call_log import CallLogTruncated


class MailDropped(CallLogTruncated):
    """The requested part of the mail was dropped to make room."""

    code = "mail_dropped"


def list_mail(call: Call) -> Response:
    """List mail, by default from the oldest one kept."""
    world, query = call.world, call.query
    to, kind, has_text = query["to"], query["kind"], search(query["q"], lambda mail: (mail.to, mail.subject))

    def keep(mail: Mail) -> bool:
        return to in (None, mail.to) and kind in (None, mail.kind) and has_text(mail)

    with current_state(world) as state:
        table, first = state[MAILS], oldest_slot(state)
        if query["after"] is not None and query["after"] < first and query["order"] != NEWEST:
            raise MailDropped(f"mail up to {first} was dropped to make room; ask for after={first} or later")
        rows = Rows(table.next_n, lambda number: table.at(number - 1), first + 1)
        return filtered_page(call, "mail", rows, lambda mail: mail_view(world, state, mail), keep=keep)


def get_mail(call: Call) -> Response:
    """One mail."""
    seq = call.params["seq"]
    with current_state(call.world) as state:
        mail = state[MAILS].at(seq - 1)
        if mail is None:
            dropped = 0 < seq <= oldest_slot(state)
            raise MailNotFound(f"mail {seq} was dropped to make room" if dropped else f"there is no mail {seq}")
        return Response(200, mail_view(call.world, state, mail))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listMail": list_mail,
        "getMail": get_mail,
    }
)
