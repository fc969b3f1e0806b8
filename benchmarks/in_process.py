"""Create, read and list without a socket, with few and with many orders, and the memory of an order.

Also with the Python of the system, if it is another build of the same version: a distribution's is faster than one that
was compiled without profile-guided optimization.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.figure import Figure, rate
from benchmarks.workload import KEY, funded, place, resident_mb
from giftsim.engine.kernel.garbage_collection import keeping_everything
from giftsim.engine.log.log import MAX_EVENTS

MANY, FULL = 2_000, 50_000
SYSTEM_PYTHON = "/usr/bin/python3"
ROUNDS = 3
FEW_IN = "import json; from benchmarks import in_process; print(json.dumps(in_process.few()))"
VERSION = "import platform; print(platform.python_version())"
TARGETS = {"create": 12_000}


def figures() -> Iterator[Figure]:
    """The figures of the in-process client."""
    _, client = funded()
    place(client, 100)
    few = _rates(client)
    place(client, FULL - 100 - 3 * MANY)
    full = _rates(client)
    for name, at_few in few.items():
        yield _at_few(f"{name} in process, at 100 orders", name, at_few)
        ratio = full[name] / at_few
        yield Figure(f"{name} in process, at {FULL:,} orders", f"{full[name]:,.0f}/s", "within 10 % of that at 100",
                     ratio >= 0.9, "that at 100 orders", ratio)  # fmt: skip
    yield _memory()
    yield _full_collection()
    yield from _system_python()


def few() -> dict[str, float]:
    """Calls per second with 100 orders."""
    _, client = funded()
    place(client, 100)
    return _rates(client)


def _at_few(what: str, name: str, at_few: float, this: float | None = None) -> Figure:
    target = TARGETS.get(name)
    met = at_few >= target if target else None
    beside = ("this Python", at_few / this) if this else ()
    return Figure(what, f"{at_few:,.0f}/s", f"{target:,}/s" if target else "", met, *beside)


def _system_python() -> Iterator[Figure]:
    """The calls with the system's Python, beside those with this one in the same minutes."""
    if not Path(SYSTEM_PYTHON).exists() or Path(sys.executable).resolve() == Path(SYSTEM_PYTHON).resolve():
        return
    version = _run(SYSTEM_PYTHON, VERSION)
    if version.split(".")[:2] != [str(part) for part in sys.version_info[:2]]:
        return  # the compiled packages of this Python do not fit it
    rounds = [[json.loads(_run(python, FEW_IN)) for python in (sys.executable, SYSTEM_PYTHON)] for _ in range(ROUNDS)]
    for name in rounds[0][0]:
        this, other = (statistics.median(each[place][name] for each in rounds) for place in (0, 1))
        yield _at_few(f"{name} in process, by the system's Python {version}", name, other, this)


def _run(python: str, code: str) -> str:
    path = os.pathsep.join(filter(None, sys.path))  # the packages of this Python, which the other one has not
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([python, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _rates(client: Any) -> dict[str, float]:
    """Calls per second. Before each kind, calls fill the logs: then a call drops the same from them in any world."""

    def read(many: int = MANY) -> None:
        for _ in range(many):
            client.call("GET", "/api/external/team-orders/1050", headers=KEY)

    def list_page(many: int = MANY) -> None:
        for _ in range(many):
            client.call("GET", "/api/external/team-orders?limit=25", headers=KEY)

    read(2 * MAX_EVENTS)
    rates = {"create": rate(MANY, lambda: place(client, MANY))}
    read(2 * MAX_EVENTS)
    rates["read"] = rate(MANY, read)
    list_page(MANY)
    return {**rates, "list of 25": rate(MANY, list_page)}


def _memory() -> Figure:
    grown_kb = _in_a_process(_grow)
    return Figure("memory per one-recipient order", f"{grown_kb:.1f} KB", "6 KB or less", grown_kb <= 6)


def _full_collection() -> Figure:
    span_ms = _in_a_process(_collect)
    return Figure("a full collection after 10,000 creates", f"{span_ms:.1f} ms", "5 ms or less", span_ms <= 5)


def _in_a_process(measure: Callable[[], float]) -> float:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(measure).result()


def _collect() -> float:
    """The time of a full collection in ms, in a process that began as one with the pytest fixture does."""
    with keeping_everything():
        _, client = funded()
    place(client, 10_000)
    spans = []
    for _ in range(5):
        started = time.process_time()
        gc.collect()
        spans.append(time.process_time() - started)
    return statistics.median(spans) * 1000


def _grow() -> float:
    _, client = funded()
    place(client, 12_000)  # fills the call log, which is bounded
    before = resident_mb(os.getpid())
    place(client, 20_000)
    return (resident_mb(os.getpid()) - before) * 1000 / 20_000
