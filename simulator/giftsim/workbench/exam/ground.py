"""The ground of a sitting: a world of its own in which the app is subscribed, its clock, and what goes wrong there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from random import Random  # noqa: TID251  # seeded, and outside of every world
from typing import Any, Final

import msgspec

from giftsim.engine.client.control import Control
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld, goal_of
from giftsim.engine.worlds import system_clock
from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS, TEAM_KINDS
from giftsim.workbench.app.protocol import TEAM_ACTIONS
from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.drawing import Drawing, Product
from giftsim.workbench.exam.examined_app import ExaminedApp
from giftsim.workbench.exam.service_books import Row, ServiceBooks

PREPAID, NET_TERMS, TEAM = "partner.prepaid", "partner.net_terms", "team.live_approver"
POLL_S: Final = 0.005
MEETS_S: Final = 2.0
# What every world of an exam has: nothing that an app sends is magic, and nothing is written as it always was.
SETTINGS: Final[Mapping[str, Any]] = {
    "magic_values": False,
    "faults.named": False,
    "webhooks.spelling": "varied",
    "answers.unknown_members": True,
}
OPEN: Final = {"open": "09:00", "close": "18:00"}
DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Ground:
    """A world with the app in it. `random` and `draw` are its luck; `world` and `books` are there after `begin`."""

    world: ClientWorld
    books: ServiceBooks

    def __init__(
        self, control: Control, origin: str, app: ExaminedApp, random: Random, readings: Mapping[str, Any]
    ) -> None:
        self._control, self._origin, self.app = control, origin, app
        self.random, self.draw = random, Drawing(random)
        self._readings = readings
        self.host = f"{self.draw.word().replace('.', '-')}.partner.example"
        self.webhook_url = f"https://{self.host}{app.protocol.webhooks}"
        self.credential = PREPAID
        self.products: Sequence[Product] = ()
        self.collection = ""
        self.endpoint, self.secret = 0, ""
        self.team_endpoint: Any = None
        self.team_secret = ""
        self.answer_to_start: Any = None
        self._worlds: list[ClientWorld] = []

    def close(self) -> None:
        """Wait for the calls of the app that are still going on, and delete the worlds."""
        self.app.wait()
        self.app.said.clear()
        self.app.asked.clear()
        while self._worlds:
            with suppress(Exception):
                self._worlds.pop().call("DELETE")

    def begin(
        self,
        *,
        credential: str = PREPAID,
        now: str | None = None,
        events: Sequence[str] = PARTNER_KINDS,
        settings: Mapping[str, Any] = {},
        fixture: Mapping[str, Any] = {},
        wallet_cents: int | None = None,
    ) -> None:
        """Make a world at a drawn instant with drawn products, subscribe the app, and let it begin anew.

        `settings` are further settings, `fixture` further members of the fixture.
        """
        self.credential = credential
        made = self._control.send(
            "POST",
            "/worlds",
            {
                "fixture": {**self._fixture(), **fixture},
                "seed": self.random.randrange(1, 2**31),
                "now": now or self.draw.instant(),
                "settings": {**SETTINGS, **self._readings, **settings},
            },
        )
        self.world = ClientWorld(self._control, made["id"], made)
        self._worlds.append(self.world)
        self.books = ServiceBooks(self.world)
        self.app.asked.time = lambda: self.now
        if credential == PREPAID:
            cents = self.draw.between(40_000_000, 90_000_000) if wallet_cents is None else wallet_cents
            self.simulate("account", key=credential, wallet_cents=cents)
        self.receive()
        self.endpoint, self.secret = self.subscribe(events)
        if TEAM_ACTIONS.intersection(self.app.actions):
            self.team_endpoint, self.team_secret = self._subscribe_team()
        self.start()

    def _fixture(self) -> dict[str, Any]:
        """The fixture of a world: products and a collection that are drawn, and a museum that opens every day."""
        self.products = self.draw.products()
        collection = self.draw.collection(self.products)
        self.collection = collection["slug"]
        products = [msgspec.to_builtins(each) for each in self.products]
        museum = {"hours": dict.fromkeys(DAYS, OPEN)}
        return {"extends": "bare", "products": products, "collections": [collection], "museum": museum}

    def start(self) -> None:
        """Let the app begin anew in this world."""
        self.answer_to_start = self.app.start(
            {
                "simulator": self._origin,
                "key": self.world.credentials[self.credential]["value"],
                "webhook_url": self.webhook_url,
                "secret": self.secret,
                "world": self.world.id,
                "now": self.now,
                "team_key": self.world.credentials[TEAM]["value"],
                "team_secret": self.team_secret,
                "museum": {"user": f"museum.{self.world.id}", "password": "museum-pass"},
            }
        )

    def receive(self, **how: Any) -> None:
        """Pass webhooks on to the app, or let its receiver answer in another way, such as `outage`."""
        self.world.send("PUT", f"/receivers/{self.host}", {"mode": "forward", "to": self.app.url, **how})

    def subscribe(self, events: Sequence[str] = PARTNER_KINDS) -> tuple[int, str]:
        """Make an endpoint for the app's URL; its id and secret."""
        made = self.call("POST", "/api/external/webhooks", {"url": self.webhook_url, "events": list(events)}).json()
        return made["endpoint"]["id"], made["secret"]

    def _subscribe_team(self) -> tuple[Any, str]:
        body = {"url": self.webhook_url, "events": list(TEAM_KINDS), "balance_threshold_cents": 100_000}
        key = {"Idempotency-Key": self.draw.word()}
        made = self.call("POST", "/api/teams/v1/webhooks", body, credential=TEAM, headers=key).json()
        return made["id"], made["secret"]

    @property
    def now(self) -> str:
        """The world's instant."""
        now: str = self.world.describe()["now"]
        return now

    def advance(self, to: str) -> None:
        """Let time pass: a duration, an instant, `next`, or `idle`. An app with a clock is told the time.

        RuleBroken if an app whose clock follows the world did not act in time, or answered wrongly.
        """
        report = self.world.advance(goal_of(to))
        for problem in report.get("app_clock", {}).get("problems", ()):
            raise RuleBroken(problem)
        if self.app.protocol.is_told_time:
            self.app.do("clock", reference=self.draw.reference(), now=self.now)

    def simulate(self, verb: str, **members: Any) -> Any:
        """Let something happen in the world around the service."""
        return self.world.send("POST", f"/simulate/{verb}", members)

    def rehearse(self, name: str, **about: Any) -> Any:
        """Let a situation happen to a record of the service."""
        return self.world.send("POST", "/rehearse", {"name": name, **about})

    def fault(self, **members: Any) -> str:
        """Plan a fault (`match`, `when`, `effect`); its id."""
        made: str = self.world.send("POST", "/faults", members)["id"]
        return made

    def trouble(self, operation: str, *effects: Mapping[str, Any]) -> list[str]:
        """Plant one effect for each of the next calls of an operation of the partner interface; their ids."""
        match = {"operation": operation, "interface": "partner"}
        return [
            self.fault(match=match, when={"calls": [number]}, effect=effect) for number, effect in enumerate(effects, 1)
        ]

    def until_held(self, *asked: Future[Any]) -> None:
        """Wait until a call of the app is held by a fault, or until the app has answered all that it was asked."""
        self.wait_until(lambda: all(each.done() for each in asked) or self.world.describe()["counts"]["held"])

    def end_fault(self, fault: str) -> None:
        """End a fault. A webhook that it withheld is sent."""
        self.world.send("DELETE", f"/faults/{fault}")
        self.wait_for_webhooks()

    def wait_for_webhooks(self) -> None:
        """Wait until the app answered what is sent to it now: a list of the attempts waits for that."""
        self.world.send("GET", "/deliveries?limit=1")

    def attempts(self) -> list[Row]:
        """The attempts of the service to send the app webhooks, in order."""
        return [row for row in self.world.rows("/deliveries", "deliveries") if f"//{self.host}/" in row["url"]]

    def wait_until(self, has_come: Callable[[], Any]) -> None:
        """Wait until a call in the background has come so far, for two real seconds at most."""
        until = system_clock.monotonic() + MEETS_S
        while not has_come() and system_clock.monotonic() < until:
            system_clock.pause(POLL_S)

    def withhold(self, event: str) -> str:
        """Withhold the next webhook of a type until this fault is ended."""
        return self.fault(match={"event": event}, when={"first": 1}, effect={"webhook": "hold"})

    def call(
        self, method: str, path: str, body: Any = None, *, credential: str = "", headers: Mapping[str, str] = {}
    ) -> Response:
        """Call the service as somebody else than the app does, with the same account by default."""
        return self.world.request(method, path, body, credential=credential or self.credential, headers=headers)
