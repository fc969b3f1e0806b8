"""What all worlds of a process share: the courier, waiting threads, background work and the journal file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from giftsim.engine.courier.courier import Courier
from giftsim.engine.courier.fair_queue import Dispatcher
from giftsim.engine.log.journal_file import JournalFile
from giftsim.engine.worlds.app_clock import AppClock
from giftsim.engine.worlds.observer import Keeper, Observer
from giftsim.engine.worlds.waiters import DEFAULT_LIMITS, Waiters, WaitLimits

CHECKPOINT_EVERY = 4_000  # lines of the journal file between two checkpoints of the worlds, at the least
CHANGES_PER_LINE = 10  # this many changes of records take as long to apply again as a line without any
BACKGROUND_THREADS = 2
PACKAGE = __file__[: -len("worlds/runtime.py")]


class LendThread(Protocol):
    """A block around code that waits `for_lock`, or for something outside: another thread serves meanwhile."""

    def __call__(self, *, for_lock: bool = False) -> AbstractContextManager[object]:
        """The block in which the thread waits."""


def lend_no_thread(*, for_lock: bool = False) -> AbstractContextManager[None]:  # noqa: ARG001
    """Lend nothing: there is no server that could use the thread."""
    return nullcontext()


class Runtime:
    """Shared by a registry and its worlds.

    `origin` is the address in links. `lend_thread` is entered around every wait, so that the server can use another
    thread meanwhile. `wake_ticker` is called when a world's clock or timers change. While a log is replayed,
    `suspend_call(world_id, call)` runs instead of every wait of a call: replay makes no network calls. `limits` bounds
    how long calls wait. `changes` counts those of records in all worlds, `failures` the faults of giftsim itself, of
    which `latest_failure` says the newest in one line. Checkpoints are written when `work` has come to `checkpoint_at`,
    and again after at least `checkpoint_every` more.
    """

    def __init__(
        self, courier: Courier, *, origin: str = "http://giftsim.example", limits: WaitLimits = DEFAULT_LIMITS
    ) -> None:
        self.courier, self.system = courier, courier.system
        self.origin = origin
        self.limits = limits
        self.waiters = Waiters(self.system.condition())
        self.closing = False
        self.lend_thread: LendThread = lend_no_thread
        self.wake_ticker: Callable[[], None] = lambda: None
        self.suspend_call: Callable[[str, int], None] | None = None
        self.journal_file: JournalFile | None = None
        self.observer: Observer | None = None
        self.keeper: Keeper | None = None
        self.app_clocks: Sequence[AppClock] = ()  # of the app that follows the world which was created last
        self.followed: str | None = None  # the world that the clock of an app follows
        self.app_now_ms: Callable[[], int] | None = None  # what an app that follows the world created last sees (G487)
        self.checkpoint_every = self.checkpoint_at = CHECKPOINT_EVERY
        self.writes_checkpoints = self.writes_whole_states = False
        self.changes = self.failures = 0
        self.latest_failure: str | None = None
        self._lock = self.system.lock()
        self._background = Dispatcher(system=self.system)

    def keep(self, make: Callable[[], Keeper]) -> Keeper:
        """The keeper of the worlds, made by the first call."""
        with self._lock:
            if self.keeper is None:
                self.keeper = make()
            return self.keeper

    @property
    def replaying(self) -> bool:
        """Whether a log is being replayed: nothing is sent, and only the time in the log passes."""
        return self.suspend_call is not None

    def now_s(self) -> int:
        """The current second of the machine's clock, for the signatures of real deliveries (B46)."""
        return self.system.now_ms() // 1000

    def copy(self) -> Runtime:
        """A runtime with the same courier and origin, and no ticker, journal file or threads."""
        return Runtime(self.courier, origin=self.origin, limits=self.limits)

    @property
    def work(self) -> int:
        """The cost of applying everything that happened in this process again, in lines of the journal file."""
        return (self.journal_file.lines if self.journal_file else 0) + self.changes // CHANGES_PER_LINE

    def is_checkpoint_due(self) -> bool:
        """Whether to write checkpoints now."""
        file = self.journal_file  # each call asks, so this does not call `work`
        if file is None or file.lines + self.changes // CHANGES_PER_LINE < self.checkpoint_at:
            return False
        return not self.writes_checkpoints

    def begin_checkpoints(self) -> bool:
        """Note that checkpoints are being written; False if they were already."""
        with self._lock:
            begins, self.writes_checkpoints = not self.writes_checkpoints, True
            return begins

    def begin_whole_states(self) -> bool:
        """Note that whole states are being written; False if they were already."""
        with self._lock:
            begins, self.writes_whole_states = not self.writes_whole_states, True
            return begins

    def run_in_background(self, job: Callable[[], None]) -> None:
        """Do work that no call waits for, such as writing a checkpoint. Bugs in it are logged."""
        self._background.submit([(None, None, BACKGROUND_THREADS, lambda: self.run_logged(job))])
        self.wake_ticker_if_short()

    @property
    def lacks_threads(self) -> bool:
        """Whether deliveries or background work wait for a thread because the system has none left."""
        return self.courier.dispatcher.lacks_threads or self._background.lacks_threads

    def wake_ticker_if_short(self) -> None:
        """Have the ticker look for threads if work waits for one."""
        if self.lacks_threads:
            self.wake_ticker()

    def start_threads_again(self) -> None:
        """Start the threads that are waited for, if the system has some again."""
        self.courier.dispatcher.start_again()
        self._background.start_again()

    def run_logged(self, job: Callable[[], None]) -> None:
        """Run a job in the current thread, and log a bug in it: nothing else would report it."""
        try:
            job()
        except Exception as error:  # noqa: BLE001 - nothing else would report it
            if not self.closing:
                self.log_bug("in the background", error)

    def log_bug(self, request_id: str, error: BaseException) -> None:
        """Log an unexpected error, and count it. Callers get a 500 without a trace (G348)."""
        import logging  # a simulator without a server has nothing to log, if all is well

        self.failures += 1
        self.latest_failure = f"request {request_id} failed: {_described(error)}"

        logging.getLogger("giftsim").error("request %s failed", request_id, exc_info=error)

    def close(self) -> None:
        """End background work without waiting for it, and close the courier and the journal file."""
        self.closing = True
        self.waiters.notify()
        self._background.close()
        self.courier.close()
        if self.journal_file is not None:
            self.journal_file.close()


def _described(error: BaseException) -> str:
    """An error in one line, with the place in giftsim where it was raised."""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(PACKAGE):
            place = f" ({file.removeprefix(PACKAGE)}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}{place}"
