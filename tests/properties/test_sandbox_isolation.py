"""Isolation of sandboxes: no live key and no other test key sees what a test key does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.gateway.in_process_client import Response
from tests.claims import claims
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import gift_body, order_body
from tests.support.team.webhooks import EVENT_TYPES, GIFT_KINDS, ORDER_KINDS
from tests.support.worlds import World

LIVE, TESTS = "live", ("test", "second")
NOUNS: Mapping[str, str] = MappingProxyType(
    {"order": "/team-orders", "gift": "/gifts", "hook": "/webhooks", "invoice": "/invoices"}
)
# Random values: another draw before them changes them.
DRAWN = ("carrier", "tracking_number", "tracking_url", "secret")
SHOWN = ("order", "gift")
# The member by which a verb names a record.
NAMED: Mapping[str, str] = MappingProxyType({"order": "team_order_id", "gift": "gift_id", "invoice": "invoice_id"})
SPANS = ("1h", "3d", "20d")
ANSWERED = (200, 201, 403, 409, 410)


class WorldSide:
    """One of two compared worlds, with the records created in it by each key."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.team = TeamClients(world)
        self.faces: dict[str, TeamClient] = {
            LIVE: self.team.live, "test": self.team.test, "second": self.team.test_second,
        }  # fmt: skip
        self.made: dict[str, dict[str, list[Any]]] = {who: {noun: [] for noun in NOUNS} for who in self.faces}

    def make(self, who: str, noun: str, body: Any, path: str | None = None) -> Response:
        """A new record, which is remembered."""
        answer = self.faces[who].post(path or NOUNS[noun], body)
        if answer.status == 201:
            self.made[who][noun].append(answer.json()["id"])
        return answer

    def one(self, who: str, noun: str, place: int) -> Any:
        """The id of one of the records that somebody made; None if there are none."""
        made = self.made[who][noun]
        return made[place % len(made)] if made else None

    def about(self, who: str, noun: str, place: int, call: Callable[[Any], Response]) -> Response | None:
        """The answer to a call about one of somebody's records, if there is any."""
        found = self.one(who, noun, place)
        return None if found is None else call(found)

    def verb(self, who: str, noun: str, place: int, verb: str, **body: Any) -> Response | None:
        """Something happens to one of somebody's records in the outside world; it may not fit."""
        path = f"/worlds/{self.world.id}/simulate/{verb}"
        control = self.world.control
        return self.about(who, noun, place, lambda found: control.post(path, {NAMED[noun]: found, **body}))

    def happen(self, who: str, noun: str, place: int) -> Response | None:
        """A sandbox event, which may not fit."""
        kinds = GIFT_KINDS if noun == "gift" else ORDER_KINDS
        body = {"type": kinds[place % len(kinds)]}
        face = self.faces[who]
        return self.about(who, noun, place, lambda found: face.post("/sandbox/events", {**body, "resource_id": found}))

    def listen(self, who: str) -> Response:
        """A subscription to everything."""
        body = {
            "url": f"https://{who}.team.example/",
            "events": list(EVENT_TYPES),
            "balance_threshold_cents": 2_490_000,
        }
        return self.make(who, "hook", body)

    def browse(self, who: str, place: int) -> Response | None:
        """A read of a list and of one of its records."""
        noun = SHOWN[place % 2]
        self.faces[who].get_json(NOUNS[noun])
        return self.about(who, noun, place, lambda found: self.faces[who].get(f"{NOUNS[noun]}/{found}"))


Action = Callable[[WorldSide, str, int], Response | None]

# What somebody does, or what a human or the outside world does with somebody's record.
ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "order": lambda side, who, i: side.make(who, "order", order_body(headcount=2 + i % 2)),
        "buy": lambda side, who, _: side.make(who, "order", order_body(payment_method="net_terms")),
        "gift": lambda side, who, i: side.make(who, "gift", gift_body(1 + i % 2)),
        "deposit": lambda side, who, i: side.make(who, "invoice", {"amount_cents": 5000 + i}, "/deposit-invoices"),
        "listen": lambda side, who, _: side.listen(who),
        "browse": lambda side, who, i: side.browse(who, i),
        "ask": lambda side, who, i: side.about(
            who, "order", i, lambda found: side.faces[who].post(f"/team-orders/{found}/request-approval", {})
        ),
        "cancel": lambda side, who, i: side.about(
            who, "order", i, lambda found: side.faces[who].post(f"/team-orders/{found}/cancel", {})
        ),
        "event of an order": lambda side, who, i: side.happen(who, "order", i),
        "event of a gift": lambda side, who, i: side.happen(who, "gift", i),
        "approve an order": lambda side, who, i: side.verb(who, "order", i, "approval", decision="approve"),
        "approve a gift": lambda side, who, i: side.verb(who, "gift", i, "approval", decision="approve"),
        "reject a gift": lambda side, who, i: side.verb(who, "gift", i, "approval", decision="reject"),
        "claim": lambda side, who, i: side.verb(who, "gift", i, "claim", recipient=0),
        "ship": lambda side, who, i: side.verb(who, "order", i, "shipment", to="shipped"),
        "pay": lambda side, who, i: side.verb(who, "invoice", i, "invoice", outcome="paid"),
    }
)


class IdMasker:
    """Replaces ids by their order of appearance and masks random values, so that two worlds can be compared."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def name(self, value: object) -> str:
        """What stands for an id, the same each time."""
        return self.known.setdefault(str(value), f"#{len(self.known)}")

    def normalized(self, value: Any, member: str = "") -> Any:
        """JSON without any of them."""
        if isinstance(value, dict):
            return {key: self.normalized(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.normalized(inner, member) for inner in value]
        if member in DRAWN:
            return value and "drawn"
        if member.endswith("id") and not isinstance(value, bool):
            return value and self.name(value)
        if not isinstance(value, str):
            return value
        value = re.sub(r"(?<=/claim/)\w+/\w+", "drawn", value)
        return re.sub(r"\b\d{6,}\b", lambda found: self.name(found.group()), value)


def normalized(value: Any) -> Any:
    """JSON with ids and random values masked."""
    return IdMasker().normalized(value)


def live_view(side: WorldSide) -> Any:
    """Everything that live keys see, and the world's mail, money and webhooks of live keys."""
    live, world = side.team.live, side.world
    return normalized(
        [
            *(live.get_json(path) for path in ("/team", "/billing/balance", "/credit-terms")),
            *(live.list_all(path, 50) for path in (*NOUNS.values(), "/approvals")),
            *(live.get_json(f"{NOUNS[noun]}/{found}") for noun in SHOWN for found in side.made[LIVE][noun]),
            world.mail(),
            world.call_control("GET", "/ledger?limit=1000"),
            [row["type"] for row in world.deliveries(f"&host={LIVE}.team.example")],
        ]
    )


def sandboxes(side: WorldSide) -> Any:
    """The orders and gifts of the test keys."""
    paths = [(who, f"{NOUNS[noun]}/{found}") for who in TESTS for noun in SHOWN for found in side.made[who][noun]]
    return [side.faces[who].get_json(path) for who, path in paths]


def check_own(side: WorldSide) -> None:
    """Check that each key sees exactly its own records, marked with its mode."""
    for who, face in side.faces.items():
        for noun, path in NOUNS.items():
            rows = face.list_all(path, 50)
            own = side.made[who][noun]
            assert [row["id"] for row in rows if row["id"] in own] == own[::-1]
            assert {row["livemode"] for row in rows} <= {who == LIVE}
            if noun != "invoice":
                assert len(rows) == len(own)
        mine = {*side.made[who]["order"], *side.made[who]["gift"]}
        for approval in face.list_all("/approvals", 50):
            assert approval["resource_id"] in mine
            assert approval["livemode"] is (who == LIVE)
    check_others_records(side)


def check_others_records(side: WorldSide) -> None:
    """Check that no key can read another's records."""
    for who, made in side.made.items():
        for noun in SHOWN:
            for found in made[noun]:
                for other, face in side.faces.items():
                    if other != who:
                        expect_error(face.get(f"{NOUNS[noun]}/{found}"), 404, "not_found")


def apply_step(sides: tuple[WorldSide, WorldSide], who: str, what: str, place: int) -> None:
    """Apply a step of the live key to both worlds, a step of a test key only to the first."""
    if what == "advance":
        for side in sides:
            side.world.advance(SPANS[place % len(SPANS)])
        return
    answers = [ACTIONS[what](side, who, place) for side in (sides if who == LIVE else sides[:1])]
    told = [answer and (answer.status, normalized(answer.json())) for answer in answers]
    assert all(answer is None or answer.status in ANSWERED for answer in answers), told
    assert told[0] == told[-1]


@pytest.fixture
def world_pairs(
    simulator: Simulator, pytestconfig: pytest.Config
) -> Iterator[Callable[[], tuple[WorldSide, WorldSide]]]:
    """Create two identical worlds, deleting the former ones."""
    now, made = pytestconfig.getoption("--world-now"), list[World]()

    def clear() -> None:
        while made:
            simulator.client.call("DELETE", f"/_sim/v1/worlds/{made.pop().id}")

    def make() -> tuple[WorldSide, WorldSide]:
        clear()
        made.extend(World(simulator, fixture="empty", **({"now": now} if now else {})) for _ in range(2))
        return WorldSide(made[0]), WorldSide(made[1])

    yield make
    clear()


# Everybody has something from the beginning, so that there is what a step can be about.
FIRST = tuple((who, what, 0) for who in (*TESTS, LIVE) for what in ("listen", "order", "gift"))
STEPS = st.lists(
    st.tuples(st.sampled_from((LIVE, *TESTS)), st.sampled_from(("advance", *ACTIONS)), st.integers(0, 5)),
    min_size=20, max_size=50,
)  # fmt: skip
PHASES = [phase for phase in Phase if phase is not Phase.explain]
PACE = settings(max_examples=60, phases=PHASES, deadline=None, suppress_health_check=list(HealthCheck))


@claims("T-1.14", "T-1.15", "T-1.16", "T-1.17", "T-2.4")
@PACE
@given(steps=STEPS)
def test_actions_with_test_keys_are_invisible_to_everyone_else(
    world_pairs: Callable[[], tuple[WorldSide, WorldSide]], steps: list[tuple[str, str, int]]
) -> None:
    sides = both, alone = world_pairs()
    for who, what, place in (*FIRST, *steps):
        apply_step(sides, who, what, place)
    assert live_view(both) == live_view(alone)
    check_own(both)
    before = sandboxes(both)
    for side in sides:
        side.world.advance("60d")
    assert live_view(both) == live_view(alone)
    assert sandboxes(both) == before
