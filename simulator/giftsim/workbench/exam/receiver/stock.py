"""Real webhook events for the probes: a world in this process plays them, with an order or gift for each probe."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Final, Literal, NamedTuple

import yaml

from giftsim import Simulator
from giftsim.engine.client.control import Control
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.data_folders import data_folders
from giftsim.engine.kernel.instants import DAY, HOUR, format_instant

Interface = Literal["partner", "team"]

EVERY_EVENT: Final = "together/every_event.yaml"
HOSTS: Final[Mapping[str, str]] = {"partner": "hooks.partner.example", "team": "hooks.team.example"}
PINGS: Final = ("ping", "webhook.test")
TAKES_MS: Final = 20 * DAY + HOUR  # from the world's start to the last event's delivery
BURST: Final = 50
STORIES: Final = 60

ADDRESS: Final = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
UNICODE: Final = "Zoë Łukasiewicz · 王小明 · Ελένη · שרה"
EMOJI: Final = "Bo 👩🏽‍💻🎁🇨🇭 e\u0301"


class NoEvents(Exception):
    """The world did not play as it has to; the message says where. It is a mistake of giftsim."""


class Event(NamedTuple):
    """An event with the body that the service sends. `n` numbers the events of a stock as they happened."""

    n: int
    kind: str
    id: str
    body: bytes

    @property
    def content(self) -> dict[str, Any]:
        """The body, parsed."""
        content: dict[str, Any] = json.loads(self.body)
        return content


# What happened to the only recipient of an order or gift: claimed, shipped, delivered. An addressed one does not claim.
Story = Sequence[Event]


class Stock:
    """The events that probes send, each once: `stories`, of which the first has letters of many scripts, the second
    emoji, and the third an address; the first events of `together`, one of each kind, and a ping.
    """

    def __init__(
        self,
        interface: Interface,
        stories: Iterable[Story],
        together: Iterable[Story],
        kinds: Iterable[Event],
        ping: Event,
    ) -> None:
        self.interface, self._stories = interface, iter(stories)
        self.burst, self.every_kind, self.ping = [story[0] for story in together], list(kinds), ping
        self.unicode, self.emoji, self.addressed = (self.story() for _ in range(3))

    def story(self) -> Story:
        """A story that no other probe has."""
        return next(self._stories)


def stock_of_world(interface: Interface, *, seed: int, ends_ms: int) -> Stock:
    """The events of a world of its own. The same seed and instant give the same events."""
    start_ms = (ends_ms - TAKES_MS) // HOUR * HOUR
    # An app may receive both interfaces, and takes events with the same id for one.
    world = _World(interface, 2 * seed + (interface == "team"), start_ms)
    try:
        first, *others = subjects = world.play()
        kinds, ping, by_subject = _sorted(interface, world.events(), subjects)
    finally:
        world.close()
    return Stock(interface, (by_subject[subject][0] for subject in others), by_subject[first], kinds, ping)


def _sorted(
    interface: Interface, events: Sequence[Event], subjects: Sequence[int]
) -> tuple[list[Event], Event, dict[int, list[list[Event]]]]:
    """One event of each kind, the ping, and the events of each recipient by the order or gift."""
    kinds: dict[str, Event] = {}
    recipients: dict[int, dict[int, list[Event]]] = {subject: {} for subject in subjects}
    for event in events:
        data = event.content["data"]
        subject = data["gift_id"] if "gift_id" in data else data.get("team_order", {}).get("id")
        if subject not in recipients:
            kinds.setdefault(event.kind, event)
            continue
        recipient = data["recipient_id"] if interface == "team" else data["recipient"]["id"]
        if recipient is not None:
            recipients[subject].setdefault(recipient, []).append(event)
    ping = next(kinds.pop(kind) for kind in PINGS if kind in kinds)
    return list(kinds.values()), ping, {subject: list(each.values()) for subject, each in recipients.items()}


class _World:
    """A world of the scenario with every event, to which orders or gifts are added."""

    def __init__(self, interface: Interface, seed: int, start_ms: int) -> None:
        self._interface = interface
        self._simulator = Simulator(fixture="bare")
        control = Control(self._simulator.client)
        played = control.send("POST", "/scenarios/play?keep=true", _scenario(seed, start_ms), headers=_YAML)
        if played["outcome"] != "passed":
            raise NoEvents(f"{EVERY_EVENT} failed: play it to see where")
        self._world = ClientWorld(control, played["world"])
        self._numbers = count(1)

    def close(self) -> None:
        self._simulator.close()

    def play(self) -> list[int]:
        """Let everything happen; the ids of the orders or gifts, first that of the burst."""
        self._world.send("POST", "/simulate/account", {"key": "partner.prepaid", "wallet_cents": 10_000_000})
        self._world.send("POST", "/simulate/team", {"balance_cents": 10_000_000})
        bo = {"name": "Bo", "email": "bo@example.com"}
        subjects = [self._place([{**bo, "email": f"bo{n}@example.com"} for n in range(BURST)])]
        subjects += [self._place([{**bo, "name": name}]) for name in (UNICODE, EMOJI)]
        subjects += [self._place([{"name": "Bo", "address": ADDRESS} if self._interface == "partner" else bo])]
        subjects += [self._place([bo]) for _ in range(STORIES)]
        self._world.advance({"by": "10d"})
        return subjects

    def _place(self, recipients: list[dict[str, Any]]) -> int:
        """Place an order or send a gift to these recipients, who claim at once."""
        if self._interface == "partner":
            order = {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}], "recipients": recipients}
            subject: int = self._call("partner.prepaid", "/api/external/team-orders", order)["team_order"]["id"]
            about = {"team_order_id": subject}
        else:
            gift = {"gift": {"collection_slug": "welcome-kit"}, "recipients": recipients}
            subject = self._call("team.live_approver", "/api/teams/v1/gifts", gift)["id"]
            about = {"gift_id": subject}
            self._world.send("POST", "/simulate/approval", {**about, "decision": "approve"})
        for n in range(len(recipients)):
            if "address" not in recipients[n]:
                self._world.send("POST", "/simulate/claim", {**about, "recipient": n})
        return subject

    def _call(self, credential: str, path: str, body: dict[str, Any]) -> Any:
        key = f"stock-{next(self._numbers)}"
        body = {**body, "idempotency_key": key} if self._interface == "partner" else body
        response = self._world.request("POST", path, body, credential=credential, headers={"Idempotency-Key": key})
        if response.status != 201:
            raise NoEvents(f"POST {path} answered {response.status}: {response.text}")
        return response.json()

    def events(self) -> list[Event]:
        """The events that the interface's endpoint was sent, in the order in which they happened."""
        host = HOSTS[self._interface]
        rows = [row for row in self._world.rows("/deliveries", "deliveries") if f"//{host}/" in row["url"]]
        return [Event(n, row["type"], row["event_id"], row["request"]["body"].encode()) for n, row in enumerate(rows)]


_YAML: Final = {"Content-Type": "application/yaml"}


def _scenario(seed: int, start_ms: int) -> bytes:
    path = next(path for folder in data_folders("scenarios") if (path := folder / EVERY_EVENT).is_file())
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    return yaml.safe_dump({**document, "seed": seed, "now": format_instant(start_ms)}).encode()
