"""What receivers answered: the beginning of each body, for people to read, of the newest answers (G150)."""

from __future__ import annotations

from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

KEPT_BYTES = 4096
KEPT_ANSWERS = 1000


class ReceiverAnswer(Record, frozen=True, gc=False):
    """The body that answered an attempt (a slot), unchanged; `cut` if it was longer."""

    attempt: int
    body: bytes
    cut: bool


# Not hashed: what a receiver writes changes nothing in a world (G6).
RECEIVER_ANSWER: TableSpec[ReceiverAnswer] = TableSpec(
    "webhooks.receiver_answer", ReceiverAnswer, unique={"attempt": lambda answer: answer.attempt}, hashed=False
)


def keep_answer(state: State, attempt: int, body: bytes, cut: bool = False) -> None:
    """Keep the beginning of a body that is not empty. The oldest answer makes room for one beyond the limit."""
    if not body:
        return
    table = state[RECEIVER_ANSWER]
    n = table.next_n
    table.add(ReceiverAnswer(n, attempt, body[:KEPT_BYTES], cut or len(body) > KEPT_BYTES))
    if table.at(n - KEPT_ANSWERS) is not None:
        table.drop(n - KEPT_ANSWERS)


def find_answer(state: State, attempt: int) -> ReceiverAnswer | None:
    """What answered an attempt; None for an empty body, and for one that is not kept."""
    return state[RECEIVER_ANSWER].find("attempt", attempt)


def forget_answer(state: State, attempt: int) -> None:
    """Drop the answer of an attempt that is dropped."""
    if answer := find_answer(state, attempt):
        state[RECEIVER_ANSWER].drop(answer.n)
