"""Why: how long the verdicts on a question take in a world of 10,000 calls, once its trace is made."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.figure import Figure, median_seconds
from benchmarks.workload import KEY, funded, place
from giftsim import Simulator
from giftsim.engine.url_paths import CONTROL
from giftsim.workbench.trace.trace import play, read_source
from giftsim.workbench.why.about import About, read_expected
from giftsim.workbench.why.engine import verdicts

CALLS, TIMES = 10_000, 5
EXPECTED = ("team_order.shipped", "delivered", "team_order.claimed")


def figures() -> Iterator[Figure]:
    """The figures of verdicts."""
    simulator, client = funded()
    place(client, CALLS - 1)
    place(client, 1, addressed=True)
    orders = client.call("GET", "/api/external/team-orders?limit=1", headers=KEY).json()
    order = str(orders["team_orders"][0]["id"])
    data, state = _trace(simulator)
    abouts = [About("order", order, read_expected(each, state)) for each in EXPECTED]
    took_s = max(median_seconds(lambda about=about: verdicts(data, about, state), TIMES) for about in abouts)  # type: ignore[misc]
    yield Figure(f"verdicts in a world of {CALLS:,} calls", f"{took_s * 1000:.0f} ms", "below 50 ms", took_s < 0.05)


def _trace(simulator: Simulator) -> tuple[dict, object]:
    app, world = simulator.wsgi_app, simulator.registry.worlds["default"]
    control = app.interfaces[CONTROL]
    simulated = [each for base, each in app.interfaces.items() if base != CONTROL]
    with world.locked() as state:
        source = read_source("", world, state, None, None)
    return play(app, source, simulated, control)
