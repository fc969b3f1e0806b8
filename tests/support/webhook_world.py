"""A world with webhooks only, for unit tests; a function stands in for the courier."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from giftsim.engine.definitions import WEBHOOKS
from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.instants import format_instant, parse_duration, parse_instant
from giftsim.engine.kernel.signals import Connection, connect
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import ERRORS
from giftsim.engine.webhooks import dispatch, endpoint, receiver
from giftsim.engine.webhooks.attempt import ATTEMPT, Attempt, attempt_view
from giftsim.engine.webhooks.delivery import DELIVERY, STATE_PHASE, Delivery
from giftsim.engine.webhooks.endpoint import ENDPOINT, Endpoint
from giftsim.engine.webhooks.fan_out import EVENT_DATA, ping_endpoint
from giftsim.engine.webhooks.outgoing import Outcome, Outgoing
from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS

HOST = "hooks.partner.example"
URL = f"https://{HOST}/gifts?from=us"
SHIPPED = "team_order.shipped"
START = "2027-01-04T09:20:00Z"
ORIGIN = "http://giftsim.example"


def describe(state: State, owner: str, kind: str, subject: int, facts: Mapping[str, Any], now_ms: int) -> bytes:
    """The `data` of an event (handles EVENT_DATA)."""
    return f'{{"subject":{subject},"occurred_at":"{format_instant(now_ms)}"}}'.encode()


def late(state: State, subject: int) -> None:
    """A timer that emits an event about `subject`."""
    state.emit(SHIPPED, "account 0", subject)


class WebhookWorld:
    """The state of one world, with a method for everything that tests do to it."""

    def __init__(self, *connections: Connection, seed: int = 1, start: str = START) -> None:
        has_own = any(connection.signal is EVENT_DATA for connection in connections)
        handlers = connections if has_own else (*connections, connect(EVENT_DATA, describe))
        definitions = merge_definitions(WEBHOOKS, PackageDefinitions(timers={"late": late}, connections=handlers))
        self.state = State(definitions.compiled(ERRORS), seed, parse_instant(start))
        self.start_ms = self.state.now_ms
        self.courier: Callable[[Outgoing], Outcome] = lambda _: Outcome("delivered", 200, 0, 0.001)
        self.sent: list[Outgoing] = []

    def subscribe(self, *kinds: str, url: str = URL, owner: str = "account 0", key: str = "prepaid") -> Endpoint:
        with self.state.transaction():
            subscribed = list(kinds or PARTNER_KINDS)
            return endpoint.create_endpoint(
                self.state, owner=owner, key=key, url=url, kinds=subscribed, known=PARTNER_KINDS
            )

    def set_receiver(self, host: str = HOST, **entry: object) -> receiver.Receiver:
        with self.state.transaction():
            return receiver.set_receiver(self.state, host, entry, start_ms=self.start_ms)

    def emit(self, kind: str = SHIPPED, subject: int = 0, owner: str = "account 0", **facts: Any) -> None:
        with self.state.transaction():
            self.state.emit(kind, owner, subject, **facts)

    def emit_at(self, instant: str, subject: int = 0) -> None:
        with self.state.transaction():
            self.state.timers.set(parse_instant(instant), "test", subject, "late", "set by a test", STATE_PHASE)

    def ping(self) -> Attempt:
        """Send a test ping to the first endpoint."""
        with self.state.transaction():
            return ping_endpoint(self.state, self.endpoints[0])

    def change_setting(self, name: str, raw: object) -> None:
        with self.state.transaction():
            self.state.set_setting(name, raw)

    def advance(self, span: str = "0s") -> None:
        """Fire all timers until the end of a span, inclusive, and send what they leave in the outbox."""
        to_ms = self.state.now_ms + parse_duration(span)
        self.send_due()
        while (timer := self.state.timers.peek()) and timer.due_ms <= to_ms:
            self.state.fire(timer)
            self.send_due()
        self.state.now_ms = to_ms

    def advance_until_idle(self) -> None:
        """Fire timers until none is left."""
        self.send_due()
        while timer := self.state.timers.peek():
            self.state.fire(timer)
            self.send_due()

    def take_outgoing(self) -> list[Outgoing]:
        return dispatch.drain_outbox(self.state, ORIGIN, "w1")

    def send_due(self) -> None:
        while batch := self.take_outgoing():
            self.sent += batch
            for outgoing in batch:
                self.record(outgoing, self.courier(outgoing))

    def record(self, outgoing: Outgoing, outcome: Outcome) -> None:
        with self.state.transaction():
            dispatch.complete_attempt(self.state, outgoing.attempt, outcome)

    @property
    def attempts(self) -> list[Attempt]:
        return list(self.state[ATTEMPT])

    @property
    def deliveries(self) -> list[Delivery]:
        return list(self.state[DELIVERY])

    @property
    def endpoints(self) -> list[Endpoint]:
        return list(self.state[ENDPOINT])

    @property
    def times(self) -> list[str]:
        return [format_instant(attempt.at_ms) for attempt in self.attempts]

    @property
    def outcomes(self) -> list[tuple[str | None, int | None]]:
        return [(attempt.outcome, attempt.status) for attempt in self.attempts]

    def control_row(self, seq: int, wall_s: int = 0) -> dict[str, Any]:
        """The attempt as the control API shows it."""
        return attempt_view(self.state, self.attempts[seq - 1], lambda body: body, wall_s)
