"""Attempts: a bounded log of every request to an endpoint and its outcome; the oldest are dropped first (G11)."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.index import Derived, Partitioned
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.receiver_script import forget_answer
from giftsim.engine.webhooks.settings import ATTEMPTS_KEPT

DROPPED = "webhooks.attempts_dropped"

NO_DELIVERY = -1

# Why an attempt was made: "" by the retry ladder; the others do not change when the ladder continues.
LADDER, RESEND, DUPLICATE, PING = "", "resend", "duplicate", "ping"


class Attempt(Record, frozen=True, gc=False):
    """One request, number `number` of its delivery; a ping has none (`NO_DELIVERY`).

    `delivery`, `event` and `endpoint` are slots. `outcome` is None while the attempt is in flight. `next_ms` is when
    the ladder's next attempt follows. `effect` is the effect of a fault on this attempt, `fault` the fault's name.
    """

    delivery: int
    event: int
    endpoint: int
    at_ms: int
    number: int
    kind: str
    host: str
    outcome: str | None = None
    status: int | None = None
    next_ms: int | None = None
    mark: str = LADDER
    effect: str = ""
    fault: str = ""

    @property
    def seq(self) -> int:
        return self.n + 1


class AttemptNotFound(Problem, status=404, code="delivery_not_found"):
    """No attempt has that number."""


class WireTiming(Record, frozen=True, gc=False):
    """When a forwarded attempt was signed and how long it took; not part of the world's fingerprint (G6)."""

    attempt: int
    signed_s: int
    took_ms: int


class AppAnswer(msgspec.Struct, frozen=True, gc=False):
    """An app's answer to an attempt (a slot) that a test passed on to it.

    It belongs to those who look, and not to the state: nothing in the world follows from it (G349).
    """

    attempt: int
    status: int
    body: str = ""


def _in_flight(attempt: Attempt) -> str | None:
    return "all" if attempt.outcome is None else None


ATTEMPT: TableSpec[Attempt] = TableSpec(
    "webhooks.attempt",
    Attempt,
    groups={"kind": Partitioned("kind"), "host": Partitioned("host")},  # the oldest are dropped
    moving={"in_flight": Partitioned(Derived(("outcome",), _in_flight))},
)
WIRE_TIMING: TableSpec[WireTiming] = TableSpec("webhooks.wire", WireTiming, unique={"attempt": "attempt"}, hashed=False)


def add_attempt(state: State, attempt: Attempt) -> Attempt:
    """Add an attempt to the log. The oldest are dropped beyond the limit, up to the first that is in flight."""
    table = state[ATTEMPT]
    table.add(attempt)
    dropped = state.counter(DROPPED)
    if table.next_n - dropped > state.setting(ATTEMPTS_KEPT):
        while table.next_n - dropped > state.setting(ATTEMPTS_KEPT) and table.get(dropped).outcome is not None:
            _drop(state, dropped)
            dropped += 1
        state.set_counter(DROPPED, dropped)
    return attempt


def find_attempt(state: State, seq: int) -> Attempt:
    """The attempt of that public number; AttemptNotFound."""
    attempt = state[ATTEMPT].at(seq - 1)
    if attempt is None:
        raise AttemptNotFound(f"There is no delivery {seq}, or the log dropped it because it was full.")
    return attempt


def in_flight(state: State) -> list[Attempt]:
    """The attempts without an outcome yet, in order."""
    return state[ATTEMPT].rows_in("in_flight", "all")


def _drop(state: State, n: int) -> None:
    state[ATTEMPT].drop(n)
    if wire := state[WIRE_TIMING].find("attempt", n):
        state[WIRE_TIMING].drop(wire.n)
    forget_answer(state, n)
