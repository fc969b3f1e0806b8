"""Receivers: who answers for a public host, and what the world's own DNS says about it (B49, P-6.25)."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address

import msgspec

from giftsim.kernel.instants import format_instant, parse_duration, parse_instant
from giftsim.kernel.signals import Signal
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec
from giftsim.problem import Problem
from giftsim.webhooks.forward_targets import check_target
from giftsim.webhooks.outgoing import BLOCKED_ADDRESS, DNS_ERROR, REFUSED, outcome_of_status
from giftsim.webhooks.receiver_script import (
    OK_ANSWER,
    Answer,
    Step,
    answer,
    check_members,
    read_status,
    read_step,
    step_to_json,
)
from giftsim.webhooks.url_rules import InvalidUrl, check_url, is_public

ANY_HOST = "*"
DEFAULT_ADDRESSES = ("93.184.215.14",)

CAPTURE, FORWARD, REFUSE, HOLD = "capture", "forward", "refuse", "hold"
KEEP, TARGET = "keep", "target"
MEMBERS = ("mode", "to", "script", "then", "addresses", "outage", "host_header")

# The targets beyond loopback that deliveries may be forwarded to (G25).
FORWARD_ALLOWED: Signal[Callable[[], tuple[str, ...]]] = Signal("forward_allowed", lambda: ())


class Outage(msgspec.Struct, frozen=True, gc=False):
    """A span in which nobody is at home: `from_ms` included, `to_ms` not."""

    from_ms: int
    to_ms: int
    status: int


class Receiver(Record, frozen=True, gc=False):
    """Who answers for `host`, or for every host without an entry of its own (`*`).

    `used` entries of the script are spent; afterwards `then` answers, or in another mode than capture that mode does.
    In mode hold an attempt stands until somebody answers it, and script and `then` are what it answers by itself.
    `addresses` is None for the world's default, `()` for a name that does not resolve.
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


# Not hashed: a recording has other receivers, which answer as these did, and comes to the same fingerprint (G4, G6).
RECEIVER: TableSpec[Receiver] = TableSpec(
    "webhooks.receiver", Receiver, unique={"host": lambda receiver: receiver.host}, hashed=False
)


class InvalidReceiver(Problem):
    """An entry of the receiver table that makes no sense."""

    status = 400
    code = "invalid_receiver"


class ReceiverNotFound(Problem):
    """There is no entry for that host."""

    status = 404
    code = "receiver_not_found"


def set_receiver(state: State, host: str, entry: object, *, start_ms: int) -> Receiver:
    """Set who answers for a host (`*` for all others); `start_ms` is what offsets such as `+3d` count from.

    `entry` is `{mode?, to?, script?, then?, addresses?, outage?, host_header?}`; InvalidReceiver says what is wrong.
    """
    try:
        receiver = _read(state, _read_host(host), entry, start_ms)
    except ValueError as error:
        raise InvalidReceiver(f"Receiver {host}: {str(error).rstrip('.')}.") from None
    was = state[RECEIVER].find("host", receiver.host)
    if was is None:
        return state[RECEIVER].add(receiver)
    return state[RECEIVER].put(msgspec.structs.replace(receiver, n=was.n))


def delete_receiver(state: State, host: str) -> None:
    """Forget the entry: the host is captured and answers 200 again. ReceiverNotFound."""
    receiver = state[RECEIVER].find("host", host.lower())
    if receiver is None:
        raise ReceiverNotFound(f"There is no receiver {host}.")
    state[RECEIVER].drop(receiver.n)


def list_receivers(state: State) -> list[Receiver]:
    """All entries in order of creation."""
    return list(state[RECEIVER])


def resolve(state: State, host: str) -> tuple[str, ...]:
    """The addresses of a host in this world's DNS; the network is never asked (B49)."""
    return _addresses(_entry(state, host))


def respond(state: State, host: str) -> Answer | Receiver:
    """What comes back of a request to `host` now: an answer, or the receiver that it is forwarded to or stands at.

    A scripted answer is used up by this; it is the `then` of a receiver that holds. The addresses are judged anew every
    time (P-6.25).
    """
    receiver = _entry(state, host)
    if refusal := _unreachable(_addresses(receiver)):
        return refusal
    if receiver is None:
        return OK_ANSWER
    outage = receiver.outage
    if outage and outage.from_ms <= state.now_ms < outage.to_ms:
        return Answer(outcome_of_status(outage.status), outage.status)
    if receiver.used < len(receiver.script):
        state[RECEIVER].put(msgspec.structs.replace(receiver, used=receiver.used + 1))
        step = receiver.script[receiver.used]
        return msgspec.structs.replace(receiver, then=step) if receiver.mode == HOLD else answer(step)
    if receiver.mode == REFUSE:
        return Answer(REFUSED, None)
    return receiver if receiver.mode in (FORWARD, HOLD) else answer(receiver.then)


def without_network(receiver: Receiver) -> Receiver:
    """The entry as a rehearsal has it: what would be forwarded is taken with 200, what would stand is answered."""
    if receiver.mode == HOLD:
        return msgspec.structs.replace(receiver, mode=CAPTURE)
    if receiver.mode != FORWARD:
        return receiver
    return msgspec.structs.replace(receiver, mode=CAPTURE, to=None, then=Step())


def view(receiver: Receiver) -> dict[str, object]:
    """The entry as the control plane shows it: every member, and how many entries of the script are used."""
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


def _unreachable(addresses: tuple[str, ...]) -> Answer | None:
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
        found = check_url(f"https://{host}/").host
    except InvalidUrl as error:
        raise ValueError(f"no endpoint can have this host: {error.message}") from None
    if found != host.lower():
        raise ValueError("a host is a name alone, like hooks.partner.example, without port and path")
    return found


def _read(state: State, host: str, entry: object, start_ms: int) -> Receiver:
    given = check_members(entry, "a receiver", MEMBERS)
    mode = _read_word(given.get("mode", CAPTURE), "mode", (CAPTURE, FORWARD, REFUSE, HOLD))
    if mode not in (CAPTURE, HOLD) and given.get("then") is not None:
        raise ValueError(f"then is for modes {CAPTURE} and {HOLD}: after its script, mode {mode} is what comes")
    then = given.get("then")
    return Receiver(
        n=state[RECEIVER].next_n,
        host=host,
        mode=mode,
        to=_read_to(state, mode, given.get("to")),
        script=_read_script(given.get("script")),
        then=Step() if then is None else read_step(then),
        addresses=_read_addresses(given.get("addresses")),
        outage=_read_outage(given.get("outage"), start_ms),
        host_header=_read_word(given.get("host_header", KEEP), "host_header", (KEEP, TARGET)),
    )


def _read_word(raw: object, name: str, words: tuple[str, ...]) -> str:
    if not isinstance(raw, str) or raw not in words:
        raise ValueError(f"{name} is one of {', '.join(words)}, not {raw!r}")
    return raw


def _read_to(state: State, mode: str, raw: object) -> str | None:
    if (mode == FORWARD) != (raw is not None):
        raise ValueError(f"to is for mode {FORWARD}, which needs it")
    if raw is None:
        return None
    if not isinstance(raw, str):
        raise ValueError("to is text like http://127.0.0.1:9000")
    check_target(raw, state.handler(FORWARD_ALLOWED)())
    return raw


def _read_script(raw: object) -> tuple[Step, ...]:
    if raw is None:
        return ()
    if not isinstance(raw, list | tuple):
        raise ValueError("script is a list of steps")
    return tuple(read_step(step) for step in raw)


def _read_addresses(raw: object) -> tuple[str, ...] | None:
    if raw is None:
        return None
    if not isinstance(raw, list | tuple) or not all(isinstance(address, str) for address in raw):
        raise ValueError("addresses is a list of IP addresses as text")
    for address in raw:
        ip_address(address)
    return tuple(raw)


def _read_outage(raw: object, start_ms: int) -> Outage | None:
    if raw is None:
        return None
    given = check_members(raw, "an outage", ("from", "to", "status"))
    if "from" not in given or "to" not in given:
        raise ValueError("an outage has from and to")
    from_ms, to_ms = (_read_moment(given[name], name, start_ms) for name in ("from", "to"))
    if from_ms >= to_ms:
        raise ValueError("an outage ends after it begins")
    return Outage(from_ms, to_ms, read_status(given.get("status", 503)))


def _read_moment(raw: object, name: str, start_ms: int) -> int:
    if not isinstance(raw, str):
        raise ValueError(f"{name} is an instant or an offset such as +3d, as text")
    return start_ms + parse_duration(raw[1:]) if raw.startswith("+") else parse_instant(raw)
