"""Faults of the connection: broken before or after the work, slow, or kept in flight (G16)."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.call import Call
from giftsim.gateway.faults.effect import Family, number, one_of
from giftsim.kernel import random_streams

MOST_DELAY_S = 120

DROP = Family(
    "drop", "before or after",
    "the connection breaks without an answer: before the work, or after it is committed, so that the client cannot"
    " know",
    "every operation", one_of("before", "after"),
)  # fmt: skip


def _is_delay(value: Any) -> bool:
    if not isinstance(value, dict):
        return _is_span(value)
    return set(value) == {"from", "to"} and all(map(_is_span, value.values())) and value["from"] <= value["to"]


def _is_span(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= MOST_DELAY_S


def _read_delay(text: str) -> Any:
    """`1.5`, or `1..3` for something between."""
    first, dots, last = text.partition("..")
    return {"from": number(first), "to": number(last)} if dots else number(text)


DELAY = Family(
    "delay_s", f"0 to {MOST_DELAY_S} real seconds, or {{from, to}} for a seeded choice between (in the header `1..3`)",
    "the answer is slow; the work is done before, and the world goes on meanwhile", "every operation", _is_delay,
    _read_delay,
)  # fmt: skip
HOLD = Family(
    "hold", "true (in the header nothing)",
    "the call stays in flight, its key claimed, until the fault is deleted; then it runs at the then present time",
    "every operation", one_of(True), within=True,
)  # fmt: skip


def lateness(call: Call) -> float:
    """By how many real seconds the call's effect makes its answer late; the same for the same seed and calls."""
    return drawn(call.state.seed, f"delay {call.request_id}", call.effect.get("delay_s", 0))


def drawn(seed: int, stream: str, delay: Any) -> float:
    """A delay in seconds, or one out of a span by a stream of its own."""
    if isinstance(delay, dict):
        share = random_streams.fraction(seed, stream, 0)
        return float(delay["from"] + (delay["to"] - delay["from"]) * share)
    return float(delay)
