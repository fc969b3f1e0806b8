"""Restarts with the journal file of a million calls, and an undo in a world with thousands of inputs.

A file ends where a start has most to do: before the last line that says that all worlds have checkpoints. A process
that is killed there leaves the same file.
"""

from __future__ import annotations

import http.client
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from mmap import ACCESS_READ, mmap
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks.figure import Figure, seconds
from benchmarks.mixed import MixedCalls
from benchmarks.workload import KEY, funded, order, peak_mb, place, processor_s, resident_mb, serving
from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient

CALLS = int(os.environ.get("CALLS", "1_000_000"))
INPUTS = 20_000
MOST_S, MOST_MEMORY = 2.0, 1.5
COMPLETION = b'["",{"t":"complete",'
HEAD = 18  # the bytes of a line before its record
WORLDS, ORDERS = "/_sim/v1/worlds", "/api/external/team-orders"


class Mix(NamedTuple):
    """Calls to some worlds in turn: one in `creates` creates an order, the others read one."""

    name: str
    calls: int
    worlds: int = 1
    creates: int = 10
    held: bool = False

    def run(self, journal: Path) -> float:
        """Make the calls; the memory that the process has then, in MB."""
        simulator = Simulator(fixture="empty", journal=journal)
        names = ["default", *(f"m{number}" for number in range(1, self.worlds))]
        for name in names:
            if name != "default":
                simulator.client.call("POST", WORLDS, body={"id": name, "fixture": "empty"})
            body = {"key": "partner.prepaid", "add_cents": 10**11}
            simulator.client.call("POST", f"{WORLDS}/{name}/simulate/account", body=body)
        if self.held:
            _hold_one(simulator.client)
        last = dict.fromkeys(names, 1050)
        for number in range(self.calls):
            name = names[number % len(names)]
            headers = {"Authorization": f"Bearer pk_live_{name}_prepaid"}
            if number // len(names) % self.creates:
                simulator.client.call("GET", f"{ORDERS}/{last[name]}", headers=headers)
            else:
                response = simulator.client.call("POST", ORDERS, body=order(), headers=headers)
                last[name] = response.json()["team_order"]["id"]
        return resident_mb(os.getpid())


class MixInEight(NamedTuple):
    """Calls of all kinds in eight worlds, with undos, restores, forks and resets."""

    name: str
    calls: int

    def run(self, journal: Path) -> float:
        """Make the calls; the memory that the process has then, in MB."""
        mixed = MixedCalls(Simulator(fixture="empty", journal=journal).client)
        mixed.create_worlds()
        mixed.run(self.calls)
        return resident_mb(os.getpid())


MIXES = (
    Mix("{} calls, a tenth creates", CALLS),
    Mix("{} calls in 100 worlds, a tenth creates", CALLS, worlds=100),
    Mix("{} reads", CALLS, creates=CALLS),
    Mix("{} creates", CALLS // 10, creates=1),
    Mix("{} calls beside a held one, a tenth creates", 40_000, held=True),
    MixInEight("{} mixed calls", CALLS),
)


def figures() -> Iterator[Figure]:
    """The figures of undo and restart."""
    yield _undo()
    for mix in MIXES:
        with tempfile.TemporaryDirectory() as folder:
            journal, name = Path(folder, "journal"), mix.name.format(f"{mix.calls:,}")
            started = time.perf_counter()
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
                before_mb = processes.submit(mix.run, journal).result()
            spent, size = time.perf_counter() - started, f"{journal.stat().st_size / 1e6:,.0f} MB"
            yield Figure(f"journal file of {name}", size, "", None, f"{mix.calls / spent:,.0f} calls a second")
            cut(journal)
            yield from _start(name, journal, before_mb)


def cut(journal: Path) -> None:
    """End a journal file where a start has most to do."""
    with journal.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        end = content.rfind(COMPLETION)
    if end >= 0:
        os.truncate(journal, end - HEAD)


def _hold_one(client: InProcessClient) -> None:
    """Make a call that is held from now on."""
    headers = {"Authorization": "Bearer pk_live_default_prepaid", "X-Sim-Fault": "hold"}
    call = lambda: client.call("POST", ORDERS, body=order(), headers=headers)  # noqa: E731
    threading.Thread(target=call, daemon=True).start()
    while client.call("GET", f"{WORLDS}/default").json()["counts"]["held"] == 0:
        time.sleep(0.01)


def _undo() -> Figure:
    """One write with thousands of reads and writes of others after it is undone with all of them."""
    simulator, client = funded()
    place(client, 1)
    for n in range(INPUTS // 20 - 1):
        place(client, 1)
        for _ in range(19):
            client.call("GET", f"/api/external/team-orders/{1050 + n}", headers=KEY)
    body = {"count": min(1_000, INPUTS // 20)}
    span = seconds(lambda: client.call("POST", "/_sim/v1/worlds/default/undo", body=body))
    simulator.close()
    return Figure(f"undo of {INPUTS:,} inputs", f"{span * 1000:.0f} ms", "200 ms or less", span <= 0.2)


def _start(name: str, journal: Path, before_mb: float) -> Iterator[Figure]:
    """The processor time from the start of the process to its first answer, and the most memory it takes."""
    with serving("--fixture", "empty", "--journal", str(journal)) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server["port"])
        connection.request("GET", "/_sim/v1/health")
        assert connection.getresponse().status == 200
        spent, peak = processor_s(server["pid"]), peak_mb(server["pid"])
    target, ratio = f"{MOST_S:g} s of processor or less", peak / before_mb
    yield Figure(f"restart after {name}", f"{spent:.2f} s", target, spent <= MOST_S)
    target = f"{MOST_MEMORY} of that before or less"
    yield Figure("most memory of that restart", f"{peak:.0f} MB", target, ratio <= MOST_MEMORY, "that before", ratio)
