"""A HAR file as traffic of the service: the calls of an app, and the webhooks that it received (G479)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.webhooks.signature import EVENT_HEADER, EVENT_ID_HEADER, HEADER
from giftsim.workbench.compare.called_operation import CalledOperation, Contracts, parse_call
from giftsim.workbench.compare.target import Base, CannotCompare
from giftsim.workbench.har.reading import Exchange, Har

NOT_THE_SERVICE: Final = "no call of an interface, and no webhook"
REPEATED: Final = "an entry that the file has before"
NO_RESPONSE: Final = "a call without a response"
MADE: Final = "a call without a response, made because its repetition shows that it had arrived"
MEANWHILE: Final = "a refusal because a call without a response was under way"
UNDER_WAY: Final = ("idempotency_in_progress", "idempotency_outcome_unknown")  # codes of a 409
NO_BODY: Final = "a call whose body the file lacks: record with bodies"
WEBHOOK_HEADERS: Final = tuple(name.lower() for name in (HEADER, EVENT_HEADER, EVENT_ID_HEADER))


class RecordedCall(msgspec.Struct, frozen=True):
    """A call that an app made. `path` is its path and query as a world has it, below the contract's own prefix."""

    exchange: Exchange
    called: CalledOperation
    path: str

    @property
    def status(self) -> int:
        """The status of its response."""
        return self.exchange.response.status if self.exchange.response else 0

    @property
    def key(self) -> str:
        """Its idempotency key, from the header or the body; "" if it has none."""
        data = _decoded(self.exchange.body)
        return str(self.exchange.headers.get("idempotency-key") or data.get("idempotency_key") or "")

    @property
    def was_replayed(self) -> bool:
        """Whether it was answered with the answer to an earlier call with its key."""
        response = self.exchange.response
        return response is not None and response.headers.get("idempotent-replayed") == "true"

    @property
    def was_under_way(self) -> bool:
        """Whether it was refused because another call with its key was under way."""
        if self.exchange.response is None or self.exchange.response.status != 409:
            return False
        data = _decoded(self.exchange.response.body)
        error = data["error"] if isinstance(data.get("error"), dict) else data
        return error.get("code") in UNDER_WAY


class ReceivedWebhook(msgspec.Struct, frozen=True):
    """One attempt to deliver a webhook, as the app received it; `status` is what the app answered, None for nothing."""

    exchange: Exchange
    kind: str
    event_id: str
    content: Mapping[str, Any]

    @property
    def status(self) -> int | None:
        """The status that the app answered."""
        return self.exchange.response.status if self.exchange.response else None

    @property
    def at_ms(self) -> int:
        """When it was received."""
        return self.exchange.at_ms

    @property
    def data(self) -> Mapping[str, Any]:
        """What the event says; empty if it says nothing."""
        data = self.content.get("data")
        return data if isinstance(data, dict) else {}


class Traffic(msgspec.Struct, frozen=True):
    """The calls and the webhooks of a recording, each in the order of their instants; `left_out` counts the rest.

    `lost` are calls without a response that had an effect: a world gets them too, and nothing judges its answers.
    """

    calls: Sequence[RecordedCall]
    webhooks: Sequence[ReceivedWebhook]
    left_out: Mapping[str, int]
    lost: Sequence[RecordedCall] = ()

    @property
    def start_ms(self) -> int:
        """When the first of them was."""
        return min(each.at_ms for each in self._exchanges)

    @property
    def end_ms(self) -> int:
        """When the last of them was."""
        return max(each.at_ms for each in self._exchanges)

    @property
    def _exchanges(self) -> list[Exchange]:
        return [*(each.exchange for each in (*self.calls, *self.lost)), *(each.exchange for each in self.webhooks)]


def read_traffic(har: Har, contracts: Contracts, bases: Mapping[str, Base], name: str) -> Traffic:
    """The traffic in a HAR file; CannotCompare without a call. `bases` are URLs of interfaces that lie elsewhere."""
    left_out = +Counter({NOT_THE_SERVICE: har.others, REPEATED: har.repeats})
    webhooks = [each for exchange in har.exchanges if (each := _webhook(exchange)) is not None]
    received = {each.exchange.number for each in webhooks}
    calls = []
    found = list(_calls((each for each in har.exchanges if each.number not in received), contracts, bases))
    origins = {call.exchange.origin for _, call in found if call is not None and call.called.operation is not None}
    for exchange, call in found:
        if call is None or (call.called.operation is None and exchange.origin not in origins):
            left_out[NOT_THE_SERVICE] += 1
        elif not exchange.was_sent_whole and exchange.response is not None:
            left_out[NO_BODY] += 1
        else:
            calls.append(call)
    calls, lost = _without_lost(calls, left_out)
    if not calls:
        known = ", ".join(each.prefix for each in contracts.values())
        for reason, what in {NO_BODY: "body", NO_RESPONSE: "response"}.items():
            if left_out[reason]:
                raise CannotCompare(f"{name} lacks the {what} of each call of the service that it has: record it again")
        raise CannotCompare(
            f"{name} has no call of the service among its {len(har.exchanges) + har.others} entries: their paths begin "
            f"with {known}; if the service lies elsewhere, say where with --target URL or --target NAME=URL"
        )
    return Traffic(calls, webhooks, dict(left_out), lost)


def _without_lost(
    calls: Sequence[RecordedCall], left_out: Counter[str]
) -> tuple[list[RecordedCall], list[RecordedCall]]:
    """The calls that can be judged, and those without a response that had an effect; all others are counted."""
    judged, lost = list[RecordedCall](), list[RecordedCall]()
    shown = {_attempt(call): call.exchange.number for call in calls if call.was_replayed or call.was_under_way}
    for call in calls:
        if call.exchange.response is None:
            arrived = call.exchange.was_sent_whole and shown.get(_attempt(call), 0) > call.exchange.number
            left_out[MADE if arrived else NO_RESPONSE] += 1
            lost += [call] if arrived else []
        elif call.was_under_way and any(_attempt(call) == _attempt(each) for each in lost):
            left_out[MEANWHILE] += 1
        else:
            judged.append(call)
    return judged, lost


def _attempt(call: RecordedCall) -> tuple[str, str, str]:
    """What calls that repeat each other have in common. A call without a key has it with no other that was repeated."""
    return call.called.interface, call.called.name, call.key


def _decoded(body: bytes) -> Mapping[str, Any]:
    """A body as a JSON object; empty if it is none."""
    try:
        data = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _calls(
    exchanges: Iterable[Exchange], contracts: Contracts, bases: Mapping[str, Base]
) -> Iterator[tuple[Exchange, RecordedCall | None]]:
    for exchange in exchanges:
        path = _path(exchange, contracts, bases)
        called = parse_call(contracts, exchange.method, path)
        yield exchange, RecordedCall(exchange, called, path) if called is not None else None


def _path(exchange: Exchange, contracts: Contracts, bases: Mapping[str, Base]) -> str:
    """The path as a world has it: below the contract's prefix in place of that of a base URL."""
    for name, base in bases.items():
        below = exchange.target.removeprefix(base.path)
        if exchange.origin == base.origin and exchange.target.startswith(base.path) and below[:1] in ("/", "?", ""):
            return contracts[name].prefix + below
    return exchange.target


def _webhook(exchange: Exchange) -> ReceivedWebhook | None:
    """The webhook that an app received by a request; None if it is none."""
    headers = exchange.headers
    if exchange.method != "POST" or not any(name in headers for name in WEBHOOK_HEADERS):
        return None
    content = _decoded(exchange.body)
    kind = str(content.get("type") or headers.get(EVENT_HEADER.lower()) or "")
    event_id = str(content.get("id") or headers.get(EVENT_ID_HEADER.lower()) or f"entry {exchange.number}")
    return ReceivedWebhook(exchange, kind, event_id, content)
