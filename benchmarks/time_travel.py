"""Advancing the clock: due timers compared with SimPy, a year of orders, webhook retries, and an empty century."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import simpy

from benchmarks.figure import Figure, seconds
from benchmarks.workload import KEY, advance, funded, place
from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.kernel.instants import HOUR
from giftsim.engine.kernel.state_machine import After, Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec

TIMEOUTS = 1_000_000
RECORDS, PARCELS = 100_000, 25_000
PEOPLE, DUE, RULES = 10_000, 20, 10
TRIGGERS = ("birthday", "work_anniversary", "new_hire")
_serial = count()
MUG = {"merchant_product_id": 101, "quantity": 1}
TEAM_KEY = {"Authorization": "Bearer ptk_live_default_approver"}


class Alarm(Record, frozen=True, gc=False):
    """A record that changes once, when it is due."""

    due_ms: int
    status: str = "set"


ALARMS: TableSpec[Alarm] = TableSpec("alarms", Alarm)
ALARM: Machine[Alarm] = Machine(
    "alarm", ALARMS, initial=("set",), final=("rung",),
    rows=[Row("set", "ring", "rung", after=After(lambda _, alarm: alarm.due_ms, 0, "it is due"))],
)  # fmt: skip


def figures() -> Iterator[Figure]:
    """The figures of advancing the clock."""
    yield from _timers()
    yield _year()
    yield _retries()
    yield _people()
    _, client = funded()
    advance(client, "1d")
    span = seconds(lambda: advance(client, f"{365 * 100}d"))
    yield Figure("a century of empty hours", f"{span * 1000:.1f} ms", "1 ms", span <= 0.001)


def _timers() -> Iterator[Figure]:
    simpy_rate = TIMEOUTS / seconds(_simpy)
    against = "SimPy, 1M timeouts made and run"
    rate = _record_rate()
    name, target = f"advance through {RECORDS:,} due timers that each change a record", "half of SimPy, 60,000/s"
    yield Figure(name, f"{rate:,.0f}/s", target, rate >= max(simpy_rate / 2, 60_000), against, rate / simpy_rate)
    rate = _parcel_rate()
    name = f"advance through {4 * PARCELS:,} steps of parcels: two records, half an event and a new timer each"
    yield Figure(name, f"{rate:,.0f}/s", "", None, against, rate / simpy_rate)


def _record_rate() -> float:
    """Timers a second in a world with one more table, whose records change their status at different hours."""
    simulator = Simulator(fixture="empty")
    definitions = simulator.definitions
    definitions.tables = {**definitions.tables, ALARMS.name: ALARMS}
    definitions.timers = {**definitions.timers, **ALARM.timer_handlers()}
    # Another seed, because the state of the first was made before the table was added, and is kept for new worlds.
    simulator.client.call("POST", "/_sim/v1/worlds", body={"id": "alarms", "fixture": "empty", "seed": 2})
    with simulator.registry.worlds["alarms"].locked() as state, state.transaction():
        for n in range(RECORDS):
            due_ms = state.now_ms + (n * 7919 % 600 + 1) * HOUR
            ALARM.enter(state, state[ALARMS].add(Alarm(n, due_ms)))
    fired: list[int] = []
    span = seconds(lambda: fired.append(advance(simulator.client, "30d", "alarms")["fired_count"]))
    return (fired[0] - 30 * 24) / span


def _parcel_rate() -> float:
    """The steps of parcels a second: production, label, carrier and delivery."""
    _, client = funded()
    place(client, PARCELS, addressed=True)
    fired: list[int] = []
    span = seconds(lambda: fired.append(advance(client, "30d")["fired_count"]))
    return (fired[0] - 30 * 24) / span


def _simpy() -> None:
    environment = simpy.Environment()
    for i in range(TIMEOUTS):
        environment.timeout(i % 1000)
    environment.run()


def _people() -> Figure:
    """A year of daily rules over a long roster of which few have a day in it."""
    client = Simulator().client
    rows = [{"work_email": f"p{n}@example.com", **({"birthday": "06-15"} if n < DUE else {})} for n in range(PEOPLE)]
    for first in range(0, PEOPLE, 500):
        _team(client, "POST", "/people", {"people": rows[first : first + 500]})
    for n in range(RULES):
        _team(client, "POST", "/rules?kind=hr", {
            "name": f"Rule {n}", "trigger_type": TRIGGERS[n % len(TRIGGERS)],
            "bundle": {"items": [MUG]},
        })  # fmt: skip
    span = seconds(lambda: advance(client, "365d"))
    name = f"a year of {RULES} daily rules over {PEOPLE:,} people, {DUE} with a birthday"
    return Figure(name, f"{span:.2f} s", "1 s or less", span <= 1)


def _team(client: InProcessClient, method: str, path: str, body: Any = None) -> Any:
    headers = {**TEAM_KEY, "Idempotency-Key": f"bench-{next(_serial)}"}
    response = client.call(method, f"/api/teams/v1{path}", body=body, headers=headers)
    assert response.status < 300, response.text
    return response.json()


def _subscribe(client: InProcessClient, *event_types: str) -> None:
    body = {"url": "https://hooks.partner.example/gifts", "events": list(event_types)}
    response = client.call("POST", "/api/external/webhooks", body=body, headers=KEY)
    assert response.status == 201, response.text


def _year() -> Figure:
    _, client = funded()
    _subscribe(client, "team_order.shipped", "team_order.delivered")
    place(client, 10_000, addressed=True)
    span = seconds(lambda: advance(client, "365d"))
    return Figure("a year: 10,000 orders' lives, captured deliveries", f"{span:.2f} s", "1.5 s or less", span <= 1.5)


def _retries() -> Figure:
    _, client = funded()
    _subscribe(client, "team_order.shipped")
    receiver = {"mode": "capture", "then": {"status": 503}}
    client.call("PUT", "/_sim/v1/worlds/default/receivers/hooks.partner.example", body=receiver)
    place(client, 10_000, addressed=True)
    advance(client, "3d")
    span = seconds(lambda: advance(client, "30d"))
    return Figure("10,000 deliveries that fail, retried to death", f"{span:.2f} s", "1.5 s or less", span <= 1.5)
