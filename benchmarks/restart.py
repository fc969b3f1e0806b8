"""A restart with the journal file of a million mixed calls, and an undo in a world with thousands of inputs."""

from __future__ import annotations

import http.client
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, seconds
from benchmarks.mixed import MixedCalls
from benchmarks.workload import KEY, funded, place, serving
from giftsim import Simulator

CALLS = int(os.environ.get("CALLS", "1_000_000"))
INPUTS = 20_000


def figures() -> Iterator[Figure]:
    """The figures of undo and restart."""
    yield _undo()
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder, "journal")
        simulator = Simulator(fixture="empty", journal=journal)
        mixed = MixedCalls(simulator.client)
        mixed.create_worlds()
        spent = seconds(lambda: mixed.run(CALLS))
        simulator.close()
        size = f"{journal.stat().st_size / 1e6:,.0f} MB"
        yield Figure(f"journal file of {CALLS:,} mixed calls", size, "", None, f"{CALLS / spent:,.0f} calls a second")
        span = _start(journal)
        yield Figure(f"restart after {CALLS:,} mixed calls", f"{span:.2f} s", "3 s or less", span <= 3)


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


def _start(journal: Path) -> float:
    """The seconds from the start of the process to its first answer."""
    started = time.perf_counter()
    with serving("--fixture", "empty", "--journal", str(journal)) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server["port"])
        connection.request("GET", "/_sim/v1/health")
        assert connection.getresponse().status == 200
        return time.perf_counter() - started
