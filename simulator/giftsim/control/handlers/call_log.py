"""The journal of client calls, what it says of usage, and the mail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from giftsim.control.credentials import caller_name
from giftsim.control.pagination import page
from giftsim.control.views.call_log import call_entry, letter
from giftsim.control.world_access import present, present_and_settled
from giftsim.domain.fulfilment.mail import MAILS, Mail, oldest_slot
from giftsim.event_log.call_record import CallRecord
from giftsim.gateway.call import Call, Handler, Interface, Response
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.worlds.call_log import CallLogTruncated
from giftsim.worlds.world import World


class MailDropped(CallLogTruncated):
    """The wanted part of the mail was dropped to make room."""

    code = "mail_dropped"


def list_calls(call: Call) -> Response:
    """Client calls with their answers; from the oldest kept one on, unless told."""
    world = call.world
    with present(world):
        journal = world.call_log
        after = journal.dropped if call.query["after"] is None else call.query["after"]
        rows = ((entry.seq, entry) for entry in journal.after(after))
        return page(call, "calls", rows, lambda entry: call_entry(world, entry), dropped=journal.dropped)


def list_mail(call: Call) -> Response:
    """Mail in order; from the oldest kept one on, unless told."""
    world, query = call.world, call.query
    with present(world) as state:
        first = oldest_slot(state)
        if query["after"] is not None and query["after"] < first:
            raise MailDropped(f"mail up to {first} was dropped to make room; ask for after={first} or later")
        rows = ((mail.n + 1, mail) for mail in _mail(state, query["after"] or first, query["to"], query["kind"]))
        return page(call, "mail", rows, lambda mail: letter(world, mail))


def _mail(state: State, first: int, to: str | None, kind: str | None) -> Iterator[Mail]:
    for n in range(first, state[MAILS].next_n):
        mail = state[MAILS].get(n)
        if to in (None, mail.to) and kind in (None, mail.kind):
            yield mail


@dataclass
class Tally:
    """How often one credential called one operation."""

    calls: int = 0
    refused: int = 0
    last_ms: int = 0

    def count(self, entry: CallRecord) -> None:
        """Add one call."""
        self.calls += 1
        self.refused += entry.status is not None and entry.status >= 400
        self.last_ms = entry.at_ms


def make_usage(simulated: Sequence[Interface]) -> Callable[[Call], Response]:
    """The handler that counts usage; it knows which operation a path belongs to."""

    def get_usage(call: Call) -> Response:
        world = call.world
        with present(world) as state:
            journal, found = world.call_log, dict[tuple[str | None, ...], Tally]()
            for entry in journal.after(journal.dropped):
                name = caller_name(state, world.id, dict(entry.headers))
                found.setdefault((name, *operation_of(simulated, entry)), Tally()).count(entry)
            usage = [_row(place, tally) for place, tally in found.items()]
            since = journal.entries[0].seq if journal.entries else None
            return Response(200, {"usage": usage, "calls": state.meters.get("calls", 0), "since": since})

    return get_usage


def operation_of(simulated: Sequence[Interface], entry: CallRecord) -> tuple[str | None, str | None]:
    """The interface and the operation that a journalled path belongs to."""
    path = entry.path.partition("?")[0]
    for face in simulated:
        prefix = face.contract.prefix
        if path.startswith(f"{prefix}/"):
            found = face.contract.match(path.removeprefix(prefix))
            op = found[0].operations.get(entry.method) if found else None
            return face.name, op.id if op else None
    return None, None


def make_scenario(record: Callable[[World, State], str]) -> Callable[[Call], Response]:
    """The handler that writes the world down as a scenario, once nothing is in flight."""

    def get_scenario(call: Call) -> Response:
        with present_and_settled(call.world) as state:
            text = record(call.world, state)
        return Response(200, text.encode(), content_type="application/yaml", opaque=True)

    return get_scenario


def _row(place: tuple[str | None, ...], tally: Tally) -> dict[str, Any]:
    credential, interface, operation = place
    return {
        "credential": credential, "interface": interface, "operation": operation, "calls": tally.calls,
        "refused": tally.refused, "last_at": format_instant(tally.last_ms),
    }  # fmt: skip


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listMail": list_mail,
        "listCalls": list_calls,
    }
)
