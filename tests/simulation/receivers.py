"""Receivers of webhooks outside: most answer, others hang, lie, break off or call back. They count what they get."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import partial
from random import Random  # noqa: TID251 - the seed decides
from typing import TYPE_CHECKING

from tests.simulation.client import Client
from tests.simulation.exchange import NoAnswer
from tests.simulation.plan import Event
from tests.simulation.sockets import Socket
from tests.simulation.workload import DEFAULT, PORTS

if TYPE_CHECKING:
    from tests.simulation.run import Run

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
WAYS = ("answer", "answer", "answer", "answer", "refuse", "close", "hang", "break_off", "lie", "call_back", "trickle")
LIES = (
    b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
    b"SSH-2.0-OpenSSH_9.6\r\n",
    b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000,
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more",
    b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
)
HANG_S = 15.0


class Receivers:
    """The receivers of a run. `received` counts the whole requests by event id."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._count = 0
        self.received: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()

    def start(self) -> None:
        """Listen."""
        for port in PORTS:
            self._run.spawn(partial(self._listen, port), f"receiver {port}")

    def _listen(self, port: int) -> None:
        listener = self._run.machine.network.listen(self._run.outside, port)
        while True:
            sock = listener.accept_blocking()
            self._count += 1
            random = Random(f"{self._run.plan.seed}/receiver {self._count}")
            self._run.spawn(partial(self._serve, sock, random), "receiver")

    def _serve(self, sock: Socket, random: Random) -> None:
        buffer = bytearray()
        try:
            while (event_id := self._read(sock, buffer)) is not None:
                self.received[event_id] += 1
                if not self._answer(sock, random, event_id):
                    break
        except OSError:
            pass
        finally:
            sock.drop()

    def _read(self, sock: Socket, buffer: bytearray) -> str | None:
        """Read one request; the id of its event, or None at the end."""
        while (end := buffer.find(b"\r\n\r\n")) < 0:
            if not (data := sock.recv(65_536)):
                return None
            buffer += data
        lines = bytes(buffer[:end]).decode().lower().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines[1:])
        size = end + 4 + int(headers["content-length"])
        while len(buffer) < size:
            if not (data := sock.recv(65_536)):
                return None
            buffer += data
        del buffer[:size]
        return headers["x-service-event-id"]

    def _answer(self, sock: Socket, random: Random, event_id: str) -> bool:
        """Answer in one of the ways; whether the connection stays open."""
        way = random.choice(WAYS)
        self._run.note(f"the receiver of {event_id} chose: {way}")
        match way:
            case "answer" | "call_back":
                if way == "call_back":
                    self._call_back()
                sock.sendall(OK)
            case "trickle":
                for n in range(len(OK)):
                    sock.sendall(OK[n : n + 1])
                    self._run.scheduler.sleep(random.random() * 0.05)
            case "refuse":
                sock.sendall(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
            case "close":
                sock.sendall(OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n"))
            case "hang":
                self._run.scheduler.sleep(random.random() * HANG_S)
            case "break_off":
                sock.reset()
            case "lie":
                sock.sendall(random.choice(LIES))
        return way in ("answer", "call_back", "trickle", "refuse")

    def _call_back(self) -> None:
        """Call the simulator before answering it."""
        self._count += 1
        client = Client(self._run, Event(1_000 + self._count, 0.0, "call back"))
        with suppress(NoAnswer):
            client.call("GET", f"{DEFAULT}/orders?limit=1")
