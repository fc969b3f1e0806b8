"""The call log of a world, usage counted from it, the mail, and the world as a scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from giftsim.control.credentials import credential_name_in_headers
from giftsim.control.pagination import page
from giftsim.control.views.call_log import call_view, mail_view
from giftsim.control.world_access import current_state, settled_state
from giftsim.domain.fulfilment.mail import MAILS, Mail, oldest_slot
from giftsim.event_log.call_record import CallRecord
from giftsim.event_log.events import ClientCall
from giftsim.gateway.call import Call, Handler, Interface, Response
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.worlds.call_log import CallLogTruncated
from giftsim.worlds.world import World


class MailDropped(CallLogTruncated):
    """The requested part of the mail was dropped to make room."""

    code = "mail_dropped"


def list_calls(call: Call) -> Response:
    """List client calls and their responses, by default from the oldest one kept."""
    world = call.world
    with current_state(world):
        log = world.call_log
        after = log.dropped if call.query["after"] is None else call.query["after"]
        rows = ((entry.seq, entry) for entry in log.after(after))
        return page(call, "calls", rows, lambda entry: call_view(world, entry), dropped=log.dropped)


def list_mail(call: Call) -> Response:
    """List mail in order, by default from the oldest one kept."""
    world, query = call.world, call.query
    with current_state(world) as state:
        first = oldest_slot(state)
        if query["after"] is not None and query["after"] < first:
            raise MailDropped(f"mail up to {first} was dropped to make room; ask for after={first} or later")
        rows = ((mail.n + 1, mail) for mail in _select_mail(state, query["after"] or first, query["to"], query["kind"]))
        return page(call, "mail", rows, lambda mail: mail_view(world, mail))


def _select_mail(state: State, first: int, to: str | None, kind: str | None) -> Iterator[Mail]:
    for n in range(first, state[MAILS].next_n):
        mail = state[MAILS].get(n)
        if to in (None, mail.to) and kind in (None, mail.kind):
            yield mail


@dataclass
class UsageCount:
    """How often one credential called one operation."""

    calls: int = 0
    refused: int = 0
    last_ms: int = 0

    def count(self, entry: CallRecord) -> None:
        """Add one call."""
        self.calls += 1
        self.refused += entry.status is not None and entry.status >= 400
        self.last_ms = entry.at_ms


def make_get_usage(simulated: Sequence[Interface]) -> Callable[[Call], Response]:
    """The handler that counts the calls in the log per credential and operation of the `simulated` interfaces."""

    def get_usage(call: Call) -> Response:
        world = call.world
        with current_state(world) as state:
            log, counts = world.call_log, dict[tuple[str | None, ...], UsageCount]()
            for entry in log.after(log.dropped):
                name = credential_name_in_headers(state, world.id, dict(entry.headers))
                counts.setdefault((name, *operation_of(simulated, entry)), UsageCount()).count(entry)
            usage = [_usage_row(key, count) for key, count in counts.items()]
            since = log.entries[0].seq if log.entries else None
            return Response(200, {"usage": usage, "calls": state.meters.get("calls", 0), "since": since})

    return get_usage


def operation_of(simulated: Sequence[Interface], entry: CallRecord | ClientCall) -> tuple[str | None, str | None]:
    """The names of the interface and the operation that a call matches, or None."""
    path = entry.path.partition("?")[0]
    for interface in simulated:
        prefix = interface.contract.prefix
        if path.startswith(f"{prefix}/"):
            match = interface.contract.match(path.removeprefix(prefix))
            operation = match[0].operation(entry.method) if match else None
            return interface.name, operation.id if operation else None
    return None, None


def make_get_scenario(record: Callable[[World, State], str]) -> Callable[[Call], Response]:
    """The handler that returns the world's history as a scenario, once no delivery is in flight."""

    def get_scenario(call: Call) -> Response:
        with settled_state(call.world) as state:
            text = record(call.world, state)
        return Response(200, text.encode(), content_type="application/yaml", opaque=True)

    return get_scenario


def _usage_row(key: tuple[str | None, ...], count: UsageCount) -> dict[str, Any]:
    credential, interface, operation = key
    return {
        "credential": credential, "interface": interface, "operation": operation, "calls": count.calls,
        "refused": count.refused, "last_at": format_instant(count.last_ms),
    }  # fmt: skip


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listMail": list_mail,
        "listCalls": list_calls,
    }
)
