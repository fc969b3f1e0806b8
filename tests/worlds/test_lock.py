"""The lock of a world is fair: a thread that asks while another takes it again and again gets its turn."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.courier.courier import Courier
from giftsim.engine.worlds.locked_state import WorldLock
from giftsim.engine.worlds.runtime import Runtime
from tests.support.worlds import World

PATIENCE_S = 20.0


def test_a_waiting_thread_gets_its_turn_beside_one_that_never_stops_asking() -> None:
    lock, entered = WorldLock(runtime()), threading.Event()
    lock.acquire()
    waiting = threading.Thread(target=lambda: enter(lock, entered))
    waiting.start()
    turns = 0
    while not entered.is_set() and turns < 1_000_000:
        lock.release()
        lock.acquire()
        turns += 1
    lock.release()
    waiting.join(PATIENCE_S)
    assert entered.is_set()


def test_a_thread_that_waits_is_the_next() -> None:
    """But for one that is not in the queue yet, which is rare."""
    assert sum(is_next_one() for _ in range(40)) >= 30


def is_next_one() -> bool:
    """Whether a waiting thread gets its turn when the one that has the lock gives way twice."""
    shared, lent, entered = runtime(), threading.Semaphore(0), threading.Event()

    @contextmanager
    def lend(*, for_lock: bool = False) -> Iterator[None]:
        lent.release()
        yield

    shared.lend_thread = lend
    lock = WorldLock(shared)
    lock.acquire()
    waiting = threading.Thread(target=lambda: enter(lock, entered))
    waiting.start()
    assert lent.acquire(timeout=PATIENCE_S)
    for _ in range(2):
        lock.release()
        lock.acquire()
    is_next = entered.is_set()
    lock.release()
    waiting.join(PATIENCE_S)
    return is_next


def test_only_a_thread_that_has_to_wait_is_lent_to_the_server() -> None:
    shared, lent = runtime(), threading.Semaphore(0)

    @contextmanager
    def lend(*, for_lock: bool = False) -> Iterator[None]:
        lent.release()
        yield

    shared.lend_thread = lend
    lock = WorldLock(shared)
    with lock:
        assert not lent.acquire(blocking=False)
        waiting = threading.Thread(target=lambda: enter(lock, threading.Event()))
        waiting.start()
        assert lent.acquire(timeout=PATIENCE_S)
    waiting.join(PATIENCE_S)
    assert not waiting.is_alive()


def test_a_call_waits_for_the_lock_of_its_world() -> None:
    lent, responses = threading.Semaphore(0), list[Response]()

    @contextmanager
    def lend(*, for_lock: bool = False) -> Iterator[None]:
        lent.release()
        yield

    with closing(Simulator(fixture="empty")) as simulator:
        partner = World(simulator).partner()
        world = next(reversed(simulator.registry.worlds.values()))
        simulator.registry.runtime.lend_thread = lend
        with world.lock:
            call = threading.Thread(target=lambda: responses.append(partner.create_order()))
            call.start()
            assert lent.acquire(timeout=PATIENCE_S)
            assert responses == []
        call.join(PATIENCE_S)
        assert [response.status for response in responses] == [201]


def enter(lock: WorldLock, entered: threading.Event) -> None:
    with lock:
        entered.set()


def runtime() -> Runtime:
    return Runtime(Courier())
