"""A test's hands on one world: its interfaces as a client sees them, its clock, the outside world played by verbs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.gateway.contract import Contract
from giftsim.gateway.in_process_client import Answer, InProcessClient
from tests.contracts.fit import fit

PARTNER = Contract.load(CONTRACTS["partner"])
CONTROL = Contract.load(CONTRACTS["control"])

RENO = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
HOOKS = "hooks.partner.example"


class Face:
    """One interface with one credential; every answer is held against the contract."""

    def __init__(self, client: InProcessClient, contract: Contract, headers: Mapping[str, str]) -> None:
        self.client, self.contract, self.headers = client, contract, dict(headers)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One call below the interface's prefix; `headers` by their names with `_` for `-`."""
        told = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        answer = self.client.call(method, self.contract.prefix + path, body=body, headers=told)
        found = self.contract.match(path.partition("?")[0])
        if found and method in found[0].operations:
            fit(self.contract, found[0].operations[method].id, answer)
        assert answer.headers["x-request-id"]
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        """GET."""
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """POST."""
        return self.call("POST", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        """DELETE."""
        return self.call("DELETE", path, **headers)

    def order(self, **members: Any) -> Answer:
        """POST a team order: one mug to Bo by claim link, with the members given put over that."""
        return self.post("/team-orders", order_body(**members))

    def read(self, order: int | Answer, query: str = "") -> Any:
        """The detail of an order, by its id or by the answer that made it."""
        order_id = order if isinstance(order, int) else order.json()["team_order"]["id"]
        answer = self.get(f"/team-orders/{order_id}{query}")
        assert answer.status == 200, answer.text
        return answer.json()

    def subscribe(self, *events: str, host: str = HOOKS) -> Any:
        """A webhook endpoint for the kinds, at a public host; the answer's JSON with its secret."""
        answer = self.post("/webhooks", {"url": f"https://{host}/gifts", "events": list(events)})
        assert answer.status == 201, answer.text
        return answer.json()


class World:
    """A fresh world and all that a tester holds of it."""

    def __init__(self, simulator: Simulator, **config: Any) -> None:
        self.simulator = simulator
        self.client = simulator.client
        self.about = self.made(self.client.call("POST", "/_sim/v1/worlds", body=config))
        self.id: str = self.about["id"]
        self.credentials: dict[str, Any] = self.about["credentials"]

    def partner(self, name: str = "partner.prepaid", key: str | None = None) -> Face:
        """The partner interface by a named credential, or by a key in full."""
        headers = {"Authorization": f"Bearer {key}"} if key else self.credentials[name]["headers"]
        return Face(self.client, PARTNER, headers)

    @property
    def control(self) -> Face:
        """The control plane."""
        return Face(self.client, CONTROL, {})

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """A control call on this world that must succeed; its JSON."""
        return self.made(self.control.call(method, f"/worlds/{self.id}{path}", body))

    @staticmethod
    def made(answer: Answer) -> Any:
        """The JSON of an answer that must be a success."""
        assert 200 <= answer.status < 300, answer.text
        return answer.json() if answer.body else None

    def advance(self, by: str | None = None, **goal: Any) -> Any:
        """Move the clock: `by` a duration, `to=` an instant, `until=` "next" or "idle"."""
        return self.ask("POST", "/clock/advance", {"by": by, **goal} if by else goal)

    @property
    def now(self) -> str:
        """The instant at which the world stands."""
        return str(self.ask("GET", "/clock")["now"])

    def rows(self, view: str) -> list[Any]:
        """Every row of a view of the control plane."""
        rows: list[Any] = []
        after: int | None = 0
        while after is not None:
            page = self.ask("GET", f"/{view}?limit=1000&after={after}")
            rows += page[view]
            after = page["next"]
        return rows

    def simulate(self, verb: str, **body: Any) -> Any:
        """Let something happen in the outside world."""
        return self.ask("POST", f"/simulate/{verb}", body)

    def account(self, key: str = "partner.prepaid", **choices: Any) -> Any:
        """Change the account of a key."""
        return self.simulate("account", key=key, **choices)

    def key(self, **body: Any) -> Face:
        """The partner interface by a new key of its own."""
        return self.partner(key=self.ask("POST", "/keys", {"interface": "partner", **body})["key"])

    def settings(self, **choices: Any) -> None:
        """Change settings; names with `__` for the dots."""
        self.ask("PATCH", "/settings", {name.replace("__", "."): value for name, value in choices.items()})

    def receiver(self, host: str = HOOKS, **entry: Any) -> Any:
        """Say who answers for a public host."""
        return self.ask("PUT", f"/receivers/{host}", {"mode": "capture", **entry})

    def fault(self, effect: Mapping[str, Any], **rest: Any) -> str:
        """Put a fault in the table; its id."""
        return str(self.ask("POST", "/faults", {"effect": dict(effect), **rest})["id"])

    def deliveries(self, query: str = "") -> list[Any]:
        """Every attempt so far."""
        return list(self.ask("GET", f"/deliveries?limit=1000{query}")["deliveries"])

    def events(self) -> list[Any]:
        """Every event so far."""
        return list(self.ask("GET", "/events?limit=1000")["events"])

    def mail(self) -> list[Any]:
        """Every mail so far."""
        return list(self.ask("GET", "/mail?limit=1000")["mail"])

    def fingerprint(self) -> str:
        """The canonical hash of the world's whole state."""
        return str(self.ask("GET", "/fingerprint")["sha256"])

    def claim(self, token: str, **body: Any) -> Answer:
        """Claim a gift on its page, as a program does: an address (Reno by default) and perhaps a selection."""
        return self.client.call("POST", f"/claim/{self.id}/{token}", body={"address": RENO, **body})

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """What is done inside leaves orders, money, events and mail as they were."""
        before = self.content()
        yield
        assert self.content() == before

    def content(self) -> Any:
        """What a refused call must not change."""
        views = ("orders", "ledger", "payments", "parcels", "events", "mail")
        return [self.ask("GET", f"/{view}?limit=1000") for view in views]


def order_body(**members: Any) -> dict[str, Any]:
    """The body of a team order; a member given as None is left out."""
    body = {
        "idempotency_key": "first",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01", "quantity": 1}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
        **members,
    }
    return {name: value for name, value in body.items() if value is not None}


def people(count: int, **members: Any) -> list[dict[str, Any]]:
    """Recipients by claim link."""
    return [{"name": f"Person {i}", "email": f"person{i}@example.com", **members} for i in range(count)]


def addressed(count: int = 1, **members: Any) -> list[dict[str, Any]]:
    """Recipients with an address."""
    return [{"name": f"Person {i}", "address": dict(RENO), **members} for i in range(count)]


def tokens(order: Any) -> list[str]:
    """The claim tokens of an answer that has claim links."""
    return [row["claim"]["link"].rsplit("/", 1)[1] for row in order["recipients"] if "link" in row["claim"]]
