"""Curves: what an operation takes as its world grows; `python -m benchmarks curves` draws them into the documentation.

Times are processor time, the least of several rounds, so that a busy machine draws the same curves.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.plot import Line, Plot
from benchmarks.workload import KEY, funded, order, place
from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.kernel.state import Definitions, State
from giftsim.engine.log.log import MAX_EVENTS

ROOT = Path(__file__).parent.parent
PLOTS = ROOT / "benchmarks" / "results" / "curves"
RESULTS = ROOT / "benchmarks" / "results" / "curves.json"
ROUNDS = 5
ORDERS = (100, 1_000, 10_000, 100_000, 1_000_000)
RECIPIENTS = (1, 10, 100)  # a partner's order has no more
CAMPAIGN = (1, 10, 100, 1_000, 5_000)
TIMERS = (1_000, 10_000, 100_000, 1_000_000)
WORLDS = (1, 10, 100, 500)
CALLS = (100, 1_000, 5_000, 10_000, 20_000, 40_000)
LISTS = 2_000  # they fill the logs by their bytes
TEAM_KEY = {"Authorization": "Bearer ptk_live_default_approver"}
_serial = count()
Points = list[tuple[float, float]]


def figures() -> Iterator[Figure]:
    """Measure and draw every curve; a figure for each line says how its last point compares with its first."""
    PLOTS.mkdir(exist_ok=True)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name, draw in CURVES.items():
        plot = draw()
        (PLOTS / f"{name}.svg").write_text(plot.svg())
        results[name] = {line.name: [[across, round(up, 3)] for across, up in line.points] for line in plot.lines}
        for line in plot.lines:
            (first, at_first), (last, at_last) = line.points[0], line.points[-1]
            yield Figure(f"{name}: {line.name}, at {last:,.0f}", f"{at_last:,.1f} us", "flat, or explained", None,
                         f"that at {first:,.0f}", at_last / at_first)  # fmt: skip
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


def micros(many: int, work: Callable[[], object]) -> float:
    """The processor time of one of `many` operations that `work` makes, in us: the least of several rounds."""
    spans = []
    gc.collect()
    work()
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        spans.append(time.process_time() - started)
    return min(spans) / many * 1e6


def orders() -> Plot:
    """Create, read and list as orders pile up. The logs are full before, so that a call drops the same at each size."""
    _, client = funded()
    points: dict[str, Points] = {"create": [], "read": [], "list of 25": []}
    made = 0
    for at in ORDERS:
        place(client, at - made)
        _read(client, 2 * MAX_EVENTS)
        points["create"].append((at, micros(100, lambda: place(client, 100))))
        points["read"].append((at, micros(200, lambda: _read(client, 200))))
        _list(client, LISTS)
        points["list of 25"].append((at, micros(50, lambda: _list(client, 50))))
        made = at + 100 * (ROUNDS + 1)
    return Plot("Time of a call by the orders in its world", "orders", "us", _lines(points))


def recipients() -> Plot:
    """Create an order of many recipients, and each recipient's part of that."""
    _, client = funded()
    points: Points = []
    for many in RECIPIENTS:
        per_round = max(1, 100 // many)

        def create(many: int = many, per_round: int = per_round) -> None:
            for _ in range(per_round):
                people = [{"name": f"P{i}", "email": f"p{i}@example.com"} for i in range(many)]
                body = {**order(), "recipients": people}
                response = client.call("POST", "/api/external/team-orders", body=body, headers=KEY)
                assert response.status == 201, response.text

        points.append((many, micros(per_round * many, create)))
    lines = [Line("team order", points), Line("large campaign", [(many, _campaign(many)) for many in CAMPAIGN])]
    return Plot("Time of a create, for each recipient", "recipients", "us", lines)


def _campaign(many: int) -> float:
    """The time that a large campaign's create takes for each recipient."""
    client = Simulator(fixture="empty").client
    people = [{"name": f"Guest {i}", "email": f"guest{i}@example.com"} for i in range(many)]
    body = {"name": "Year's end", "collection": "welcome-kit", "recipients": people}
    per_round = max(1, 100 // many)

    def create() -> None:
        for _ in range(per_round):
            headers = {**TEAM_KEY, "Idempotency-Key": f"curve-{next(_serial)}"}
            response = client.call("POST", "/api/teams/v1/large-campaigns", body=body, headers=headers)
            assert response.status == 202, response.text

    return micros(per_round * many, create)


def timers() -> Plot:
    """Set and fire a timer among many that are pending."""
    state = State(Definitions((), {"tick": lambda _state, _n: None}), 1, 0)
    made, points = count(), dict[str, Points](set=[], fire=[])

    def set_(many: int) -> None:
        with state.transaction():
            for n in (next(made) for _ in range(many)):
                state.timers.set(n * 7_919 % 1_000_003 + 10**7, "bench", n, "tick", "to measure")

    def fire(many: int) -> None:
        for _ in range(many):
            timer = state.timers.peek()
            assert timer
            state.fire(timer)

    for at in TIMERS:
        set_(at - len(state.timers))
        points["set"].append((at, micros(1_000, lambda: set_(1_000))))
        points["fire"].append((at, micros(1_000, lambda: fire(1_000))))
        state.take_undo_log()
    return Plot("Time of a timer by the timers that are pending", "pending timers", "us", _lines(points))


def worlds() -> Plot:
    """Create a world and call one, as worlds pile up."""
    _, client = funded()
    made, points = count(1), dict[str, Points]({"create a world": [], "read in a world": []})

    def create(many: int) -> None:
        for _ in range(many):
            body = {"id": f"w{next(made)}", "fixture": "empty"}
            assert client.call("POST", "/_sim/v1/worlds", body=body).status == 201

    place(client, 60)
    existing = 1
    for at in WORLDS:
        create(at - existing)
        points["read in a world"].append((at, micros(200, lambda: _read(client, 200))))
        points["create a world"].append((at, micros(5, lambda: create(5))))
        existing = at + 5 * (ROUNDS + 1)
    return Plot("Time of a call by the worlds in the process", "worlds", "us", _lines(points))


def calls() -> Plot:
    """Read and create as the logs of calls fill up and drop their oldest entries."""
    _, client = funded()
    place(client, 60)
    points, made = dict[str, Points](read=[], create=[]), 61
    for at in CALLS:
        _read(client, at - made)
        points["read"].append((at, micros(100, lambda: _read(client, 100))))
        points["create"].append((at, micros(50, lambda: place(client, 50))))
        made = at + 150 * (ROUNDS + 1)
    return Plot("Time of a call by the calls before it", "calls so far", "us", _lines(points))


def _read(client: InProcessClient, many: int) -> None:
    for _ in range(many):
        client.call("GET", "/api/external/team-orders/1050", headers=KEY)


def _list(client: InProcessClient, many: int) -> None:
    for _ in range(many):
        client.call("GET", "/api/external/team-orders?limit=25", headers=KEY)


def _lines(points: dict[str, Points]) -> Sequence[Line]:
    return [Line(name, each) for name, each in points.items()]


CURVES: dict[str, Callable[[], Plot]] = {
    "orders": orders, "recipients": recipients, "timers": timers, "worlds": worlds, "calls": calls,
}  # fmt: skip
