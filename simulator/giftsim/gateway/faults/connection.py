"""Faults of the connection: dropped before or after execution, delayed, or held in flight (G16)."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.call import Call
from giftsim.gateway.faults.effect import EffectType, one_of, parse_number
from giftsim.kernel import random_streams

MAX_DELAY_S = 120

DROP = EffectType(
    "drop", "before or after",
    "the connection breaks without a response: before anything is done, or after it is committed, so that the client"
    " cannot know",
    "every operation", one_of("before", "after"), values=("before", "after"),
)  # fmt: skip


def _is_delay(value: Any) -> bool:
    if not isinstance(value, dict):
        return _is_seconds(value)
    return set(value) == {"from", "to"} and all(map(_is_seconds, value.values())) and value["from"] <= value["to"]


def _is_seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= MAX_DELAY_S


def _parse_delay(text: str) -> Any:
    """The value of `1.5`, or of `1..3` for a delay in between."""
    first, dots, last = text.partition("..")
    return {"from": parse_number(first), "to": parse_number(last)} if dots else parse_number(text)


DELAY = EffectType(
    "delay_s", f"0 to {MAX_DELAY_S} real seconds, or {{from, to}} for a seeded choice between (in the header `1..3`)",
    "the response is late; what the call does is done before, and other calls are served meanwhile",
    "every operation", _is_delay, _parse_delay,
)  # fmt: skip
HOLD = EffectType(
    "hold", "true (in the header nothing)",
    "the call stays in flight, its key claimed, until the fault is deleted; then it runs at the time of that moment."
    " After 10 real minutes (`serve --hold-timeout`) it ends with 503, and nothing is done",
    "every operation", one_of(True), during_execution=True, values=(True,),
)  # fmt: skip


def delay_of(call: Call) -> float:
    """The delay of the call's response in real seconds; the same for the same seed and calls."""
    return draw_delay(call.state.seed, f"delay {call.request_id}", call.effect.get("delay_s", 0))


def draw_delay(seed: int, stream: str, delay: Any) -> float:
    """A delay in seconds; one of a range is drawn from a random stream of its own."""
    if isinstance(delay, dict):
        share = random_streams.fraction(seed, stream, 0)
        return float(delay["from"] + (delay["to"] - delay["from"]) * share)
    return float(delay)
