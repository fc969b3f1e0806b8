"""Isolation of sandboxes: no live key and no other test key sees action a test key does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import gift_body, order_body
from tests.support.team.webhooks import EVENT_TYPES, GIFT_KINDS, ORDER_KINDS
from tests.support.worlds import World

LIVE, TESTS = "live", ("test", "second")
PATHS: Final[Mapping[str, str]] = {
    "order": "/team-orders",
    "gift": "/gifts",
    "webhook": "/webhooks",
    "invoice": "/invoices",
}
# Random values: another draw before them changes them.
RANDOM = ("carrier", "tracking_number", "tracking_url", "secret")
READ_NOUNS = ("order", "gift")
# The member by which a verb names a record.
ID_MEMBERS: Final[Mapping[str, str]] = {"order": "team_order_id", "gift": "gift_id", "invoice": "invoice_id"}
SPANS = ("1h", "3d", "20d")
EXPECTED_STATUSES = (200, 201, 403, 409, 410)


class WorldSide:
    """One of two compared worlds, with the records created in it by each key."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.team = TeamClients(world)
        self.clients: dict[str, TeamClient] = {
            LIVE: self.team.live, "test": self.team.test, "second": self.team.test_second,
        }  # fmt: skip
        self.created: dict[str, dict[str, list[Any]]] = {key: {noun: [] for noun in PATHS} for key in self.clients}

    def create(self, key: str, noun: str, body: Any, path: str | None = None) -> Response:
        """Create a record and remember its id."""
        response = self.clients[key].post(path or PATHS[noun], body)
        if response.status == 201:
            self.created[key][noun].append(response.json()["id"])
        return response

    def record_id(self, key: str, noun: str, index: int) -> Any:
        """The id of one of the records that a key created, or None if there are none."""
        ids = self.created[key][noun]
        return ids[index % len(ids)] if ids else None

    def call_with(self, key: str, noun: str, index: int, call: Callable[[Any], Response]) -> Response | None:
        """The response to a call with the id of one of the key's records, or None if there are none."""
        record_id = self.record_id(key, noun, index)
        return None if record_id is None else call(record_id)

    def simulate(self, key: str, noun: str, index: int, action: str, **body: Any) -> Response | None:
        """Call the control API to simulate an event of one of the key's records, which may be refused."""
        path = f"/worlds/{self.world.id}/simulate/{action}"
        control = self.world.control
        return self.call_with(
            key, noun, index, lambda record_id: control.post(path, {ID_MEMBERS[noun]: record_id, **body})
        )

    def send_sandbox_event(self, key: str, noun: str, index: int) -> Response | None:
        """Send a sandbox event, which may be refused."""
        kinds = GIFT_KINDS if noun == "gift" else ORDER_KINDS
        body = {"type": kinds[index % len(kinds)]}
        client = self.clients[key]
        return self.call_with(
            key, noun, index, lambda record_id: client.post("/sandbox/events", {**body, "resource_id": record_id})
        )

    def subscribe(self, key: str) -> Response:
        """Subscribe to all events."""
        body = {
            "url": f"https://{key}.team.example/",
            "events": list(EVENT_TYPES),
            "balance_threshold_cents": 2_490_000,
        }
        return self.create(key, "webhook", body)

    def browse(self, key: str, index: int) -> Response | None:
        """Read a list and one of its records."""
        noun = READ_NOUNS[index % 2]
        self.clients[key].get_json(PATHS[noun])
        return self.call_with(key, noun, index, lambda record_id: self.clients[key].get(f"{PATHS[noun]}/{record_id}"))


Action = Callable[[WorldSide, str, int], Response | None]

# Calls of a key, and what a reviewer or the outside world does with a record of the key.
ACTIONS: Final[Mapping[str, Action]] = {
    "order": lambda side, key, i: side.create(key, "order", order_body(headcount=2 + i % 2)),
    "buy": lambda side, key, _: side.create(key, "order", order_body(payment_method="net_terms")),
    "gift": lambda side, key, i: side.create(key, "gift", gift_body(1 + i % 2)),
    "deposit": lambda side, key, i: side.create(key, "invoice", {"amount_cents": 5000 + i}, "/deposit-invoices"),
    "subscribe": lambda side, key, _: side.subscribe(key),
    "browse": lambda side, key, i: side.browse(key, i),
    "ask": lambda side, key, i: side.call_with(
        key, "order", i, lambda record_id: side.clients[key].post(f"/team-orders/{record_id}/request-approval", {})
    ),
    "cancel": lambda side, key, i: side.call_with(
        key, "order", i, lambda record_id: side.clients[key].post(f"/team-orders/{record_id}/cancel", {})
    ),
    "event of an order": lambda side, key, i: side.send_sandbox_event(key, "order", i),
    "event of a gift": lambda side, key, i: side.send_sandbox_event(key, "gift", i),
    "approve an order": lambda side, key, i: side.simulate(key, "order", i, "approval", decision="approve"),
    "approve a gift": lambda side, key, i: side.simulate(key, "gift", i, "approval", decision="approve"),
    "reject a gift": lambda side, key, i: side.simulate(key, "gift", i, "approval", decision="reject"),
    "claim": lambda side, key, i: side.simulate(key, "gift", i, "claim", recipient=0),
    "ship": lambda side, key, i: side.simulate(key, "order", i, "shipment", to="shipped"),
    "pay": lambda side, key, i: side.simulate(key, "invoice", i, "invoice", outcome="paid"),
}


class IdMasker:
    """Replaces ids by their order of appearance and masks random values, so that two worlds can be compared."""

    def __init__(self) -> None:
        self.placeholders: dict[str, str] = {}

    def name(self, value: object) -> str:
        """The placeholder of an id, the same each time."""
        return self.placeholders.setdefault(str(value), f"#{len(self.placeholders)}")

    def normalized(self, value: Any, member: str = "") -> Any:
        """JSON with ids and random values masked."""
        if isinstance(value, dict):
            return {name: self.normalized(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.normalized(inner, member) for inner in value]
        if member in RANDOM:
            return value and "random"
        if member.endswith("id") and not isinstance(value, bool):
            return value and self.name(value)
        if not isinstance(value, str):
            return value
        value = re.sub(r"(?<=/claim/)\w+/\w+", "random", value)
        return re.sub(r"\b\d{6,}\b", lambda match: self.name(match.group()), value)


def normalized(value: Any) -> Any:
    """JSON with ids and random values masked."""
    return IdMasker().normalized(value)


def live_view(side: WorldSide) -> Any:
    """Everything that live keys see, and the world's mail, money and webhooks of live keys."""
    live, world = side.team.live, side.world
    return normalized(
        [
            *(live.get_json(path) for path in ("/team", "/billing/balance", "/credit-terms")),
            *(live.list_all(path, 50) for path in (*PATHS.values(), "/approvals")),
            *(
                live.get_json(f"{PATHS[noun]}/{record_id}")
                for noun in READ_NOUNS
                for record_id in side.created[LIVE][noun]
            ),
            world.mail(),
            world.call_control("GET", "/ledger?limit=1000"),
            [row["type"] for row in world.deliveries(f"&host={LIVE}.team.example")],
        ]
    )


def sandboxes(side: WorldSide) -> Any:
    """The orders and gifts of the test keys."""
    paths = [
        (key, f"{PATHS[noun]}/{record_id}")
        for key in TESTS
        for noun in READ_NOUNS
        for record_id in side.created[key][noun]
    ]
    return [side.clients[key].get_json(path) for key, path in paths]


def check_own(side: WorldSide) -> None:
    """Check that each key sees exactly its own records, marked with its mode."""
    for key, client in side.clients.items():
        for noun, path in PATHS.items():
            rows = client.list_all(path, 50)
            own = side.created[key][noun]
            assert [row["id"] for row in rows if row["id"] in own] == own[::-1]
            assert {row["livemode"] for row in rows} <= {key == LIVE}
            if noun != "invoice":
                assert len(rows) == len(own)
        own_ids = {*side.created[key]["order"], *side.created[key]["gift"]}
        for approval in client.list_all("/approvals", 50):
            assert approval["resource_id"] in own_ids
            assert approval["livemode"] is (key == LIVE)
    check_others_records(side)


def check_others_records(side: WorldSide) -> None:
    """Check that no key can read another's records."""
    for key, ids in side.created.items():
        for noun in READ_NOUNS:
            for record_id in ids[noun]:
                for other, client in side.clients.items():
                    if other != key:
                        expect_error(client.get(f"{PATHS[noun]}/{record_id}"), 404, "not_found")


def apply_step(sides: tuple[WorldSide, WorldSide], key: str, action: str, index: int) -> None:
    """Apply a step of the live key to first worlds, a step of a test key only to the first."""
    if action == "advance":
        for side in sides:
            side.world.advance(SPANS[index % len(SPANS)])
        return
    responses = [ACTIONS[action](side, key, index) for side in (sides if key == LIVE else sides[:1])]
    results = [response and (response.status, normalized(response.json())) for response in responses]
    assert all(response is None or response.status in EXPECTED_STATUSES for response in responses), results
    assert results[0] == results[-1]


@pytest.fixture
def world_pairs(
    simulator: Simulator, pytestconfig: pytest.Config
) -> Iterator[Callable[[], tuple[WorldSide, WorldSide]]]:
    """Create two identical worlds, deleting the former ones."""
    now, worlds = pytestconfig.getoption("--world-now"), list[World]()

    def clear() -> None:
        while worlds:
            simulator.client.call("DELETE", f"/_sim/v1/worlds/{worlds.pop().id}")

    def create() -> tuple[WorldSide, WorldSide]:
        clear()
        worlds.extend(World(simulator, fixture="empty", **({"now": now} if now else {})) for _ in range(2))
        return WorldSide(worlds[0]), WorldSide(worlds[1])

    yield create
    clear()


# Every key begins with a record of each type, so that later steps have something to act on.
FIRST = tuple((key, action, 0) for key in (*TESTS, LIVE) for action in ("subscribe", "order", "gift"))
STEPS = st.lists(
    st.tuples(st.sampled_from((LIVE, *TESTS)), st.sampled_from(("advance", *ACTIONS)), st.integers(0, 5)),
    min_size=20, max_size=50,
)  # fmt: skip
PHASES = [phase for phase in Phase if phase is not Phase.explain]
PACE = settings(max_examples=30, phases=PHASES, deadline=None, suppress_health_check=list(HealthCheck))


@shows("T-1.14", "T-1.15", "T-1.16", "T-1.17", "T-2.4")
@PACE
@given(steps=STEPS)
def test_actions_with_test_keys_are_invisible_to_everyone_else(
    world_pairs: Callable[[], tuple[WorldSide, WorldSide]], steps: list[tuple[str, str, int]]
) -> None:
    sides = first, second = world_pairs()
    for key, action, index in (*FIRST, *steps):
        apply_step(sides, key, action, index)
    assert live_view(first) == live_view(second)
    check_own(first)
    before = sandboxes(first)
    for side in sides:
        side.world.advance("60d")
    assert live_view(first) == live_view(second)
    assert sandboxes(first) == before
