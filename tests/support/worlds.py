"""A world under test: its API clients, its clock, and the control API as methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from giftsim import Simulator
from giftsim.engine.client.response import Response
from tests.support.api_clients import CONTROL_CONTRACT, PARTNER_CONTRACT, WEBHOOK_HOST, ApiClient, PartnerClient
from tests.support.orders import RENO


class World:
    """A fresh world. Each method is one call of the control API, which must succeed."""

    def __init__(self, simulator: Simulator, **config: Any) -> None:
        self.simulator = simulator
        self.client = simulator.client
        self.description = self.json_of(self.client.call("POST", "/_sim/v1/worlds", body=config))
        self.id: str = self.description["id"]
        self.credentials: dict[str, Any] = self.description["credentials"]

    def partner(self, name: str = "partner.prepaid", key: str | None = None) -> PartnerClient:
        """The partner interface with a named credential, or with a full key."""
        headers = {"Authorization": f"Bearer {key}"} if key else self.credentials[name]["headers"]
        return PartnerClient(self.client, PARTNER_CONTRACT, headers)

    @property
    def control(self) -> ApiClient:
        """The control API."""
        return ApiClient(self.client, CONTROL_CONTRACT, {})

    def call_control(self, method: str, path: str, body: Any = None) -> Any:
        """Send a control request for this world, which must succeed; the response's JSON."""
        return self.json_of(self.control.call(method, f"/worlds/{self.id}{path}", body))

    @staticmethod
    def json_of(response: Response) -> Any:
        """The JSON of a response that must have a 2xx status."""
        assert 200 <= response.status < 300, response.text
        return response.json() if response.body else None

    def advance(self, by: str | None = None, **goal: Any) -> Any:
        """Move the clock: `by` a duration, `to=` an instant, `until=` "next" or "idle"."""
        return self.call_control("POST", "/clock/advance", {"by": by, **goal} if by else goal)

    def fired(self, **goal: Any) -> Any:
        """Move the clock, and list every timer that fired."""
        return self.call_control("POST", "/clock/advance?fired=true", goal)

    @property
    def now(self) -> str:
        """The time on the world's clock."""
        return str(self.call_control("GET", "/clock")["now"])

    def rows(self, view: str) -> list[Any]:
        """Every row of a list of the control API."""
        rows: list[Any] = []
        after: int | None = 0
        while after is not None:
            page = self.call_control("GET", f"/{view}?limit=1000&after={after}")
            rows += page[view]
            after = page["next"]
        return rows

    def simulate(self, verb: str, **body: Any) -> Any:
        """Let something happen in the outside world."""
        return self.call_control("POST", f"/simulate/{verb}", body)

    def change_account(self, key: str = "partner.prepaid", **changes: Any) -> Any:
        """Change the account of a key."""
        return self.simulate("account", key=key, **changes)

    def partner_with_new_key(self, **body: Any) -> PartnerClient:
        """The partner interface with a new key."""
        return self.partner(key=self.call_control("POST", "/keys", {"interface": "partner", **body})["key"])

    def change_settings(self, **values: Any) -> None:
        """Change settings; write names with `__` for the dots."""
        self.call_control("PATCH", "/settings", {name.replace("__", "."): value for name, value in values.items()})

    def set_receiver(self, host: str = WEBHOOK_HOST, **entry: Any) -> Any:
        """Set the receiver of a public host."""
        return self.call_control("PUT", f"/receivers/{host}", {"mode": "capture", **entry})

    def add_fault(self, effect: Mapping[str, Any], **rest: Any) -> str:
        """Add a fault; its id."""
        return str(self.call_control("POST", "/faults", {"effect": dict(effect), **rest})["id"])

    def deliveries(self, query: str = "") -> list[Any]:
        """Every webhook attempt so far."""
        return list(self.call_control("GET", f"/deliveries?limit=1000{query}")["deliveries"])

    def events(self) -> list[Any]:
        """Every webhook event so far."""
        return list(self.call_control("GET", "/events?limit=1000")["events"])

    def mail(self) -> list[Any]:
        """Every mail so far."""
        return list(self.call_control("GET", "/mail?limit=1000")["mail"])

    @property
    def recording(self) -> str:
        """What happened to the world, as a scenario."""
        response = self.control.get(f"/worlds/{self.id}/calls/scenario")
        assert response.status == 200, response.text
        return response.text

    def fingerprint(self) -> str:
        """The hash of the world's whole state."""
        return str(self.call_control("GET", "/fingerprint")["sha256"])

    def claim(self, token: str, **body: Any) -> Response:
        """Claim a gift through its page with JSON: an address (Reno by default) and perhaps a selection."""
        return self.client.call("POST", f"/claim/{self.id}/{token}", body={"address": RENO, **body})

    @contextmanager
    def assert_unchanged(self) -> Iterator[None]:
        """Check that the block changes no order, money, parcel, event or mail."""
        before = self.observable_state()
        yield
        assert self.observable_state() == before

    def observable_state(self) -> Any:
        """Everything that a refused call must not change."""
        views = ("orders", "ledger", "payments", "parcels", "events", "mail")
        return [self.call_control("GET", f"/{view}?limit=1000") for view in views]


class ExistingWorld(World):
    """A world that exists already."""

    def __init__(self, simulator: Simulator, world_id: str) -> None:
        self.simulator, self.client, self.id = simulator, simulator.client, world_id
        self.description = self.json_of(self.client.call("GET", f"/_sim/v1/worlds/{world_id}"))
        self.credentials = self.description["credentials"]


@contextmanager
def temporary_world(simulator: Simulator) -> Iterator[World]:
    """A world for one example of a property: it is deleted at the end of the block."""
    world = World(simulator, fixture="empty")
    yield world
    simulator.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")
