"""The deliveries of a world: the courier sends its outbox without the lock, or a receiver holds it.

A call's deliveries leave in the background after its response, and each outcome is a change by itself (G21). An advance
sends the deliveries of an instant itself, so that time waits for them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from giftsim.engine.courier.courier import Batch, CourierClosed, SendGroup
from giftsim.engine.log.inputs import AttemptCompleted, CallAbandoned, DeliveriesResent
from giftsim.engine.log.journal_file import NotWritten
from giftsim.engine.webhooks.attempt import in_flight
from giftsim.engine.webhooks.dispatch import check_in_flight, complete_attempt, drain_outbox, requeue_attempts
from giftsim.engine.webhooks.outgoing import DELIVERED, TIMEOUT, Outcome, Outgoing
from giftsim.engine.webhooks.receiver_script import Answer
from giftsim.engine.worlds.changes import DELIVERY
from giftsim.engine.worlds.clock import Clock
from giftsim.engine.worlds.held_deliveries import HeldDeliveries, HeldDelivery
from giftsim.engine.worlds.locked_state import LockedState, WorldPart
from giftsim.engine.worlds.world_calls import Calls
from giftsim.engine.worlds.world_errors import ClockBusy, DeliveriesInFlight, DeliveryEnded, WorldGone

MAX_HOSTS = 3
_HOW_TO_GO_ON = "answer it at deliveries/{seq}/answer, or delete its receiver"


class Deliveries(WorldPart):
    """The deliveries of a world that have left its outbox and have no outcome yet.

    `held` are those that a receiver of mode `hold` keeps. `group` is the courier's name for those it sends.
    """

    def __init__(self, world: LockedState, clock: Clock, calls: Calls) -> None:
        super().__init__(world)
        self._clock, self._calls = clock, calls
        self.held = HeldDeliveries()
        self.group = SendGroup()
        self._count = 0  # those that no advance waits for
        self._returned = world.runtime.system.condition()  # notified when one of these has its outcome, or one is held
        self._sent: set[int] = set()  # the attempts (slots) that this process has sent
        self._unrecorded: list[tuple[Outgoing, Outcome]] = []

    def reset(self) -> None:
        """Forget which attempts were sent: they are those of a state that was replaced."""
        self._sent.clear()
        self._unrecorded.clear()

    def abandon(self) -> SendGroup:
        """Forget the deliveries of a state that is gone; returns their group, for the courier to end."""
        group, self.group = self.group, SendGroup()
        held, self.held = self.held, HeldDeliveries()
        self._return(sum(each.detached for each in held.unanswered))
        return group

    def take_outbox(self) -> list[Outgoing]:
        """Empty the outbox; the attempts to send."""
        world = self._world()
        if not world.state.outbox:
            return []
        follows, seen = world.app_clock is not None, world.runtime.app_now_ms
        app_now_ms = None if follows or seen is None else seen()
        origin = world.runtime.origin
        batch = drain_outbox(world.state, origin, world.id, app_follows=follows, app_now_ms=app_now_ms)
        self._sent.update(outgoing.attempt for outgoing in batch)
        return batch

    def requeue_unsent(self) -> None:
        """Put attempts in flight that nobody sends into the outbox again. Call it with the lock.

        They are those of a former process, or of a past that an undo returned to (G5, G95).
        """
        world = self._world()
        own = self._sent.union(outgoing.attempt for outgoing in world.state.outbox)
        attempts = tuple(attempt.n for attempt in in_flight(world.state) if attempt.n not in own)
        if attempts:
            self._clock.log_time()
            world.add_event(DeliveriesResent(attempts=attempts))
            with world.state.transaction():
                requeue_attempts(world.state, attempts)

    def resend(self) -> None:
        """Send again, with the same event ids, what was in flight when the former process ended (G5).

        Call it before clients and timers send other deliveries. Those that this process has sent are left alone.
        """
        with self._world().lock:
            self.requeue_unsent()
        self.send_in_background()

    def send(self, batch: list[Outgoing], epoch: int) -> Sequence[Outcome]:
        """Send a batch without the lock and wait for it. WorldGone or ClockBusy if the world was replaced meanwhile."""
        world, held_deliveries, group = self._world(), self.held, self.group
        outcomes: Sequence[Outcome] = ()
        world.lock.release()
        try:
            with world.runtime.lend_thread():
                outcomes = self._carry(world, batch, epoch, held_deliveries, group)
        except CourierClosed:
            if world.epoch == epoch and not world.deleted:
                raise WorldGone(f"world {world.id} ends with the simulator") from None
        finally:
            world.lock.acquire()
        world.check_epoch(epoch)
        return outcomes

    def record(self, batch: Sequence[Outgoing], outcomes: Sequence[Outcome]) -> None:
        """Record the outcome of each attempt in its own transaction, in the order of the attempts (G23).

        ValueError, with nothing written, if an attempt has an outcome already. NotWritten if the journal file cannot
        be written: the other outcomes are recorded before the next deliveries leave (G200).
        """
        left = deque(zip(batch, outcomes, strict=True))
        try:
            self._clock.log_time()
            while left:
                self._record(*left[0])
                left.popleft()
        except NotWritten:
            self._unrecorded += left
            raise
        self._world().tell_observer()

    def _record(self, outgoing: Outgoing, outcome: Outcome) -> None:
        world = self._world()
        check_in_flight(world.state, outgoing.attempt)
        world.add_event(
            AttemptCompleted(
                attempt=outgoing.attempt,
                host=outgoing.host,
                outcome=outcome.outcome,
                status=outcome.status,
                signed_s=outcome.signed_s,
                took_s=outcome.took_s,
                body=outcome.body,
                cut=outcome.cut,
            )
        )
        with world.state.transaction():
            complete_attempt(world.state, outgoing.attempt, outcome)
        self._sent.discard(outgoing.attempt)
        world.note(DELIVERY, outgoing.attempt, outcome.outcome != DELIVERED)

    def record_late(self) -> None:
        """Record the outcomes that could not be written when they came. Call it with the lock. NotWritten."""
        if self._unrecorded:
            late, self._unrecorded = self._unrecorded, []
            self.record(*zip(*late, strict=True))

    def send_in_background(self) -> None:
        """Send the outbox without waiting for it. During an advance do nothing: the advance sends it itself."""
        world = self._world()
        with world.lock:
            if self._clock.advancing or world.runtime.replaying:
                return
            with suppress(NotWritten):
                self.record_late()
            batch, epoch = self.take_outbox(), world.epoch
            if not batch:
                return
            self._leave(len(batch))
            for outgoing in batch:
                if outgoing.hold:
                    self._hold(self.held, HeldDelivery(outgoing, epoch, detached=True))
            batch = [outgoing for outgoing in batch if not outgoing.hold]
            group = self.group
        if batch:

            def record(sent: Batch) -> None:
                world.runtime.run_logged(lambda: self._record_sent(world, batch, sent, epoch))

            world.runtime.courier.start_all(batch, group, record)
            world.runtime.wake_ticker_if_short()

    def send_within(self, call: int) -> None:
        """Send what call number `call` caused, within the call and without the lock (a test of an endpoint, G21)."""
        world, calls = self._world(), self._calls
        if not world.state.outbox or not calls.suspend(call):
            return
        batch, epoch = self.take_outbox(), world.epoch
        attempts = {outgoing.attempt for outgoing in batch}

        def is_held() -> bool:
            return any(held.outgoing.attempt in attempts for held in self.held.unanswered)

        self._leave(len(batch))
        try:
            with calls.counted_as_held(is_held):
                outcomes = self.send(batch, epoch)
        except ClockBusy as replaced:
            if call in calls.suspended:
                world.add_event(CallAbandoned(call=call))
            raise DeliveryEnded(f"{replaced.message}; make the call again") from None
        else:
            self.record(batch, outcomes)
            calls.resume(call)
        finally:
            calls.suspended.pop(call, None)
            self._return(len(batch))

    def complete(self, answered: Sequence[HeldDelivery]) -> None:
        """Continue held deliveries that have their answer. Call it without the lock.

        A thread that waits for one records its outcome. Those that no thread waits for are recorded here.
        """
        world = self._world()
        world.runtime.waiters.notify()
        for held in answered:
            if held.detached:
                self.held.drop(held)
                self._record_if_current(world, [held.outgoing], [held.outcome(world.runtime.now_s())], held.epoch)

    def wait_until_one_is_held(self) -> None:
        """Wait without the lock until a delivery is held, or no advance is in progress."""
        world = self._world()
        _wait(world, lambda: bool(self.held.unanswered) or not self._clock.advancing or world.runtime.closing)

    def settle(self) -> None:
        """Wait until no advance is in progress and no delivery is on its way (G7, G21). Call it with the lock.

        ClockBusy while an advance waits for a delivery or a delivery is held, DeliveriesInFlight after the longest
        wait, NotWritten for an outcome, WorldGone.
        """
        world = self._world()
        self._wait_for_advance(world)
        self.record_late()
        limit_s = world.runtime.limits.settle_s
        deadline = world.runtime.system.monotonic() + limit_s
        while self._count or world.state.outbox:
            world.lock.release()
            try:
                self.send_in_background()
                with world.runtime.lend_thread():
                    world.runtime.courier.dispatcher.help()
                    with self._returned:
                        has_ended = self._returned.wait_for(
                            lambda: world.deleted or not self._count or self.held.unanswered,
                            max(0.0, deadline - world.runtime.system.monotonic()),
                        )
            finally:
                world.lock.acquire()
            self._wait_for_advance(world)
            if held := self.held.unanswered:
                raise ClockBusy(f"delivery {held[0].outgoing.attempt + 1} of world {world.id} is held: {_HOW_TO_GO_ON}")
            if not has_ended:
                raise self._still_on_their_way(world, limit_s)

    def _wait_for_advance(self, world: LockedState) -> None:
        """Give the lock to an advance until it is done. It releases the lock now and then, and at deliveries."""
        clock = self._clock
        while clock.advancing and not world.deleted:
            if clock.waits_for is not None:
                held, hint = self.held.unanswered, "try again when it has answered"
                if held:
                    hint = f"delivery {held[0].outgoing.attempt + 1} is held: {_HOW_TO_GO_ON}"
                raise ClockBusy(f"an advance of world {world.id} waits for a delivery; {hint}")
            if clock.app_acts:
                raise ClockBusy(f"an advance of world {world.id} waits for the app to act; try again when it has")
            world.lock.give_way()
        world.check_deleted()

    def _still_on_their_way(self, world: LockedState, limit_s: float) -> DeliveriesInFlight:
        hosts = ", ".join(sorted({attempt.host for attempt in in_flight(world.state)})[:MAX_HOSTS])
        return DeliveriesInFlight(
            f"{self._count} deliveries of world {world.id} are still on their way after {limit_s:g} s, to {hosts}: "
            "their receiver hangs or is slow; let it answer, or reset the world"
        )

    def _carry(
        self,
        world: LockedState,
        batch: Sequence[Outgoing],
        epoch: int,
        held_deliveries: HeldDeliveries,
        group: SendGroup,
    ) -> list[Outcome]:
        """Send a batch and wait for the held requests. The outcomes are in the order of the batch. CourierClosed."""
        held = [HeldDelivery(outgoing, epoch, detached=False) for outgoing in batch if outgoing.hold]
        for each in held:
            self._hold(held_deliveries, each)
        try:
            sent = [outgoing for outgoing in batch if not outgoing.hold]
            carried = iter(world.runtime.courier.send_all(sent, group))
            if held:
                _wait_for_answers(world, held, epoch)
            answered, now_s = iter(held), world.runtime.now_s()
            return [next(answered).outcome(now_s) if outgoing.hold else next(carried) for outgoing in batch]
        finally:
            for each in held:
                held_deliveries.drop(each)

    def _hold(self, held_deliveries: HeldDeliveries, held: HeldDelivery) -> None:
        held_deliveries.by_attempt[held.outgoing.attempt] = held
        with self._returned:
            self._returned.notify_all()
        self._world().runtime.waiters.notify()

    def _record_sent(self, world: LockedState, batch: Sequence[Outgoing], sent: Batch, epoch: int) -> None:
        try:
            outcomes = sent.outcomes()
        except CourierClosed:  # the world was deleted, or the simulator ends: no outcome counts
            self._return(len(batch))
            return
        except BaseException:
            self._return(len(batch))
            raise
        self._record_if_current(world, batch, outcomes, epoch)

    def _record_if_current(
        self, world: LockedState, batch: Sequence[Outgoing], outcomes: Sequence[Outcome], epoch: int
    ) -> None:
        """Record outcomes of background deliveries, unless the state was replaced since they left."""
        try:
            with world.lock:
                if world.epoch == epoch and not world.deleted:
                    with suppress(NotWritten):
                        self.record(batch, outcomes)
                        self._clock.catch_up()
        finally:
            self._return(len(batch))
        world.runtime.wake_ticker()
        self.send_in_background()

    def _leave(self, count: int) -> None:
        with self._returned:
            self._count += count

    def _return(self, count: int) -> None:
        with self._returned:
            self._count -= count
            self._returned.notify_all()


def _wait_for_answers(world: LockedState, held: Sequence[HeldDelivery], epoch: int) -> None:
    """Wait until deliveries are answered, or their state is replaced. Those held for too long time out (G81)."""

    def is_over() -> bool:
        return world.epoch != epoch or all(each.answer for each in held)

    limit_s = world.runtime.limits.held_call_s if world.runtime.waiters.can_wait() else 0.0
    if not _wait(world, lambda: world.runtime.closing or is_over(), limit_s):
        with world.lock:
            for each in held:
                each.answer = each.answer or Answer(TIMEOUT, None)
    if not is_over() and world.runtime.closing:
        raise CourierClosed


def _wait(world: LockedState, done: Callable[[], bool], limit_s: float | None = None) -> bool:
    """Wait until something is done or the world is deleted; False at the limit."""
    with world.runtime.lend_thread(), world.runtime.waiters.changed:
        return world.runtime.waiters.changed.wait_for(lambda: world.deleted or done(), limit_s)
