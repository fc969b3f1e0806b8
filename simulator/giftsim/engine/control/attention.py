"""What needs somebody in a world: what fails and waits, which faults and outages are on, and their end (G420).

All of it is read from kept counts and indexes, so it takes as long in a world of 50,000 orders as in a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from giftsim.engine.control.faults import restore_sending
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.faults.table import FAULTS, Fault, can_still_act, fault_view, remove_fault
from giftsim.engine.gateway.need import Act, Need
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.webhooks.attempt import in_flight
from giftsim.engine.webhooks.delivery import DELIVERY, list_pending
from giftsim.engine.webhooks.dispatch import resend_undelivered
from giftsim.engine.webhooks.endpoint import ENABLED, ENDPOINT, Endpoint
from giftsim.engine.webhooks.fan_out import waiting_events
from giftsim.engine.webhooks.outgoing import is_key_missing
from giftsim.engine.webhooks.receiver import ANY_HOST, RECEIVER, Receiver, ReceiverNotFound, end_outage
from giftsim.engine.worlds.world import World

WEBHOOKS, CALLS = "webhooks", "calls"
OPTIONS = ("code", "retry_after", "undocumented")
EFFECTS: Mapping[str, str] = {
    "status": "{}",
    "delay_s": "{} s late",
    "drop": "no answer, {} it acts",
    "hold": "held",
    "charge": "charges fail, {}",
    "crash": "crash after a charge",
    "webhook": "webhooks: {}",
    "signing_key": "no signing key",
}


def get_attention(call: Call) -> Response:
    """What fails and waits in a world, and what is broken on purpose."""
    with current_state(call.world) as state:
        return Response(200, attention_view(call.world, state))


def end_attention(call: Call) -> Response:
    """End faults and outages, all of them or those that are named, and send again what was not delivered."""
    body = call.body
    with change_state(call) as state:
        hosts = _named_hosts(state, body.get("hosts"))
        named = body.get("faults")
        down = [row for row in _outages(state) if hosts is None or row.host in hosts]
        for row in down:
            end_outage(state, row)
        ids = [fault.id for fault in state[FAULTS]] if named is None else list(dict.fromkeys(named))
        if removed := [remove_fault(state, fault_id) for fault_id in ids]:
            restore_sending(state, removed)
        sent = resend_undelivered(state, _endpoints(state, hosts)) if body.get("resend") else []
        answer = {"faults": ids, "outages": [row.host for row in down], "resent": len(sent)}
    call.registry.runtime.waiters.notify()
    return Response(200, answer)


def attention_view(world: World, state: State) -> dict[str, Any]:
    """What needs somebody in a world, the failures first."""
    health = [each for load in service_of(state).health for each in load()]
    enabled = [each for each in state[ENDPOINT] if each.status == ENABLED]
    needs = [*_webhook_needs(state, enabled), *(need for each in health for need in each.needs(world, state))]
    pending, dead = sum(each.pending for each in enabled), sum(each.dead for each in enabled)
    not_failed = _not_failed(state, enabled)
    places = [
        *(_place(each.place, each.failed(state), each.waiting(state)) for each in health),
        _place(WEBHOOKS, dead + pending - not_failed, not_failed + len(waiting_events(state))),
        _place(CALLS, world.calls.log.failed, 0),
    ]
    return {
        "now": format_instant(state.now_ms),
        "is_new": not state.meters.get("calls"),
        "faults": [_fault(fault) for fault in state[FAULTS] if can_still_act(fault, state.now_ms)],
        "outages": [_outage(row) for row in _outages(state)],
        "undelivered": {"pending": pending, "given_up": dead},
        "places": places,
        "needs": [_need(need) for need in needs],
    }


def fault_title(fault: Mapping[str, Any]) -> str:
    """What a fault does and to what, in a few words: `503 at getStore`."""
    match, effect = fault["match"], fault["effect"]
    [(name, value)] = [(name, value) for name, value in effect.items() if name not in OPTIONS]
    text = f"{value['from']} to {value['to']}" if isinstance(value, Mapping) else str(value).replace("_", " ")
    said = EFFECTS.get(name, f"{name} {{}}").format(text)
    words = {"operation": "at", "event": "for", "host": "to", "interface": "in", "credential": "with"}
    return " ".join([said, *(f"{word} {match[member]}" for member, word in words.items() if member in match)])


def _not_failed(state: State, endpoints: Iterable[Endpoint]) -> int:
    """How many pending webhooks have not failed yet: first attempts on their way, and what a fault holds back."""
    holds_back = any(b'"webhook"' in bytes(fault.effect) for fault in state[FAULTS])
    if not (holds_back or is_key_missing(state) or in_flight(state)):
        return 0
    rows = (state[DELIVERY].get(n) for endpoint in endpoints for n in list_pending(state, endpoint.n))
    return sum(not row.failures for row in rows)


def _outages(state: State) -> Iterator[Receiver]:
    """The receivers that are down, or will be."""
    return (row for row in state[RECEIVER] if row.outage and row.outage.to_ms > state.now_ms)


def _named_hosts(state: State, named: Sequence[str] | None) -> set[str] | None:
    """The hosts of a body; None for all. ReceiverNotFound for one that no receiver and no endpoint has."""
    if named is None:
        return None
    hosts = {name.lower() for name in named}
    known = {row.host for row in state[RECEIVER]} | {each.host for each in state[ENDPOINT]}
    if unknown := sorted(hosts - known):
        hint = f"; {suggest_name(unknown[0], sorted(known))}" if known else ""
        raise ReceiverNotFound(f"hosts: no endpoint and no receiver has the host {unknown[0][:80]!r}{hint}")
    return hosts


def _endpoints(state: State, hosts: set[str] | None) -> list[Endpoint]:
    """The endpoints at some hosts; `*` stands for those whose host has no receiver of its own."""
    if hosts is None or ANY_HOST not in hosts:
        return [each for each in state[ENDPOINT] if hosts is None or each.host in hosts]
    own = {row.host for row in state[RECEIVER]}
    return [each for each in state[ENDPOINT] if each.host in hosts or each.host not in own]


def _webhook_needs(state: State, enabled: Sequence[Endpoint]) -> Iterator[Need]:
    """What each host was not delivered, with what ends that."""
    for host in sorted({each.host for each in enabled if each.pending or each.dead}):
        own = [each for each in enabled if each.host == host]
        pending, dead = sum(each.pending for each in own), sum(each.dead for each in own)
        down = _outage_of(state, host)
        label, hosts = ("End outage and resend", [down.host]) if down else ("Resend", [host])
        act = Act(label, "attention/end", {"hosts": hosts, "faults": [], "resend": True})
        outage = down.outage if down else None
        yield Need(
            WEBHOOKS,
            failed=True,
            text=f"{_counted(pending, dead)} {host}",
            title=host,
            note=f"Simulated outage, {outage.status}" if outage else _last_answer(state, own),
            count=pending + dead,
            until_ms=outage.to_ms if outage else None,
            acts=(act,),
        )


def _counted(pending: int, dead: int) -> str:
    """`2 webhooks wait and 1 was given up for`."""
    waits = f"{pending:,} webhook{'s wait' if pending != 1 else ' waits'}"
    lost = f"{dead:,} {'were' if dead != 1 else 'was'} given up"
    if pending and dead:
        return f"{waits} and {lost} for"
    return f"{waits} for" if pending else f"{dead:,} webhook{'s were' if dead != 1 else ' was'} given up for"


def _last_answer(state: State, endpoints: Iterable[Endpoint]) -> str:
    """What the newest webhook that failed so far was answered."""
    slots = [slot for each in endpoints for slot in list_pending(state, each.n)[-1:]]
    row = state[DELIVERY].get(max(slots)) if slots else None
    return f"Answered {row.last_status}" if row and row.last_status else ""


def _outage_of(state: State, host: str) -> Receiver | None:
    """The receiver that answers for a host and is down now."""
    row = state[RECEIVER].find("host", host) or state[RECEIVER].find("host", ANY_HOST)
    is_down = row is not None and row.outage is not None and row.outage.from_ms <= state.now_ms < row.outage.to_ms
    return row if is_down else None


def _place(place: str, failed: int, waiting: int) -> dict[str, Any]:
    return {"place": place, "failed": failed, "waiting": waiting}


def _fault(fault: Fault) -> dict[str, Any]:
    view = fault_view(fault)
    span = {name: view["when"].get(name) for name in ("from", "to")}
    since = span["from"] or instant_or_null(fault.since_ms)
    return {"id": fault.id, "title": fault_title(view), "since": since, "until": span["to"], "hits": fault.hits}


def _outage(row: Receiver) -> dict[str, Any]:
    assert row.outage is not None
    since, until = format_instant(row.outage.from_ms), format_instant(row.outage.to_ms)
    return {"host": row.host, "status": row.outage.status, "since": since, "until": until}


def _need(need: Need) -> dict[str, Any]:
    return {
        "kind": need.kind,
        "failed": need.failed,
        "text": need.text,
        "title": need.title,
        "note": need.note,
        "count": need.count,
        "about": need.about,
        "since": instant_or_null(need.at_ms),
        "until": instant_or_null(need.until_ms),
        "acts": _acts(need.acts),
    }


def _acts(acts: Iterable[Act]) -> list[dict[str, Any]]:
    return [{"label": act.label, "path": act.path, "body": act.body, "retry": act.retry} for act in acts]
