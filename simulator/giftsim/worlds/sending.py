"""Sending what the outbox of a world holds: by the courier without the lock, or to receivers that hold deliveries.

A call's deliveries leave in the background after its response, and their outcomes come back as changes of their own
(G21). An advance sends the deliveries of an instant itself, so that time waits for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from giftsim.courier.courier import Batch, CourierClosed, SendGroup
from giftsim.event_log.inputs import AttemptCompleted, CallAbandoned, DeliveriesResent
from giftsim.webhooks.attempt import in_flight
from giftsim.webhooks.dispatch import check_in_flight, complete_attempt, drain_outbox, requeue
from giftsim.webhooks.outgoing import TIMEOUT, Outcome, Outgoing
from giftsim.webhooks.receiver_script import Answer
from giftsim.worlds.changes import DELIVERY
from giftsim.worlds.held_deliveries import HeldDeliveries, HeldDelivery
from giftsim.worlds.problem import ClockBusy, DeliveryEnded, WorldGone
from giftsim.worlds.world import World

WAS_DELETED = "was deleted while a delivery was under way"


def take_outbox(world: World) -> list[Outgoing]:
    """Empty the outbox; the attempts that have to be sent."""
    if not world.state.outbox:
        return []
    batch = drain_outbox(world.state, world.runtime.origin, world.id)
    world.under_way.update(outgoing.attempt for outgoing in batch)
    return batch


def resend_unsent(world: World) -> None:
    """Put attempts in flight that nobody sends into the outbox again: those of a former process, or of a past that
    an undo returned to (G5, G95). Call it with the lock.
    """
    own = world.under_way.union(outgoing.attempt for outgoing in world.state.outbox)
    attempts = tuple(attempt.n for attempt in in_flight(world.state) if attempt.n not in own)
    if attempts:
        world.log_time()
        world.add_event(DeliveriesResent(attempts=attempts))
        with world.state.transaction():
            requeue(world.state, attempts)


def resend_in_flight(worlds: Iterable[World]) -> None:
    """Send again, with the same event ids, the deliveries that were in flight when the former process ended (G5).

    Call it before clients and timers send others; those that this process has sent are left alone in any case.
    """
    for world in list(worlds):
        with world.lock:
            resend_unsent(world)
        send_in_background(world)


def send_batch(world: World, batch: list[Outgoing], epoch: int) -> Sequence[Outcome]:
    """Send a batch without the lock and wait for it. WorldGone or ClockBusy when the world was replaced meanwhile."""
    held_deliveries, group = world.held_deliveries, world.send_group
    world.lock.release()
    try:
        with world.runtime.lend_thread():
            outcomes = _carry(world, batch, epoch, held_deliveries, group)
    except CourierClosed:
        if world.deleted or world.epoch == epoch:
            reason = WAS_DELETED if world.deleted else "ends with the simulator"
            raise WorldGone(f"world {world.id} {reason}") from None
        raise _replaced(world) from None
    finally:
        world.lock.acquire()
    check_epoch(world, epoch)
    return outcomes


def record_outcomes(world: World, batch: Sequence[Outgoing], outcomes: Sequence[Outcome]) -> None:
    """Record each outcome in a transaction of its own, in the order of the attempts (G23).

    ValueError, with nothing written, if an attempt has an outcome already.
    """
    world.log_time()
    for outgoing, outcome in zip(batch, outcomes, strict=True):
        check_in_flight(world.state, outgoing.attempt)
        world.add_event(
            AttemptCompleted(
                attempt=outgoing.attempt, host=outgoing.host, outcome=outcome.outcome, status=outcome.status,
                signed_s=outcome.signed_s, took_s=outcome.took_s, body=outcome.body, cut=outcome.cut,
            )
        )  # fmt: skip
        with world.state.transaction():
            complete_attempt(world.state, outgoing.attempt, outcome)
        world.under_way.discard(outgoing.attempt)
        world.note(DELIVERY, outgoing.attempt)
    world.tell_observer()


def check_epoch(world: World, epoch: int) -> None:
    """WorldGone or ClockBusy when the world was deleted or its state replaced since `epoch`."""
    if world.deleted:
        raise WorldGone(f"world {world.id} {WAS_DELETED}")
    if world.epoch != epoch:
        raise _replaced(world)


def _replaced(world: World) -> ClockBusy:
    return ClockBusy(f"world {world.id} was reset or restored while a delivery was under way")


def send_in_background(world: World) -> None:
    """Send the outbox on a background thread. During an advance do nothing: the advance sends it itself."""
    with world.lock:
        if world.advancing or world.runtime.replaying:
            return
        batch, epoch = take_outbox(world), world.epoch
        if not batch:
            return
        _leave(world, len(batch))
        for outgoing in batch:
            if outgoing.hold:
                _hold(world, world.held_deliveries, HeldDelivery(outgoing, epoch, detached=True))
        batch = [outgoing for outgoing in batch if not outgoing.hold]
        group = world.send_group
    if batch:
        runtime = world.runtime

        def record(sent: Batch) -> None:
            runtime.run_logged(lambda: _record_sent(world, batch, sent, epoch))

        runtime.courier.start_all(batch, group, record)


def send_now(world: World, call: int) -> None:
    """Send what call number `call` left, within the call and without the lock (a partner's ping, G21)."""
    if not world.state.outbox or not world.suspend_call(call):
        return
    batch, epoch = take_outbox(world), world.epoch
    _leave(world, len(batch))
    try:
        with _counted_as_held(world, batch):
            outcomes = send_batch(world, batch, epoch)
    except ClockBusy as replaced:
        if call in world.suspended_calls:
            world.add_event(CallAbandoned(call=call))
        raise DeliveryEnded(f"{replaced.message}; make the call again") from None
    else:
        record_outcomes(world, batch, outcomes)
        world.resume_call(call)
    finally:
        world.suspended_calls.pop(call, None)
        _return(world, len(batch))


def complete_held(world: World, answered: Sequence[HeldDelivery]) -> None:
    """Wake the threads that wait for the answered deliveries; record detached ones. Call it without the lock."""
    world.runtime.waiters.notify()
    for held in answered:
        if held.detached:
            world.held_deliveries.drop(held)
            _record_if_current(world, [held.outgoing], [held.outcome], held.epoch)


def wait_for_held(world: World) -> None:
    """Wait without the lock until a delivery is held, or no advance is in progress."""
    _wait(world, lambda: bool(world.held_deliveries.unanswered) or not world.advancing or world.runtime.closing)


def _carry(
    world: World, batch: Sequence[Outgoing], epoch: int, held_deliveries: HeldDeliveries, group: SendGroup
) -> list[Outcome]:
    """Send all requests of a batch and wait for held ones; outcomes in its order. CourierClosed at the end."""
    held = [HeldDelivery(outgoing, epoch, detached=False) for outgoing in batch if outgoing.hold]
    for each in held:
        _hold(world, held_deliveries, each)
    try:
        sent = [outgoing for outgoing in batch if not outgoing.hold]
        carried = iter(world.runtime.courier.send_all(sent, group))
        if held:
            _wait_for_answers(world, held, epoch)
        answered = iter(held)
        return [next(answered).outcome if outgoing.hold else next(carried) for outgoing in batch]
    finally:
        for each in held:
            held_deliveries.drop(each)


def _wait_for_answers(world: World, held: Sequence[HeldDelivery], epoch: int) -> None:
    """Wait until deliveries are answered, or their state is replaced. Those held for too long time out (G81)."""

    def is_over() -> bool:
        return world.epoch != epoch or all(each.answer for each in held)

    limit_s = world.runtime.limits.held_call_s
    if not _wait(world, lambda: world.runtime.closing or is_over(), limit_s):
        with world.lock:
            for each in held:
                each.answer = each.answer or Answer(TIMEOUT, None)
    if not is_over() and world.runtime.closing:
        raise CourierClosed


def _hold(world: World, held_deliveries: HeldDeliveries, held: HeldDelivery) -> None:
    held_deliveries.by_attempt[held.outgoing.attempt] = held
    with world.delivery_returned:
        world.delivery_returned.notify_all()
    world.runtime.waiters.notify()


@contextmanager
def _counted_as_held(world: World, batch: Sequence[Outgoing]) -> Iterator[None]:
    """Count the call that sends a batch among the held calls while one of the batch is held."""
    attempts = [outgoing.attempt for outgoing in batch]

    def is_held() -> bool:
        return any(held.outgoing.attempt in attempts for held in world.held_deliveries.unanswered)

    world.hold_checks.append(is_held)
    try:
        yield
    finally:
        world.hold_checks.remove(is_held)
        world.runtime.waiters.notify()


def _record_sent(world: World, batch: Sequence[Outgoing], sent: Batch, epoch: int) -> None:
    try:
        outcomes = sent.outcomes()
    except CourierClosed:  # the world was deleted, or the simulator ends: no outcome counts
        _return(world, len(batch))
        return
    except BaseException:
        _return(world, len(batch))
        raise
    _record_if_current(world, batch, outcomes, epoch)


def _record_if_current(world: World, batch: Sequence[Outgoing], outcomes: Sequence[Outcome], epoch: int) -> None:
    """Record outcomes of background deliveries, unless the state was replaced since they left."""
    try:
        with world.lock:
            if world.epoch == epoch and not world.deleted:
                record_outcomes(world, batch, outcomes)
                world.catch_up()
    finally:
        _return(world, len(batch))
    world.runtime.wake_ticker()
    send_in_background(world)


def abandon_deliveries(world: World) -> SendGroup:
    """Forget the deliveries in flight and held, whose state is gone; returns their group, for the courier to end."""
    group, world.send_group = world.send_group, SendGroup()
    held, world.held_deliveries = world.held_deliveries, HeldDeliveries()
    _return(world, sum(each.detached for each in held.unanswered))
    return group


def _leave(world: World, count: int) -> None:
    with world.delivery_returned:
        world.in_flight += count


def _return(world: World, count: int) -> None:
    with world.delivery_returned:
        world.in_flight -= count
        world.delivery_returned.notify_all()


def _wait(world: World, done: Callable[[], bool], limit_s: float | None = None) -> bool:
    """Wait until something is done or the world is deleted; False at the limit."""
    with world.runtime.lend_thread(), world.runtime.waiters.changed:
        return world.runtime.waiters.changed.wait_for(lambda: world.deleted or done(), limit_s)
