"""The receiver table: who answers for each public host, and the addresses it resolves to (B49, P-6.25)."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address

import msgspec

from giftsim.engine.kernel.instants import format_instant, parse_duration, parse_instant
from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.forward_targets import check_target
from giftsim.engine.webhooks.outgoing import BLOCKED_ADDRESS, DNS_ERROR, REFUSED, outcome_of_status
from giftsim.engine.webhooks.receiver_script import (
    OK_ANSWER,
    Answer,
    Step,
    answer_of_step,
    check_members,
    read_status,
    read_step,
    step_to_json,
)
from giftsim.engine.webhooks.url_rules import InvalidUrl, check_url, is_public

ANY_HOST = "*"
DEFAULT_ADDRESSES = ("93.184.215.14",)

CAPTURE, FORWARD, REFUSE, HOLD = "capture", "forward", "refuse", "hold"
KEEP, TARGET = "keep", "target"
MEMBERS = ("mode", "to", "script", "then", "addresses", "outage", "host_header")

# The targets besides loopback that webhooks may be forwarded to (G25).
FORWARD_ALLOWED: Signal[Callable[[], tuple[str, ...]]] = Signal("forward_allowed", lambda: ())


class Outage(msgspec.Struct, frozen=True, gc=False):
    """A period in which every request gets `status`, from `from_ms` until before `to_ms`."""

    from_ms: int
    to_ms: int
    status: int


class Receiver(Record, frozen=True, gc=False):
    """Who answers for `host`, or with `*` for every host without its own entry.

    The script answers first, one step per attempt; `used` is the number of steps used up. Then the mode decides: in
    mode capture, `then` answers. In mode hold every attempt waits for an answer through the control API, and the script
    and `then` are the default answers. `addresses` is None for the world's default, `()` for a host that does not
    resolve.
    """

    host: str
    mode: str = CAPTURE
    to: str | None = None
    script: tuple[Step, ...] = ()
    used: int = 0
    then: Step = Step()
    addresses: tuple[str, ...] | None = None
    outage: Outage | None = None
    host_header: str = KEEP


# Not hashed: a recording has scripted receivers instead, and replays to the same fingerprint (G4, G6).
RECEIVER: TableSpec[Receiver] = TableSpec("webhooks.receiver", Receiver, unique={"host": "host"}, hashed=False)


class InvalidReceiver(Problem, status=400, code="invalid_receiver"):
    """The entry of the receiver table is not valid."""


class ReceiverNotFound(Problem, status=404, code="receiver_not_found"):
    """The receiver table has no entry for that host."""


def set_receiver(state: State, host: str, entry: object, *, start_ms: int) -> Receiver:
    """Add or replace the entry of a host, or of `*`; offsets such as `+3d` count from `start_ms`.

    `entry` is `{mode?, to?, script?, then?, addresses?, outage?, host_header?}`. InvalidReceiver, also for an outage
    that is over, unless the entry has had it.
    """
    try:
        receiver = _read(state, _read_host(host), entry, start_ms)
        current = state[RECEIVER].find("host", receiver.host)
        if receiver.outage != (current and current.outage):
            _check_outage(state, receiver.outage, start_ms)
    except ValueError as error:
        raise InvalidReceiver(f"Receiver {host}: {str(error).rstrip('.')}.") from None
    if current is None:
        return state[RECEIVER].add(receiver)
    return state[RECEIVER].put(msgspec.structs.replace(receiver, n=current.n))


def delete_receiver(state: State, host: str) -> None:
    """Delete the entry of a host, which then answers 200 again. ReceiverNotFound."""
    receiver = state[RECEIVER].find("host", host.lower())
    if receiver is None:
        raise ReceiverNotFound(f"There is no receiver for host {host}.")
    state[RECEIVER].drop(receiver.n)


def end_outage(state: State, receiver: Receiver) -> Receiver:
    """End the outage of a receiver now. One that has begun stays as what was; one that has not is gone."""
    outage, now_ms = receiver.outage, state.now_ms
    if outage is None or outage.to_ms <= now_ms:
        return receiver
    ended = msgspec.structs.replace(outage, to_ms=now_ms) if outage.from_ms < now_ms else None
    return state[RECEIVER].put(msgspec.structs.replace(receiver, outage=ended))


def list_receivers(state: State) -> list[Receiver]:
    """All entries in order of creation."""
    return list(state[RECEIVER])


def addresses_of(state: State, host: str) -> tuple[str, ...]:
    """The addresses of a host in this world; makes no DNS query (B49)."""
    return _addresses(_entry(state, host))


def respond(state: State, host: str) -> Answer | Receiver:
    """Answer a request to `host`, or return the receiver that forwards or holds it.

    Uses up a step of the script; for a holding receiver the step becomes its `then`. Checks the host's addresses every
    time (P-6.25).
    """
    receiver = _entry(state, host)
    if failure := _address_failure(_addresses(receiver)):
        return failure
    if receiver is None:
        return OK_ANSWER
    outage = receiver.outage
    if outage and outage.from_ms <= state.now_ms < outage.to_ms:
        return Answer(outcome_of_status(outage.status), outage.status)
    if receiver.used < len(receiver.script):
        state[RECEIVER].put(msgspec.structs.replace(receiver, used=receiver.used + 1))
        step = receiver.script[receiver.used]
        return msgspec.structs.replace(receiver, then=step) if receiver.mode == HOLD else answer_of_step(step)
    if receiver.mode == REFUSE:
        return Answer(REFUSED, None)
    return receiver if receiver.mode in (FORWARD, HOLD) else answer_of_step(receiver.then)


def for_dry_run(receiver: Receiver) -> Receiver:
    """The entry for a dry run: answers 200 instead of forwarding, and gives the default answers instead of holding."""
    if receiver.mode == HOLD:
        return msgspec.structs.replace(receiver, mode=CAPTURE)
    if receiver.mode != FORWARD:
        return receiver
    return msgspec.structs.replace(receiver, mode=CAPTURE, to=None, then=Step())


def receiver_view(receiver: Receiver) -> dict[str, object]:
    """The entry as JSON: every member, and the number of script steps used up."""
    outage = receiver.outage
    return {
        "host": receiver.host,
        "mode": receiver.mode,
        "to": receiver.to,
        "script": [step_to_json(step) for step in receiver.script],
        "used": receiver.used,
        "then": step_to_json(receiver.then) if receiver.mode in (CAPTURE, HOLD) else None,
        "addresses": None if receiver.addresses is None else list(receiver.addresses),
        "outage": outage
        and {"from": format_instant(outage.from_ms), "to": format_instant(outage.to_ms), "status": outage.status},
        "host_header": receiver.host_header,
    }


def _entry(state: State, host: str) -> Receiver | None:
    table = state[RECEIVER]
    return table.find("host", host) or table.find("host", ANY_HOST)


def _addresses(receiver: Receiver | None) -> tuple[str, ...]:
    return DEFAULT_ADDRESSES if receiver is None or receiver.addresses is None else receiver.addresses


def _address_failure(addresses: tuple[str, ...]) -> Answer | None:
    if not addresses:
        return Answer(DNS_ERROR, None)
    for address in addresses:
        if not is_public(address):
            return Answer(BLOCKED_ADDRESS, None)
    return None


def _read_host(host: str) -> str:
    if host == ANY_HOST:
        return host
    try:
        name = check_url(f"https://{host}/").host
    except InvalidUrl as error:
        raise ValueError(f"no endpoint can have this host: {error.message}") from None
    if name != host.lower():
        raise ValueError("the host must be a name without port and path, like hooks.partner.example")
    return name


def _read(state: State, host: str, entry: object, start_ms: int) -> Receiver:
    members = check_members(entry, "a receiver", MEMBERS)
    mode = _read_choice(members.get("mode", CAPTURE), "mode", (CAPTURE, FORWARD, REFUSE, HOLD))
    then = members.get("then")
    if mode not in (CAPTURE, HOLD) and then is not None:
        raise ValueError(f"then is only for modes {CAPTURE} and {HOLD}, not for mode {mode}")
    return Receiver(
        n=state[RECEIVER].next_n,
        host=host,
        mode=mode,
        to=_read_to(state, mode, members.get("to")),
        script=_read_script(members.get("script")),
        then=Step() if then is None else read_step(then),
        addresses=_read_addresses(members.get("addresses")),
        outage=_read_outage(members.get("outage"), start_ms),
        host_header=_read_choice(members.get("host_header", KEEP), "host_header", (KEEP, TARGET)),
    )


def _read_choice(raw: object, name: str, choices: tuple[str, ...]) -> str:
    if not isinstance(raw, str) or raw not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {raw!r}")
    return raw


def _read_to(state: State, mode: str, raw: object) -> str | None:
    if (mode == FORWARD) != (raw is not None):
        raise ValueError(f"mode {FORWARD} requires to, and no other mode takes it")
    if raw is None:
        return None
    if not isinstance(raw, str):
        raise ValueError("to must be a string like http://127.0.0.1:9000")
    check_target(raw, state.handler(FORWARD_ALLOWED)())
    return raw


def _read_script(raw: object) -> tuple[Step, ...]:
    if raw is None:
        return ()
    if not isinstance(raw, list | tuple):
        raise ValueError("script must be a list of steps")
    return tuple(read_step(step) for step in raw)


def _read_addresses(raw: object) -> tuple[str, ...] | None:
    if raw is None:
        return None
    if not isinstance(raw, list | tuple) or not all(isinstance(address, str) for address in raw):
        raise ValueError("addresses must be a list of IP addresses as strings")
    for address in raw:
        ip_address(address)
    return tuple(raw)


def _read_outage(raw: object, start_ms: int) -> Outage | None:
    if raw is None:
        return None
    members = check_members(raw, "an outage", ("from", "to", "status"))
    if "from" not in members or "to" not in members:
        raise ValueError("an outage requires from and to")
    from_ms, to_ms = (_read_instant(members[name], name, start_ms) for name in ("from", "to"))
    if from_ms >= to_ms:
        raise ValueError("an outage must end after it begins")
    return Outage(from_ms, to_ms, read_status(members.get("status", 503)))


def _check_outage(state: State, outage: Outage | None, start_ms: int) -> None:
    if outage is not None and outage.to_ms <= state.now_ms:
        raise ValueError(
            f"the outage ended at {format_instant(outage.to_ms)}, and the clock is at {format_instant(state.now_ms)};"
            f" an offset such as +3d counts from the world's start, {format_instant(start_ms)}"
        )


def _read_instant(raw: object, name: str, start_ms: int) -> int:
    if not isinstance(raw, str):
        raise ValueError(f"{name} must be an instant or an offset such as +3d, as a string")
    return start_ms + parse_duration(raw[1:]) if raw.startswith("+") else parse_instant(raw)
