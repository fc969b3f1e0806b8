"""The plan of a run: what happens when, drawn from the seed before anything runs, so that events can be cut from it."""

from __future__ import annotations

from collections.abc import Collection
from random import Random  # noqa: TID251 - the seed decides
from typing import NamedTuple

SPAN_S = 6.0  # in which the events of a plan begin

# What a run may have. Each run has some of these only: rare faults hide each other otherwise.
CALLS = {"order": 8, "read": 4, "pipeline": 4, "claim": 3, "books": 1, "settled": 2}
RUDE = {"slow": 2, "half_close": 2, "hang_up": 2, "garbage": 2, "idle": 1, "deaf": 1}
WAITS = {"hold": 3, "release": 2, "follow": 2, "stream": 2}
TIME = {"advance": 4, "clock": 2}
WILD = {
    "other_order": 6,
    "other_held": 1,
    "other_release": 1,
    "other_claim": 2,
    "undo": 4,
    "redo": 3,
    "snapshot": 1,
    "restore": 1,
    "reset": 1,
    "fork": 2,
    "follow": 4,
}
KILLS = {"kill": 3, "stop": 1, "power": 1}
DISK = {"full_disk": 2, "stuck_disk": 1, "no_sync": 1, "bit_flip": 1}
SCARCE = {"no_threads": 2, "no_descriptors": 2}
FEATURES = {"rude": RUDE, "waits": WAITS, "time": TIME, "wild": WILD, "kills": KILLS, "disk": DISK, "scarce": SCARCE}
CHANCE = {"rude": 0.35, "waits": 0.35, "time": 0.45, "wild": 0.35, "kills": 0.5, "disk": 0.25, "scarce": 0.2}


class Event(NamedTuple):
    """Something that happens `at_s` seconds after the start. Its number gives it a random stream of its own."""

    n: int
    at_s: float
    kind: str

    def __str__(self) -> str:
        return f"{self.n:3}  {self.at_s:6.3f} s  {self.kind}"


class Plan(NamedTuple):
    """All of a run. `receivers` is whether webhooks are sent to receivers outside."""

    seed: int
    features: frozenset[str]
    receivers: bool
    checkpoint_every: int
    connections: int
    events: tuple[Event, ...]

    def only(self, numbers: Collection[int]) -> Plan:
        """The same plan with these events only."""
        return self._replace(events=tuple(event for event in self.events if event.n in numbers))


def draw(seed: int) -> Plan:
    """The plan of a seed."""
    random = Random(f"{seed}/plan")
    features = frozenset(name for name, chance in CHANCE.items() if random.random() < chance)
    weights = dict(CALLS)
    for name in sorted(features):
        weights.update(FEATURES[name])
    count = random.choice((6, 10, 16, 24))
    kinds = random.choices(list(weights), list(weights.values()), k=count)
    span_s = random.choice((0.05, 0.5, SPAN_S))
    times = sorted(random.random() * span_s for _ in range(count))
    events = tuple(Event(n, at_s, kind) for n, (at_s, kind) in enumerate(zip(times, kinds, strict=True)))
    return Plan(
        seed=seed,
        features=features,
        receivers=random.random() < 0.6,
        checkpoint_every=random.choice((5, 15, 40)),
        connections=random.choice((16, 200)),
        events=events,
    )
