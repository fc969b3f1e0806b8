"""Clients of the team interface with the credentials of a world; each response is checked against the contract."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Contract
from tests.support.api_clients import ApiClient
from tests.support.responses import expect_status
from tests.support.worlds import World

TEAM_CONTRACT = Contract.load(CONTRACTS["team"])
SCOPES: tuple[str, ...] = tuple(TEAM_CONTRACT.document["components"]["schemas"]["Scope"]["enum"])
_KEYS = count(1)  # of all clients: two of them may be of one team


class TeamClient(ApiClient):
    """The team interface with one credential. Writes carry a new Idempotency-Key unless they name one, or None."""

    def __init__(self, world: World, headers: Mapping[str, str]) -> None:
        super().__init__(world.client, TEAM_CONTRACT, headers)
        self.world = world

    def call(self, method: str, path: str, body: Any = None, **headers: str | None) -> Response:
        """Send one request. A header given as None is left out."""
        sent: dict[str, str | None] = {}
        if method != "GET":
            sent["Idempotency_Key"] = f"test-{next(_KEYS)}"
        sent |= headers
        return super().call(method, path, body, **{name: value for name, value in sent.items() if value is not None})

    def post(self, path: str, body: Any = None, **headers: str | None) -> Response:
        """POST."""
        return self.call("POST", path, body, **headers)

    def delete(self, path: str, body: Any = None, **headers: str | None) -> Response:
        """DELETE, which may have a body."""
        return self.call("DELETE", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str | None) -> Response:
        """PATCH."""
        return self.call("PATCH", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str | None) -> Response:
        """PUT."""
        return self.call("PUT", path, body, **headers)

    def get_json(self, path: str) -> Any:
        """The JSON of a GET that must succeed."""
        return expect_status(self.get(path), 200).json()

    def post_json(self, path: str, body: Any = None, status: int = 201, **headers: str | None) -> Any:
        """The JSON of a POST that must have this status."""
        return expect_status(self.call("POST", path, body, **headers), status).json()

    def list_all(self, path: str, limit: int | None = None) -> list[Any]:
        """All rows of a list, read page by page."""
        separator = "&" if "?" in path else "?"
        rows, cursor = [], ""
        while True:
            page = self.get_json(f"{path}{separator}{f'limit={limit}&' if limit else ''}{cursor}".rstrip("?&"))
            rows += page["data"]
            if page["next_cursor"] is None:
                return rows
            cursor = f"cursor={page['next_cursor']}"


class TeamClients:
    """Clients with the credentials of a world's team, and with some of the world's other team."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.live = self.with_credential("team.live_approver")
        self.requester = self.with_credential("team.live_requester")
        self.test = self.with_credential("team.test")
        self.test_second = self.with_credential("team.test_second")
        self.other = self.with_credential("team.other_team")
        self.owner = self.with_credential("session.owner")
        self.approver = self.with_credential("session.approver")
        self.member = self.with_credential("session.member")
        self.other_owner = self.with_credential("session.otherowner")
        self.anonymous = TeamClient(world, {})

    def with_credential(self, name: str) -> TeamClient:
        """A client with a credential of the world, by its name."""
        return TeamClient(self.world, self.world.credentials[name]["headers"])

    def with_key(self, key: str) -> TeamClient:
        """A client with the full text of a key."""
        return TeamClient(self.world, {"Authorization": f"Bearer {key}"})

    def key(self, *scopes: str, mode: str = "live", role: str = "approver", **members: Any) -> TeamClient:
        """A client with a new key that has only these scopes. A key that pays needs `pay_limits`."""
        body = {"name": "Made by a test", "mode": mode, "role": role, "scopes": list(scopes), **members}
        return self.with_key(self.owner.post_json("/keys", body)["key"])
