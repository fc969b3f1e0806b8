"""Why: how long the verdicts on a question take in a world of 10,000 calls, once its trace is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median
from time import process_time
from typing import Any

from benchmarks.figure import Figure
from benchmarks.workload import funded, place
from giftsim import Simulator
from giftsim.engine.url_paths import CONTROL
from giftsim.workbench.trace.trace import Played, play, read_source
from giftsim.workbench.why.about import About, read_expected
from giftsim.workbench.why.engine import verdicts

CALLS, TIMES = 10_000, 5
EXPECTED = ("team_order.shipped", "delivered", "team_order.claimed")
ASSERTED = ("'in_production' == 'delivered'", "9 == 10", "201 == 402")  # a status, a count and an answer


def figures() -> Iterator[Figure]:
    """The figures of verdicts: the slowest of a question about the newest order, of each kind of expectation."""
    simulator, client = funded()
    place(client, CALLS - 1)
    place(client, 1, addressed=True)
    order = str(client.call("GET", f"{CONTROL}/worlds/default/orders?order=newest&limit=1").json()["orders"][0]["id"])
    played = _played(simulator)
    asked = [(About("order", order, read_expected(each, played.state)), None) for each in EXPECTED]
    failures = [
        (None, {"failure": {"message": f"expected a webhook {each}, found none", "text": ""}}) for each in EXPECTED
    ]
    failures += [(None, {"failure": {"message": f"assert {each}", "text": ""}}) for each in ASSERTED]
    took_s = max(_seconds(partial(_ask, played, *each)) for each in (*asked, *failures))
    yield Figure(f"verdicts in a world of {CALLS:,} calls", f"{took_s * 1000:.0f} ms", "below 50 ms", took_s < 0.05)


def _seconds(ask: Callable[[], None]) -> float:
    """The processor time of a question; other programs do not count."""
    return median(_processor_seconds(ask) for _ in range(TIMES))


def _processor_seconds(ask: Callable[[], None]) -> float:
    began = process_time()
    ask()
    return process_time() - began


def _ask(played: Played, about: About | None, test: Mapping[str, Any] | None) -> None:
    verdicts(played.data, about, played.state, test, played.index)


def _played(simulator: Simulator) -> Played:
    """The trace of the default world."""
    app, world = simulator.wsgi_app, simulator.registry.worlds["default"]
    simulated = [each for each in simulator.interfaces if each.name != "control"]
    with world.locked() as state:
        source = read_source("", world, state, None, None)
    return play(app, source, simulated, app.interfaces[CONTROL], with_index=True)
