"""What SIGTERM, SIGHUP and Ctrl-C do to a command: they stop it, or they are passed on to the program that it runs."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Self

from giftsim.engine.system import HERE, start_thread

if TYPE_CHECKING:
    from subprocess import Popen

TURN_S: Final = 0.5

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))


class HandledSignals:
    """Handles the signals that end a process. Those stay ignored that it was started to ignore, as by nohup.

    A script's background ignores SIGINT.
    """

    def __init__(self) -> None:
        self._former: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._former[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, former in self._former.items():
            signal.signal(number, former)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        raise NotImplementedError


class StopSignals(HandledSignals):
    """They call `stop`. The second one, or one before `stop` is set, raises KeyboardInterrupt.

    The first process of a container inherits the processes that lost their parent: it leaves it to the kernel to bury
    them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stop: Callable[[], None] = _interrupt
        self._stops = False

    def __enter__(self) -> Self:
        super().__enter__()
        if os.getpid() == 1 and hasattr(signal, "SIGCHLD"):
            self._former[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        return self

    def __exit__(self, *_: object) -> None:
        for number, former in self._former.items():
            signal.signal(number, signal.SIG_IGN if self._stops else former)  # nothing interrupts the way out

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self._stops = True
        stop, self.stop = self.stop, _interrupt
        stop()


class PassedSignals(HandledSignals):
    """They are passed on to the program that `run` runs, and change nothing afterwards: its results are still written.

    Before the program is started, they end this one.
    """

    def __init__(self) -> None:
        super().__init__()
        self._program: Popen[bytes] | None = None
        self._is_starting = False
        self._early: list[int] = []

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        """Run a program to its end; its exit status as a shell reports it. OSError if it cannot be started.

        If this process is killed, a guard ends the program, with all that it started.
        """
        import subprocess

        from giftsim.engine.guard import Guard

        guard = Guard()
        try:
            self._is_starting = True
            try:
                self._program = subprocess.Popen(command, env=environment)
            finally:
                self._is_starting = False
            guard.watch(self._program.pid)
            for number in self._early:
                self._handle(number, None)
            status = self._wait(self._program)
        finally:
            guard.close()
        return status if status >= 0 else 128 - status

    def _wait(self, program: Popen[bytes]) -> int:
        """Wait for the program in another thread: one signal in many would not interrupt a wait without an end."""
        status: SimpleQueue[int] = SimpleQueue()
        start_thread(lambda: status.put(_status(program)), "program")
        while True:
            with suppress(Empty):
                return status.get(timeout=TURN_S)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if self._is_starting:
            self._early.append(number)
        elif self._program is None:
            raise SystemExit(128 + number)
        elif number != signal.SIGINT or not reaches_programs():
            self._program.send_signal(number)


def reaches_programs() -> bool:
    """Whether Ctrl-C reaches the programs of this process too: their terminal sends it to all in the foreground."""
    posix = HERE.os
    if not hasattr(posix, "tcgetpgrp"):
        return True
    try:
        terminal = os.open(posix.ctermid(), os.O_RDONLY | posix.O_NOCTTY)
    except OSError:
        return False
    try:
        return bool(posix.tcgetpgrp(terminal) == posix.getpgrp())
    except OSError:
        return False
    finally:
        os.close(terminal)


def end_as_first_process() -> None:
    """Do what the kernel does in any process but the first of a container: end at once."""
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _exit)


def _exit(number: int, _frame: FrameType | None) -> None:
    os._exit(128 + number)


def _status(program: Popen[bytes]) -> int:
    """Wait for a program. The first process of a container buries those that lost their parent meanwhile."""
    posix = HERE.os
    while os.getpid() == 1 and hasattr(posix, "waitid"):  # macOS has it since Python 3.13, and Windows never
        ended = posix.waitid(posix.P_ALL, 0, posix.WEXITED | posix.WNOWAIT)
        if ended is not None and ended.si_pid == program.pid:
            break
        if ended is not None:
            os.waitpid(ended.si_pid, 0)
    return program.wait()


def _interrupt() -> None:
    raise KeyboardInterrupt
