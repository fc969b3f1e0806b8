"""The recipes of the table of errors act when their faults, verbs, headers and calls are pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Contract
from tests.support.orders import order_body
from tests.support.team.orders import order_body as team_order_body
from tests.support.team.webhooks import URL
from tests.support.worlds import World

LOADED = {name: Contract.load(CONTRACTS[name]) for name in ("partner", "team", "museum")}
RECIPES = [(name, error) for name, contract in LOADED.items() for error in contract.document["x-errors"]]
PIECE = re.compile(
    r"""[Ff]ault\ `(?P<fault>\{.*?\})`(?![^`]*`\})
    | `X-Sim-Fault:\ (?P<header>[^`]+)`
    | [Vv]erb\ `(?P<verb>\w+)\ (?P<body>\{.*?\})`
    | `(?P<method>[A-Z]+)\ (?P<path>/[^` ]+)(?:\ (?P<sent>\{.*?\}))?`
    | credential\ `(?P<credential>[\w.]+)`
    | with\ `(?P<member>\w+:\ .*?)`""",
    re.VERBOSE,
)
DEFAULT = {"partner": "partner.prepaid", "team": "team.live_approver", "museum": "museum"}
WEBHOOK = {"url": URL, "events": ["order.shipped"]}
# The calls that follow what was pasted, by interface.
CALLS: Mapping[str, list[tuple[str, str, Any]]] = {
    "partner": [("POST", "/team-orders", order_body()), ("POST", "/team-orders", order_body()),
                ("POST", "/webhooks", WEBHOOK), ("GET", "/team-orders", None)],
    "team": [("GET", "/team", None), ("GET", "/people", None),
             ("POST", "/webhooks", {"url": URL, "events": ["gift.sent"]}),
             ("POST", "/team-orders", team_order_body(payment_method="net_terms"))],
    "museum": [("GET", "/museum-hours", None)],
}  # fmt: skip
# Recipes that need a state or a second client besides what they paste; other tests cause their errors.
PASTED_ALONE = (
    "idempotency_in_progress",
    "ach_not_enabled",
    "insufficient_balance",
    "revision_conflict",
    "body_too_large",
)


def is_pasted(cause: str) -> bool:
    """Whether a recipe has a piece to paste beyond a credential or members of a body."""
    return any(match.lastgroup not in ("credential", "member") for match in PIECE.finditer(cause))


class Follower:
    """Follows a recipe: pastes what is in it, and keeps the responses of the calls of the interface."""

    def __init__(self, world: World, interface: str, cause: str) -> None:
        self.world, self.interface = world, interface
        self.pieces = [match.groupdict() for match in PIECE.finditer(cause)]
        named = [piece["credential"] or yaml.safe_load(piece["body"] or "{}").get("key") for piece in self.pieces]
        self.credential = next((name for name in named if name), DEFAULT[interface])
        self.ends = cause.endswith("ends it.")
        self.key = None if "without the header" in cause else "k" * 129 if "129" in cause else "k"
        self.members: dict[str, Any] = {}
        for piece in self.pieces:
            self.members |= yaml.safe_load(piece["member"] or "{}")
        self.is_anonymous = "without" in cause and ("a credential" in cause or "`Authorization`" in cause)
        self.responses: list[Response] = []

    def follow(self) -> None:
        """Paste every piece in order."""
        for piece in self.pieces:
            if piece["fault"]:
                self._control("POST", "/faults", yaml.safe_load(piece["fault"]))
            elif piece["verb"]:
                self._verb(piece["verb"], yaml.safe_load(piece["body"]))
            elif piece["header"]:
                self.call_all(**{"X-Sim-Fault": piece["header"]})
            elif piece["path"]:
                self._path(piece["method"], piece["path"], yaml.safe_load(piece["sent"] or "null"))

    def call_all(self, **headers: str) -> None:
        """Make the calls of the interface, which may lose their connection."""
        for number, (method, path, body) in enumerate(CALLS[self.interface]):
            try:
                self.call(
                    method, LOADED[self.interface].prefix + path, body, **{"Idempotency-Key": f"k{number}", **headers}
                )
            except ConnectionError:
                continue

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> None:
        """Make a call of the interface with the recipe's credential and members."""
        own = {} if self.is_anonymous else self.world.credentials[self.credential]["headers"]
        if "Authorization" in self.members:
            own = {"Authorization": self.members["Authorization"]}
        sent = {**body, **self.members} if body is not None else self.members or None
        self.responses.append(self.world.client.call(method, path, body=sent, headers={**own, **headers}))

    def _verb(self, name: str, body: Any) -> None:
        if self.ends:
            self.call_all()
        self._control("POST", f"/simulate/{name}", body)

    def _path(self, method: str, path: str, body: Any) -> None:
        if path.startswith("/_sim/"):
            key = self.world.credentials[self.credential]["headers"]["Authorization"].partition(" ")[2]
            self._control(method, f"/keys/{key}", body)
        elif "{" not in path:
            self.call(method, path, body, **({"Idempotency-Key": self.key} if self.key else {}))

    def _control(self, method: str, path: str, body: Any) -> None:
        self.world.call_control(method, path, body)


def errors(responses: list[Response]) -> Iterator[tuple[int, str]]:
    """The statuses and codes of unsuccessful responses."""
    for response in responses:
        if response.status >= 400:
            body = response.json()
            yield response.status, body["error"]["code"] if "error" in body else body["type"]


@pytest.mark.parametrize(
    ("interface", "error"),
    [(name, error) for name, error in RECIPES if is_pasted(error["cause"])],
    ids=lambda value: value if isinstance(value, str) else value["code"],
)
def test_a_recipe_causes_its_error(world: World, interface: str, error: Any) -> None:
    follower = Follower(world, interface, error["cause"])
    follower.follow()
    if error["code"] in PASTED_ALONE:
        return
    follower.call_all()
    assert (error["status"], error["code"]) in list(errors(follower.responses))


def test_every_fault_of_a_recipe_names_its_interface() -> None:
    pieces = [(name, match["fault"]) for name, error in RECIPES for match in PIECE.finditer(error["cause"])]
    faults = [(name, yaml.safe_load(fault)) for name, fault in pieces if fault]
    assert len(faults) >= 7
    assert [fault["match"]["interface"] for _, fault in faults] == [name for name, _ in faults]
