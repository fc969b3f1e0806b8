"""A test's hands on one world's teams: faces by key and by session, whose every answer is held against the contract."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from giftsim.build import CONTRACTS
from giftsim.gateway.contract import Contract
from giftsim.gateway.in_process_client import Response
from tests.support.api_clients import PartnerClient
from tests.support.worlds import World

TEAM_CONTRACT = Contract.load(CONTRACTS["team"])
SCOPES: tuple[str, ...] = tuple(TEAM_CONTRACT.document["components"]["schemas"]["Scope"]["enum"])


class TeamClient(PartnerClient):
    """The team interface with one credential. Writes carry a fresh Idempotency-Key unless they name one, or None."""

    def __init__(self, world: World, headers: Mapping[str, str]) -> None:
        super().__init__(world.client, TEAM_CONTRACT, headers)
        self.world = world
        self.numbers = count(1)

    def call(self, method: str, path: str, body: Any = None, **headers: str | None) -> Response:
        """One call; a header given as None is left out."""
        told: dict[str, str | None] = {}
        if method != "GET":
            told["Idempotency_Key"] = f"test-{id(self)}-{next(self.numbers)}"
        told |= headers
        return super().call(method, path, body, **{name: value for name, value in told.items() if value is not None})

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
        """The JSON of a POST that must succeed."""
        return expect_status(self.call("POST", path, body, **headers), status).json()

    def list_all(self, path: str, limit: int | None = None) -> list[Any]:
        """All rows of a list, page by page to the end."""
        mark = "&" if "?" in path else "?"
        rows, cursor = [], ""
        while True:
            page = self.get_json(f"{path}{mark}{f'limit={limit}&' if limit else ''}{cursor}".rstrip("?&"))
            rows += page["data"]
            if page["next_cursor"] is None:
                return rows
            cursor = f"cursor={page['next_cursor']}"


class TeamClients:
    """The team of a world's credentials, and the other one."""

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
        """A face by a named credential."""
        return TeamClient(self.world, self.world.credentials[name]["headers"])

    def with_key(self, key: str) -> TeamClient:
        """A face by a key in full."""
        return TeamClient(self.world, {"Authorization": f"Bearer {key}"})

    def key(self, *scopes: str, mode: str = "live", role: str = "approver", **members: Any) -> TeamClient:
        """A face by a new key, which the owner makes, with just these scopes; `pay_limits=` for one that pays."""
        body = {"name": "Made by a test", "mode": mode, "role": role, "scopes": list(scopes), **members}
        return self.with_key(self.owner.post_json("/keys", body)["key"])


def expect_status(answer: Response, status: int) -> Response:
    """The answer, which must have that status."""
    assert answer.status == status, answer.text
    return answer


def expect_error(answer: Response, status: int, code: str) -> Any:
    """The error of an answer that must be refused with that status and code."""
    assert answer.status == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == code, answer.text
    assert error["request_id"] == answer.headers["x-request-id"]
    return error


def invalid_fields(answer: Response) -> list[str]:
    """The fields that a refused body's details name; the answer must be 422 validation_failed."""
    return [detail["field"] for detail in expect_error(answer, 422, "validation_failed")["details"]]
