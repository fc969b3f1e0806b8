"""The machine: its disk, its network, and the process that is started, stopped and killed on it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random  # noqa: TID251 - the seed decides
from typing import Any, cast

from giftsim.build import Simulator
from giftsim.cli.serve import FINISH_S
from giftsim.engine.log.journal_contents import Unreadable
from giftsim.engine.problem import Problem
from giftsim.engine.server import ConnectionLimits, Server
from giftsim.engine.system import System
from giftsim.engine.worlds.waiters import WaitLimits
from tests.simulation.disk import Disk
from tests.simulation.network import Network
from tests.simulation.scheduler import BASE_S, Killed, Owner, Scheduler
from tests.simulation.threads import Condition, Event, Lock, Queue

JOURNAL = Path("journal")
PORT = 8080
WALL_MS = 1_900_000_000_000
WAITS = WaitLimits(held_call_s=5.0, settle_s=20.0)
MOST_DESCRIPTORS = 400


class Process:
    """One run of the simulator. `refusal` is why it did not start, or ended."""

    def __init__(self, machine: Machine, number: int) -> None:
        self.machine = machine
        self.owner = Owner(f"giftsim-{number}")
        self.random = Random(f"{machine.seed}/process {number}")
        self.simulator: Simulator | None = None
        self.server: Server | None = None
        self.is_ready = self.has_ended = self.was_stopped = self.has_closed = False
        self.refusal: BaseException | None = None
        self.left_open: list[str] = []
        machine.network.limit(self.owner, machine.most_descriptors)

    def system(self) -> System:
        """What the process takes from the operating system."""
        machine, owner, scheduler = self.machine, self.owner, self.machine.scheduler
        network = machine.network
        return System(
            monotonic=lambda: scheduler.now_s,
            now_ms=lambda: WALL_MS + int((scheduler.now_s - BASE_S) * 1000),
            lock=cast(Any, partial(Lock, scheduler)),
            condition=cast(Any, partial(Condition, scheduler)),
            event=cast(Any, partial(Event, scheduler)),
            queue=cast(Any, partial(Queue, scheduler)),
            thread_id=lambda: scheduler.check_alive().number,
            start_thread=self._start_thread,
            listen=cast(Any, lambda _host, port: network.listen(owner, port)),
            socketpair=cast(Any, lambda: network.pair(owner, self.random)),
            selector=cast(Any, lambda: network.selector(owner)),
            resolve=network.resolve,
            socket=cast(Any, lambda *_: network.socket(owner, self.random)),
            open_file=cast(Any, lambda path: machine.disk.open(path, owner)),
        )

    def _start_thread(self, run: Any, name: str) -> None:
        self.machine.scheduler.point()
        if self.machine.lacks_threads:
            raise RuntimeError("can't start new thread")
        self.machine.scheduler.spawn(run, name, self.owner)

    def run(self) -> None:
        """The main thread, as `serve` runs it."""
        try:
            self._serve()
        except Killed:
            raise
        except (Unreadable, OSError, Problem, RuntimeError) as error:
            self.refusal = error
        else:
            self.has_closed = True
        self.has_ended = True
        opened = self.machine.network.descriptors_of(self.owner).open.values()
        self.left_open = [type(each).__name__ for each in opened]
        self.machine.scheduler.call_at(0.0, self.machine.bury)

    def _serve(self) -> None:
        machine = self.machine
        simulator = Simulator(
            fixture="empty",
            journal=JOURNAL,
            system=self.system(),
            waits=WAITS,
            checkpoint_every=machine.checkpoint_every,
        )
        server = simulator.listen("127.0.0.1", PORT, limits=machine.limits)
        self.simulator, self.server = simulator, server
        try:
            simulator.resend_in_flight()
            simulator.ticker.start()
            self.is_ready = True
            server.run()
            server.finish(FINISH_S)
        finally:
            self.is_ready = False
            simulator.close()
            server.stop()


class Machine:
    """The simulated machine. `lacks_threads`: it has none left to start."""

    def __init__(self, scheduler: Scheduler, seed: str, checkpoint_every: int, limits: ConnectionLimits) -> None:
        self.scheduler, self.seed = scheduler, seed
        self.network = Network(scheduler)
        self.disk = Disk(scheduler, self.network)
        self.checkpoint_every, self.limits = checkpoint_every, limits
        self.most_descriptors = MOST_DESCRIPTORS
        self.lacks_threads = False
        self.process: Process | None = None
        self.processes: list[Process] = []

    @property
    def is_up(self) -> bool:
        """Whether a process serves."""
        return self.process is not None and self.process.is_ready and not self.process.was_stopped

    @property
    def is_ending(self) -> bool:
        """Whether a process ends, but has not yet."""
        return self.process is not None and self.process.was_stopped

    def start(self) -> None:
        """Start the process, unless it runs."""
        if self.process is None:
            process = self.process = Process(self, len(self.processes) + 1)
            self.processes.append(process)
            self.scheduler.spawn(process.run, "main", process.owner)

    def stop(self) -> None:
        """End the process as SIGTERM does: at once while it starts."""
        if self.process is not None and self.process.server is None:
            self.kill()
        elif self.process is not None and self.process.server is not None:
            self.process.was_stopped = True
            self.process.server.request_stop()

    def kill(self) -> None:
        """End the process as SIGKILL does."""
        if self.process is not None:
            process, self.process = self.process, None
            self.scheduler.kill(process.owner)
            self.network.drop_all(process.owner)
            process.has_ended, process.is_ready = True, False

    def lose_power(self, random: Random) -> None:
        """Lose what was not on the disk yet, or a part of it."""
        for content in self.disk.files.values():
            left = content.synced + int(random.random() * (len(content.data) - content.synced + 1))
            del content.data[left:]

    def bury(self) -> None:
        """Take away what is left of a process whose main thread has ended."""
        if self.process is not None and self.process.has_ended:
            self.kill()
