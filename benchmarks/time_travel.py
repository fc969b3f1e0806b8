"""Advancing the clock: due timers compared with SimPy, a year of orders, webhook retries, and an empty century."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import simpy

from benchmarks.figure import Figure, seconds
from benchmarks.workload import KEY, advance, funded, place
from giftsim import Simulator
from giftsim.gateway.in_process_client import InProcessClient

TIMEOUTS = 1_000_000
PEOPLE, DUE, RULES = 10_000, 20, 10
TRIGGERS = ("birthday", "work_anniversary", "new_hire")
_serial = count()
MUG = {"merchant_product_id": 101, "quantity": 1}
TEAM_KEY = {"Authorization": "Bearer ptk_live_default_approver"}


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
    _, client = funded()
    place(client, 25_000, addressed=True)
    fired: list[int] = []
    span = seconds(lambda: fired.append(advance(client, "30d")["fired_count"] - 30 * 24))
    rate = fired[0] / span
    name = f"advance through {fired[0]:,} due timers"
    yield Figure(name, f"{rate:,.0f}/s", "half of SimPy, 60,000/s", rate >= simpy_rate / 2 and rate >= 60_000,
                 "SimPy, 1M timeouts made and run", rate / simpy_rate)  # fmt: skip


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
