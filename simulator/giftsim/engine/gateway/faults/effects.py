"""What faults do: other answers, broken, slow and held connections, spoiled webhooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.effect_types import (
    EffectOption,
    EffectType,
    EffectTypes,
    InvalidFault,
    error_codes,
    parse_number,
    response_node,
)
from giftsim.engine.gateway.faults.table import NAMED, message_of
from giftsim.engine.gateway.problem import InjectedFault
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel import random_streams
from giftsim.engine.kernel.member import Member, Number, NumberOrRange, OneOf, Text, Yes, YesOrNo
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.webhooks.dispatch import KEEP_BACK, REORDER, SEND_TWICE
from giftsim.engine.webhooks.outgoing import (
    BAD_SIGNATURE,
    FUTURE_SIGNATURE,
    NO_SIGNING_KEY,
    STALE_SIGNATURE,
    WebhooksUnavailable,
)

MAX_DELAY_S = 120

DROP = EffectType(
    Member(
        "drop",
        OneOf(("before", "after"), "a point at which to drop the connection"),
        "The connection breaks before the operation runs, or after it.",
    ),
    "before or after",
    does="the connection breaks without a response, before the call acts or after its change is committed: the client"
    " cannot know which",
    acts_on="every operation",
    place=30,
)


def _parse_delay(text: str) -> Any:
    """The value of `1.5`, or of `1..3` for a delay in between."""
    first, dots, last = text.partition("..")
    return {"from": parse_number(first), "to": parse_number(last)} if dots else parse_number(text)


DELAY = EffectType(
    Member(
        "delay_s",
        NumberOrRange(Number(0, MAX_DELAY_S, "a number of seconds"), "delay"),
        "Delays the response by this many real seconds.",
        note="Real seconds, or a range from which the seed chooses.",
        takes_words=f"0 to {MAX_DELAY_S} seconds, or {{from, to}}",
    ),
    f"0 to {MAX_DELAY_S} real seconds, or {{from, to}} for a seeded choice between (in the header `1..3`)",
    _parse_delay,
    does="the response is late, although the call has acted; other calls are served meanwhile",
    acts_on="every operation",
    place=50,
)
HOLD = EffectType(
    Member("hold", Yes(), "The call is held until the fault is cleared."),
    "true (in the header nothing)",
    does="the call waits, with its idempotency key in use, until the fault is deleted, and then runs at the current"
    " time. After 10 real minutes (`serve --hold-timeout`) it ends with 503 and does nothing",
    acts_on="every operation",
    during_execution=True,
    place=60,
)


def delay_of(call: Call) -> float:
    """The delay of the call's response in real seconds; the same for the same seed and calls."""
    return draw_delay(call.state.seed, f"delay {call.request_id}", call.effect.get("delay_s", 0))


def draw_delay(seed: int, stream: str, delay: Any) -> float:
    """A delay in seconds; one of a range is drawn from its own random stream."""
    if isinstance(delay, dict):
        share = random_streams.draw_fraction(seed, stream, 0)
        return float(delay["from"] + (delay["to"] - delay["from"]) * share)
    return float(delay)


FIRST_STATUS, LAST_STATUS = 200, 599
MAX_RETRY_S = 10**9


CODE = EffectOption(
    Member("code", Text(1, 100), "The code of the error with `status`.", note="The error code for `status`."),
    "an error code that is documented for it, by default the first",
)
RETRY_AFTER = EffectOption(
    Member(
        "retry_after",
        Number(0, MAX_RETRY_S, "a number of seconds", whole=True),
        "The `Retry-After` header with `status`, in seconds.",
        note="The `Retry-After` header for `status`.",
    ),
    "whole seconds, for the header `Retry-After`",
    parse_number,
)
UNDOCUMENTED = EffectOption(
    Member(
        "undocumented",
        YesOrNo(),
        "Allows a `status` that the contract does not list for the operation.",
        note="Allows a `status` or `code` that the operation does not document.",
    ),
    "true, for a status or code that the operation does not document",
)
STATUS = EffectType(
    Member("status", Number(FIRST_STATUS, LAST_STATUS, "an HTTP status", whole=True), "An HTTP status."),
    f"an HTTP status from {FIRST_STATUS} to {LAST_STATUS}",
    parse_number,
    does="the operation answers with this status, which must be an error that it documents",
    acts_on="every operation",
    options={option.name: option for option in (CODE, RETRY_AFTER, UNDOCUMENTED)},
    place=20,
)


def inject_status(call: Call) -> None:
    """Raise the error of a `status` effect; InvalidFault for an undocumented status without `undocumented: true`."""
    effect = call.effect
    if "status" not in effect:
        return
    status = effect["status"]
    check_status(service_of(call.state).effect_types, call.operation, effect)
    code = effect.get("code") or (error_codes(call.operation, status) or [f"status_{status}"])[0]
    raise InjectedFault(message_of(call.state, call.fault, status), status, str(code), effect.get("retry_after"))


def check_status(types: EffectTypes, operation: Operation, effect: Mapping[str, Any]) -> None:
    """InvalidFault for a status, or a code with it, that the operation does not document as a plain error."""
    if can_refuse(operation, effect):
        return
    status, codes = effect["status"], error_codes(operation, effect["status"])
    if can_refuse(operation, {"status": status}):
        raise InvalidFault(unknown_code(effect, codes))
    reason, way = refused_status(types, operation, effect, operation.id)
    raise InvalidFault(f"{reason}; {f'{way} ' if way else ''}{WAY}")


WAY: Final = "say undocumented: true to get it"


def refused_status(types: EffectTypes, operation: Operation, effect: Mapping[str, Any], name: str) -> tuple[str, str]:
    """Why an operation, called `name`, cannot get a status, and what to do instead, if anything."""
    status = effect["status"]
    if status in operation.documented and status >= 400:
        better = types.with_codes(error_codes(operation, status))
        way = f"use the effect {better.name}, or" if better else "send what it refuses, or"
        return f"the {status} of {name} has members that this effect cannot give", way
    plain = ", ".join(str(known) for known in operation.documented if _is_plain_error(operation, known))
    return f"{name} documents the errors {plain}, not {status}", ""


def unknown_code(effect: Mapping[str, Any], codes: Sequence[str]) -> str:
    """What is wrong with the code of a `status` effect, and the nearest of those that are documented."""
    given = f"code: {effect['code'][:60]!r} is not documented for {effect['status']} (undocumented: true allows it)"
    return f"{given}; {suggest_name(effect['code'], list(dict.fromkeys(codes)))}"


def can_refuse(operation: Operation, effect: Mapping[str, Any]) -> bool:
    """Whether the operation documents the error, with its code if one is given, or the effect says `undocumented`."""
    if effect.get("undocumented"):
        return True
    status = effect["status"]
    if status not in operation.documented or not _is_plain_error(operation, status):
        return False
    return effect.get("code") is None or effect["code"] in error_codes(operation, status)


def _is_plain_error(operation: Operation, status: int) -> bool:
    return status >= 400 and bool(response_node(operation, status).get("x-injectable", True))


NO_KEY = "webhooks_unavailable"
KINDS: Final = (SEND_TWICE, REORDER, KEEP_BACK, BAD_SIGNATURE, STALE_SIGNATURE, FUTURE_SIGNATURE)


def _needs_key(operation: Operation, _: Any) -> bool:
    return NO_KEY in error_codes(operation, 503)


def _writes(operation: Operation, kind: Any) -> bool:
    """Whether a fault of a call can spoil the events that it causes. What is held needs a fault that can be deleted."""
    return operation.method != "GET" and kind != KEEP_BACK


SIGNING_KEY = EffectType(
    Member(
        "signing_key",
        OneOf(("missing",), "a state of the signing key"),
        "Webhooks cannot be signed: 503 webhooks_unavailable.",
    ),
    "missing",
    does="503 `webhooks_unavailable`; a fault without `match` and `when` also keeps webhooks from being sent",
    acts_on="making and testing webhooks",
    can_act=_needs_key,
    during_execution=True,
    place=70,
)
WEBHOOK = EffectType(
    Member("webhook", OneOf(KINDS, "a webhook fault"), "The failure of the delivery."),
    f"one of {', '.join(KINDS)}",
    does="what receivers must handle: an event sent twice; an event that arrives after the next one, or an hour late if"
    " none follows; an event that is held until the fault is deleted, while time and other events go on; a signature"
    " that is wrong, ten minutes old or ten minutes in the future",
    acts_on="deliveries; `match.event` and `match.host` can select them. As a header, except for `hold`: the first"
    " attempts for the events that the call causes, and for all later events about the records that it creates",
    can_act=_writes,
    place=80,
)


def check_signing_key(call: Call) -> None:
    """WebhooksUnavailable when a fault removes the signing key for this call (P-7.28)."""
    if call.effect.get(SIGNING_KEY.name) == "missing":
        call.fault_acted = True
        if not call.state.setting(NAMED):
            raise WebhooksUnavailable(NO_SIGNING_KEY)
        raise WebhooksUnavailable("this environment has no signing key (an injected fault)")
