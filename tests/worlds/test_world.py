"""An advance of a world whose timers never end at one instant."""

from __future__ import annotations

import threading

import pytest

from giftsim import Simulator
from giftsim.engine.courier.courier import Courier
from giftsim.engine.kernel.state import Definitions, State
from giftsim.engine.log.inputs import CallRecord, TimePassed, WorldConfig
from giftsim.engine.webhooks.attempt import ATTEMPT
from giftsim.engine.webhooks.event import EVENT
from giftsim.engine.webhooks.outgoing import DELIVERED, Outgoing
from giftsim.engine.webhooks.receiver_script import Answer
from giftsim.engine.worlds.advance import MAX_SET_AT_ONE_INSTANT, advance, goal_at
from giftsim.engine.worlds.call_log import CallLog, CallLogTruncated
from giftsim.engine.worlds.changes import CLOCK, REWOUND, Changes
from giftsim.engine.worlds.held_deliveries import HeldDeliveries, HeldDelivery, NotHeld
from giftsim.engine.worlds.runtime import Runtime
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import NoAdvance, TooManyEvents
from giftsim.services.gifting.domain.fulfilment.mail import MAILS
from tests.support.http_receiver import outgoing_request


def again(state: State, subject: int) -> None:
    """Be due again at once."""
    state.timers.set(state.now_ms, "echo", subject, "echo.again", "it never ends")


def make_world(state: State) -> World:
    """A world with this state."""
    courier = Courier()
    return World("w1", WorldConfig("empty", 1, 0), state, Runtime(courier))


def test_a_canceled_advance_ends_after_the_timer_in_progress() -> None:
    def fire(state: State, subject: int) -> None:
        if subject == 2:
            advanced.clock.cancel_advance()

    state = State(Definitions([EVENT, ATTEMPT, MAILS], {"one.shot": fire}), 1, 0)
    advanced = make_world(state)
    for subject, due_ms in enumerate((3, 5, 5, 5, 7)):
        state.timers.set(due_ms, "one", subject, "one.shot", "it is due")
    report = advance(advanced, lambda state: goal_at(state, 10))
    assert (report.canceled, report.count, report.to_ms, state.now_ms) == (True, 3, 5, 5)
    assert [timer.subject for timer in state.timers.soonest(9)] == [3, 4]
    [passed] = advanced.event_log.segments[-1].events
    assert passed == TimePassed(n=1, fired=3, to_ms=5, events=3, from_ms=0)
    rest = advance(advanced, lambda state: goal_at(state, 10))
    assert (rest.canceled, rest.count, state.now_ms) == (False, 2, 10)
    with pytest.raises(NoAdvance):
        advanced.clock.cancel_advance()


def test_timers_that_never_end_at_one_instant_end_the_advance() -> None:
    state = State(Definitions([EVENT, ATTEMPT, MAILS], {"echo.again": again}), 1, 0)
    state.timers.set(5, "echo", 0, "echo.again", "it never ends")
    world = make_world(state)
    with pytest.raises(TooManyEvents, match=r"the busiest was echo\.again \(100001 times\)"):
        advance(world, lambda state: goal_at(state, 10))
    assert (state.now_ms, state.timers.serial) == (5, MAX_SET_AT_ONE_INSTANT + 2)


def test_any_number_of_timers_may_wait_for_one_instant() -> None:
    state = State(Definitions([EVENT, ATTEMPT, MAILS], {"one.shot": lambda _, __: None}), 1, 0)
    for subject in range(MAX_SET_AT_ONE_INSTANT + 1):
        state.timers.set(5, "one", subject, "one.shot", "it is due")
    report = advance(make_world(state), lambda state: goal_at(state, 10))
    assert (report.count, state.now_ms) == (MAX_SET_AT_ONE_INSTANT + 1, 10)


def record(seq: int, body: bytes = b"") -> CallRecord:
    return CallRecord(seq, 0, "GET", "/", (), body, 200, {}, b"", None, None)


def filled(count: int, *, max_entries: int = 3, max_bytes: int = 10**6, body: bytes = b"") -> CallLog:
    log = CallLog(max_entries, max_bytes)
    for _ in range(count):
        log.add(record(log.next_seq, body))
    return log


def test_the_oldest_calls_are_dropped_and_numbers_go_on() -> None:
    log = filled(5)
    assert [entry.seq for entry in log.after(2)] == [3, 4, 5]
    assert (log.dropped, log.next_seq) == (2, 6)


def test_bytes_are_bounded_too_but_the_newest_call_stays() -> None:
    log = filled(3, max_bytes=1_000, body=b"x" * 2_000)
    assert [entry.seq for entry in log.after(2)] == [3]


def test_asking_for_dropped_calls_is_an_error() -> None:
    with pytest.raises(
        CallLogTruncated, match=r"^calls up to 2 were dropped from the journal; ask for after=2 or later$"
    ):
        list(filled(5).after(1))


def test_truncating_and_clearing_take_calls_back() -> None:
    log = filled(3)
    log.truncate(2)
    assert [entry.seq for entry in log.after(0)] == [1]
    assert log.next_seq == 2
    log.clear()
    assert (log.next_seq, log.bytes) == (1, 0)


WAIT_S = 10.0


@pytest.fixture
def world(simulator: Simulator) -> World:
    """A world at run time, without changes."""
    registry = simulator.registry
    world = registry.create(registry.worlds["default"].config)
    world.changes = Changes(world.state, world.changes.added, max_entries=3)
    return world


def numbers(world: World, after: int = 0) -> list[int]:
    """The numbers of the changes after one."""
    return [change.n for change in world.changes.after(after)]


def test_the_oldest_changes_are_dropped_beyond_the_bound(world: World) -> None:
    for n in range(5):
        world.note(CLOCK, str(n))
    assert (numbers(world), world.changes.dropped_n, world.changes.last_n) == ([3, 4, 5], 2, 5)


@pytest.mark.parametrize(("after", "newer"), [(0, [1, 2, 3]), (2, [3]), (3, []), (9, [])])
def test_changes_are_read_from_a_number_on(world: World, after: int, newer: list[int]) -> None:
    for n in range(3):
        world.note(CLOCK, str(n))
    assert numbers(world, after) == newer


def test_a_rewind_removes_changes_and_takes_a_new_number(world: World) -> None:
    for n in range(3):
        world.note(CLOCK, str(n))
    world.note_rewind(1, "why")
    assert numbers(world) == [1, 4]
    last = world.changes.entries[-1]
    assert (last.kind, last.about) == (REWOUND, (1, "why"))


def test_who_waits_is_woken_by_the_next_change_and_by_the_end(world: World) -> None:
    changes, over = world.changes, threading.Event()

    def happen() -> None:
        world.note(CLOCK, "now")

    def end() -> None:
        over.set()
        world.runtime.waiters.notify()

    for wake in (happen, end):
        waiting = threading.Thread(target=changes.wait, args=(changes.last_n, WAIT_S, over.is_set), daemon=True)
        world.runtime.waiters.watch(changes.added)
        waiting.start()
        wake()
        waiting.join(WAIT_S / 2)
        assert not waiting.is_alive()
        world.runtime.waiters.unwatch(changes.added)


def test_a_delivery_that_was_answered_is_held_no_longer_even_before_its_outcome_is_recorded() -> None:
    outgoing: Outgoing = outgoing_request(9)
    deliveries, held = HeldDeliveries(), HeldDelivery(outgoing, 0, detached=True)
    deliveries.by_attempt[outgoing.attempt] = held
    assert deliveries.find(outgoing.attempt) is held
    held.answer = Answer(DELIVERED, 200)
    with pytest.raises(NotHeld, match=rf"^delivery {outgoing.attempt + 1} is not held"):
        deliveries.find(outgoing.attempt)
