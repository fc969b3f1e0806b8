"""Deliveries to a receiver of mode `hold`: they wait for a test to answer for the receiver."""

from __future__ import annotations

from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.outgoing import TIMEOUT, Outcome, Outgoing
from giftsim.engine.webhooks.receiver_script import Answer


class NotHeld(Problem, status=409, code="not_held"):
    """The delivery is not held: it was answered already, or its receiver does not hold deliveries."""


class HeldDelivery:
    """One delivery attempt that waits for an answer.

    `epoch` is the world's epoch at sending. No call or advance waits for a `detached` attempt: the call that answers it
    also records the outcome. `answer` is None until one is given.
    """

    def __init__(self, outgoing: Outgoing, epoch: int, *, detached: bool) -> None:
        self.outgoing, self.epoch, self.detached = outgoing, epoch, detached
        self.answer: Answer | None = None

    @property
    def default_answer(self) -> Answer:
        """The receiver's answer if the test names none."""
        hold = self.outgoing.hold
        return Answer(hold.outcome, hold.status, hold.body) if hold else Answer(TIMEOUT, None)

    def outcome(self, now_s: int) -> Outcome:
        """The answer as the courier would report it at that second. A held attempt takes no time."""
        answer, signed_s = self.answer or Answer(TIMEOUT, None), self.outgoing.sign_s
        signed_s = now_s if signed_s is None else signed_s
        return Outcome(answer.outcome, answer.status, signed_s, 0.0, answer.body)


class HeldDeliveries:
    """The held deliveries of one world, by the slot of the attempt."""

    def __init__(self) -> None:
        self.by_attempt: dict[int, HeldDelivery] = {}

    @property
    def unanswered(self) -> list[HeldDelivery]:
        """Those without an answer, in the order of the attempts."""
        return [held for _, held in sorted(self.by_attempt.copy().items()) if held.answer is None]

    def find(self, attempt: int) -> HeldDelivery:
        """The held delivery of an attempt (a slot). NotHeld when there is none or it was answered."""
        held = self.by_attempt.get(attempt)
        if held is None or held.answer is not None:
            raise NotHeld(f"delivery {attempt + 1} is not held by a receiver of mode hold")
        return held

    def drop(self, held: HeldDelivery) -> None:
        """Forget a delivery that is over; one of a later state may have its slot by now."""
        if self.by_attempt.get(held.outgoing.attempt) is held:
            del self.by_attempt[held.outgoing.attempt]

    def time_out(self, entry: str) -> list[HeldDelivery]:
        """Time out the deliveries that the receiver entry of a name holds. The world is locked."""
        timed_out = [held for held in self.unanswered if held.outgoing.hold and held.outgoing.hold.entry == entry]
        for held in timed_out:
            held.answer = Answer(TIMEOUT, None)
        return timed_out
