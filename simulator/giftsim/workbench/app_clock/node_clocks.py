"""The hub of an app's Node processes: each follows the world's time, and says when its next timer is due (G477).

A process connects when it starts, and is known from the next call on, or at once while time goes on. Messages are lines
of JSON:

    process -> hub   {"key": KEY, "pid": 71}            who it is
    hub -> process   {"n": 4, "now": MS}                see this time
    hub -> process   {"n": 4, "now": MS, "acts": true, "upto": MS}      and let what is due happen before the other time
    process -> hub   {"n": 4, "next": MS or null}       that is done, its calls are answered; its next timer is due then
    hub -> process   {"rate": 1}                        let time go on, by seconds per real second; 0 lets it stand
    process -> hub   {"n": 4, "next": null, "open": ["GET /events"]}    the same, but these calls are not answered
    process -> hub   {"blocked": true}                  it waits for a program, and does nothing until it says false
"""

from __future__ import annotations

import json
import selectors
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from giftsim.engine.system import SYSTEM, System
from giftsim.engine.worlds.app_clock import AppDidNotAct
from giftsim.engine.worlds.system_clock import fresh_id

ACTS_S = 10.0  # real seconds in which a process acts
HELLO_S = 0.5  # real seconds in which a process that starts says who it is
LOOK_AGAIN_S = 0.05  # real seconds between two looks for processes that started while time goes on
BACKLOG = 128
CHUNK = 65_536
MAX_CALLS = 3  # that a message names
MAX_LINE = 1_000_000


class NodeProcess:
    """One process that is connected."""

    def __init__(self, end: socket.socket) -> None:
        self._socket, self._rest = end, b""
        self.is_known = self.is_blocked = self.is_gone = False
        self.pid = 0
        self.answer: dict[str, Any] = {}

    def fileno(self) -> int:
        """The socket's descriptor, for select."""
        return self._socket.fileno()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; a process that cannot take it is gone."""
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            self.end()

    def receive(self, key: str) -> None:
        """Take what has come. A process that says nothing right is gone."""
        try:
            data = self._socket.recv(CHUNK)
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._take(json.loads(line), key)
        except (OSError, ValueError):
            data = b""
        if not data or len(self._rest) > MAX_LINE:
            self.end()

    def _take(self, message: Any, key: str) -> None:
        if not isinstance(message, dict):
            raise ValueError("not a message")
        if not self.is_known:
            if message.get("key") != key:
                raise ValueError("another program")
            self.is_known, self.pid = True, message["pid"]
        elif "blocked" in message:
            self.is_blocked = message["blocked"]
        else:
            self.answer = message

    def end(self) -> None:
        """Close the connection."""
        self.is_gone = True
        self._socket.close()


class NodeClocks:
    """The clocks of all Node processes. `port` and `key` are what they connect by; each acts within `acts_s`."""

    def __init__(self, *, acts_s: float = ACTS_S, system: System = SYSTEM) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self.key = fresh_id()
        self._acts_s, self._system, self._lock = acts_s, system, system.lock()
        self._processes: list[NodeProcess] = []
        self._n, self._rate, self._now_ms = 0, 0.0, 0
        self._changed = system.condition()
        self._turn = 0  # a thread that looks again ends when this changes

    def show(self, now_ms: int) -> int | None:
        """Let each process act at this time, one after the other; the earliest instant at which one has a timer.

        All see the time before the first acts, because they may call each other. AppDidNotAct.
        """
        with self._lock:
            self._now_ms = now_ms
            processes = self._connected()
            if len(processes) > 1:
                self._ask(processes)
            for process in processes:
                self._ask([process], acts=True, upto=now_ms)
            return min(_wanted(processes), default=None)

    def go_on(self, now_ms: int, upto_ms: int) -> int | None:
        """As `show`; the process whose timer is first goes on alone until the others' or `upto_ms`. AppDidNotAct."""
        next_ms = self.show(now_ms)
        if next_ms is None or not now_ms < next_ms < upto_ms:
            return next_ms
        with self._lock:
            processes = [each for each in self._processes if _wanted([each])]
            first = min(processes, key=lambda each: int(each.answer["next"]))
            others = _wanted(each for each in processes if each is not first)
            if next_ms < min([upto_ms, *others]):
                self._ask([first], acts=True, upto=min([upto_ms, *others]))
            return min(_wanted(processes), default=None)

    def ticks(self, rate: float) -> None:
        """Let the time of the processes go on from what was shown last, or stand."""
        with self._lock:
            if rate == self._rate:
                return
            self._rate = rate
            for process in self._connected():
                process.send({"rate": rate})
            self._begin_turn()
            if rate:
                turn = self._turn
                self._system.start_thread(lambda: self._look_again(turn), "app clock hub")

    def close(self) -> None:
        """Follow no more: the processes go on at real time's pace or stand, as they were."""
        with self._lock:
            self._begin_turn()
            for process in self._processes:
                process.end()
            self._listener.close()

    def _begin_turn(self) -> None:
        self._turn += 1
        with self._changed:
            self._changed.notify_all()

    def _look_again(self, turn: int) -> None:
        """While time goes on, tell those that start."""
        while turn == self._turn:
            with self._lock:
                if turn == self._turn:
                    self._accept()
            with self._changed:
                self._changed.wait_for(lambda: turn != self._turn, LOOK_AGAIN_S)

    def _connected(self) -> list[NodeProcess]:
        """The processes that are there, in the order in which they were started."""
        self._accept()
        until_s = self._system.monotonic() + HELLO_S
        while True:
            self._processes = [each for each in self._processes if not each.is_gone]
            is_known = all(each.is_known for each in self._processes)
            ready = _ready(self._processes, 0.0 if is_known else until_s - self._system.monotonic())
            for process in ready:
                process.receive(self.key)
            if not ready:
                return sorted((each for each in self._processes if each.is_known), key=lambda each: each.pid)

    def _accept(self) -> None:
        """Take in all that have connected, and tell them whether time goes on."""
        with suppress(OSError):  # nobody more waits
            while True:
                end, _ = self._listener.accept()
                end.setblocking(True)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                process = NodeProcess(end)
                process.send({"rate": self._rate})
                self._processes.append(process)

    def _ask(self, processes: list[NodeProcess], **how: Any) -> None:
        """Send the time, and wait until each has answered or has ended. AppDidNotAct.

        One that waits for a program already, which may be what advances the clock, is not waited for.
        """
        self._n += 1
        for process in processes:
            process.send({"n": self._n, "now": self._now_ms, **how})
        until_s = self._system.monotonic() + self._acts_s
        asked = [each for each in processes if not each.is_blocked]
        while waits := [each for each in asked if not each.is_gone and each.answer.get("n") != self._n]:
            ready = _ready(waits, until_s - self._system.monotonic())
            for process in ready:
                process.receive(self.key)
            if not ready:
                raise AppDidNotAct(
                    f"the Node process {waits[0].pid} was busy for more than {self._acts_s:g} s; its timers wait for"
                    " the next advance"
                )

        for process in processes:
            if calls := process.answer.get("open"):
                raise AppDidNotAct(
                    f"the Node process {process.pid} waited long for {', '.join(map(str, calls[:MAX_CALLS]))}: answer"
                    " calls before more time passes; these do not count any more"
                )


def _wanted(processes: Iterable[NodeProcess]) -> list[int]:
    """The instants at which these want to act next."""
    free = [each.answer.get("next") for each in processes if not each.is_gone and not each.is_blocked]
    return [int(next_ms) for next_ms in free if next_ms is not None]


def _ready(processes: Sequence[NodeProcess], wait_s: float) -> list[NodeProcess]:
    """Those that have said something, after at most this time in real seconds."""
    if not processes:
        return []
    with selectors.DefaultSelector() as selector:
        for process in processes:
            selector.register(process, selectors.EVENT_READ, process)
        return [key.data for key, _ in selector.select(max(wait_s, 0.0))]
