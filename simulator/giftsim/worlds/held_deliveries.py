"""Held attempts: they leave as forwarded ones do, dial nobody, and stand until somebody answers for the receiver.

An advance or a ping waits for its own; what left behind a call stands loose, and whoever answers it brings it home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from giftsim.courier import CourierClosed
from giftsim.kernel.problem import Problem
from giftsim.webhooks.outgoing import TIMEOUT, Outcome, Outgoing
from giftsim.webhooks.receiver_script import Answer
from giftsim.worlds import system_clock

if TYPE_CHECKING:
    from giftsim.worlds.world import World


class NotHeld(Problem):
    """The attempt does not stand at a receiver that holds: it was answered, or never did."""

    status = 409
    code = "not_held"


class Standing:
    """One held attempt; `epoch` is the world's when it left. `answer` is None until somebody gives one."""

    def __init__(self, outgoing: Outgoing, epoch: int, *, loose: bool) -> None:
        self.outgoing, self.epoch, self.loose = outgoing, epoch, loose
        self.answer: Answer | None = None

    @property
    def own(self) -> Answer:
        """What the receiver answers by itself."""
        hold = self.outgoing.hold
        return Answer(hold.outcome, hold.status) if hold else Answer(TIMEOUT, None)

    @property
    def outcome(self) -> Outcome:
        """The answer as the courier would bring it; a held attempt takes no time."""
        answer, signed_s = self.answer or Answer(TIMEOUT, None), self.outgoing.sign_s
        return Outcome(
            answer.outcome, answer.status, int(system_clock.seconds()) if signed_s is None else signed_s, 0.0
        )


class Standings:
    """The attempts of one world that stand, by the slot of the attempt."""

    def __init__(self) -> None:
        self.by_attempt: dict[int, Standing] = {}

    @property
    def open(self) -> list[Standing]:
        """Those that nobody has answered yet, in the order of the attempts."""
        return [found for _, found in sorted(self.by_attempt.copy().items()) if found.answer is None]

    def find(self, attempt: int) -> Standing:
        """The one of an attempt (a slot); NotHeld."""
        found = self.by_attempt.get(attempt)
        if found is None or found.answer is not None:
            raise NotHeld(f"delivery {attempt + 1} does not stand at a receiver of mode hold")
        return found


def let_stand(world: World, batch: Sequence[Outgoing]) -> list[Outgoing]:
    """Let the held ones of a batch stand loose; the rest of it. The world's lock is held."""
    for outgoing in batch:
        if outgoing.hold:
            _stand(world, outgoing, loose=True)
    return [outgoing for outgoing in batch if not outgoing.hold]


def carry(world: World, batch: Sequence[Outgoing]) -> list[Outcome]:
    """Make all requests of a batch: the courier carries some, others stand here meanwhile; outcomes in its order.

    CourierClosed when the simulator ends; a world that is deleted meanwhile is the caller's to notice.
    """
    held = [_stand(world, outgoing, loose=False) for outgoing in batch if outgoing.hold]
    try:
        carried = iter(world.registry.courier.send_all([outgoing for outgoing in batch if not outgoing.hold]))
        _wait(world, lambda: all(found.answer for found in held))
        stood = iter(held)
        return [next(stood).outcome if outgoing.hold else next(carried) for outgoing in batch]
    finally:
        for found in held:
            world.standings.by_attempt.pop(found.outgoing.attempt, None)


@contextmanager
def counted(world: World, batch: Sequence[Outgoing]) -> Iterator[None]:
    """Count the call that sends a batch among the held ones of its world, as long as one of the batch stands."""
    attempts = [outgoing.attempt for outgoing in batch]

    def stands() -> bool:
        return any(found.outgoing.attempt in attempts for found in world.standings.open)

    world.holding.append(stands)
    try:
        yield
    finally:
        world.holding.remove(stands)
        world.registry.parking.wake()


def answer(found: Standing, given: Answer) -> None:
    """Answer for the receiver. The world's lock is held; `bring_home` follows once it is not."""
    found.answer = given


def give_up(world: World, entry: str) -> list[Standing]:
    """The receiver of that entry is another or gone: what stands at it has timed out. As `answer`."""
    found = [each for each in world.standings.open if each.outgoing.hold and each.outgoing.hold.entry == entry]
    for each in found:
        answer(each, Answer(TIMEOUT, None))
    return found


def free(world: World) -> list[Standing]:
    """What stands loose has timed out, since the world is put back. As `answer`."""
    found = [each for each in world.standings.open if each.loose]
    for each in found:
        answer(each, Answer(TIMEOUT, None))
    return found


def bring_home(world: World, answered: Sequence[Standing]) -> None:
    """Let those go on who waited for the answers, and record what nobody waited for. The world's lock is not held."""
    from giftsim.worlds.advance import landed

    world.registry.parking.wake()
    for found in answered:
        if found.loose:
            world.standings.by_attempt.pop(found.outgoing.attempt, None)
            landed(world, [found.outgoing], [found.outcome], found.epoch)


def await_standing(world: World) -> None:
    """Wait without the lock until something stands, or no advance is under way."""
    _wait(world, lambda: bool(world.standings.open) or not world.driving, closed=False)


def _stand(world: World, outgoing: Outgoing, *, loose: bool) -> Standing:
    found = world.standings.by_attempt[outgoing.attempt] = Standing(outgoing, world.epoch, loose=loose)
    with world.landed:
        world.landed.notify_all()
    world.registry.parking.wake()
    return found


def _wait(world: World, done: Callable[[], bool], *, closed: bool = True) -> None:
    registry = world.registry
    with registry.lend(), registry.parking.changed:
        registry.parking.changed.wait_for(lambda: world.gone or registry.closing or done())
    if closed and registry.closing and not done():
        raise CourierClosed
