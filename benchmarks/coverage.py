"""Coverage: what it adds to a create, folding included, and how long the report of 200 tests takes."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figure import Figure, seconds
from benchmarks.workload import funded, order, place
from giftsim import Simulator
from giftsim.services.known import merged_service
from giftsim.workbench.coverage.coverage_report import write_coverage
from giftsim.workbench.coverage.items import items_of
from giftsim.workbench.coverage.judgment import coverage_as_json

ORDERS, ROUNDS, TESTS = 500, 30, 200


def figures() -> Iterator[Figure]:
    """The figures of coverage."""
    (_, plain), (simulator, kept) = funded(), funded()
    keeper, world = simulator.keep_coverage(all_worlds=True), simulator.registry.worlds["default"]

    def place_and_fold() -> None:
        place(kept, ORDERS)
        with world.locked():
            keeper.met_in(world)

    for _ in range(21):  # fills the call logs
        place(plain, ORDERS)
        place_and_fold()
    pairs = [(_cpu_s(lambda: place(plain, ORDERS)), _cpu_s(place_and_fold)) for _ in range(ROUNDS)]
    without, with_ = map(min, zip(*pairs, strict=True))
    ratio = without / with_
    yield Figure("create in process with coverage, folding included", f"{ORDERS / with_:,.0f}/s",
                 "within 3 % of that without", ratio >= 0.97, "that without coverage", ratio)  # fmt: skip
    took_s = _report_s()
    yield Figure(f"report of the coverage of {TESTS} tests", f"{took_s:.2f} s", "below 1 s", took_s < 1)


def _cpu_s(work: Callable[[], object]) -> float:
    """The seconds of the processor that `work` takes: a difference this small is lost in what else the machine does."""
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def _report_s() -> float:
    """The seconds that the end of a test run takes: what all worlds met, judged, with next steps, and written."""
    simulator = Simulator(fixture="bare")
    keeper = simulator.keep_coverage(all_worlds=True)
    for _ in range(TESTS):
        _test(simulator)
    with TemporaryDirectory() as folder:
        return seconds(lambda: _report(keeper, Path(folder)))


def _report(keeper: Any, folder: Path) -> None:
    write_coverage(folder, coverage_as_json(keeper.met_in_all(), items_of(merged_service())))


def _test(simulator: Simulator) -> None:
    """What a test does: a world, an endpoint, an order that ships, and a failure."""
    client = simulator.client
    world = client.call("POST", "/_sim/v1/worlds", body={"fixture": "empty"}).json()
    headers, control = world["credentials"]["partner.prepaid"]["headers"], f"/_sim/v1/worlds/{world['id']}"
    endpoint = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.shipped"]}
    client.call("POST", "/api/external/webhooks", body=endpoint, headers=headers)
    client.call("POST", "/api/external/team-orders", body=order(addressed=True), headers=headers)
    client.call("POST", "/api/external/team-orders", body={}, headers=headers)
    client.call("POST", f"{control}/clock/advance", body={"by": "5d"})
    client.call("DELETE", control)
