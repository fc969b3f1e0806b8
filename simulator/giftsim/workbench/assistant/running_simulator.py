"""A simulator as the tools see it: its control API, its address, and the world that a call means if it names none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from giftsim.engine.client.control import Control, bearer_headers, quote_segment
from giftsim.engine.client.over_http import HttpClient
from giftsim.engine.client.world import ClientWorld, NoCredential

if TYPE_CHECKING:
    from ssl import SSLContext

Row = dict[str, Any]
MOST_ROWS = 50
TIMEOUT_S = 600.0  # a long advance takes its time


class Unusable(Exception):
    """The arguments of a tool name nothing that there is; the message says what there is."""


class RunningSimulator:
    """A simulator, by a client of its server."""

    def __init__(
        self, url: str, token: str | None = None, world_id: str = "default", context: SSLContext | None = None
    ) -> None:
        self.client = HttpClient(url, timeout_s=TIMEOUT_S, context=context)
        self.control, self.url, self.world_id = Control(self.client, bearer_headers(token)), self.client.url, world_id

    def world(self, world_id: str) -> ClientWorld:
        """A world; the usual one if the id is empty."""
        return ClientWorld(self.control, world_id or self.world_id)

    def name(self, world_id: str) -> str:
        """The id of the world that is meant."""
        return world_id or self.world_id

    def newest(self, world_id: str, view: str, limit: int, **query: Any) -> list[Row]:
        """The newest rows of a list of a world, newest first; empty filters are left out."""
        given = {name: value for name, value in query.items() if value != ""}
        count = max(1, min(limit, MOST_ROWS))
        rows: list[Row] = self.world(world_id).send(
            "GET", f"/{view}", query={**given, "order": "newest", "limit": count}
        )[view]
        return rows

    def record(self, world_id: str, view: str, record_id: object) -> Row:
        """One record of a world."""
        found: Row = self.world(world_id).send("GET", f"/{view}/{quote_segment(record_id)}")
        return found

    def headers_of(self, world_id: str, credential: str) -> dict[str, str]:
        """The headers of a credential of a world. Unusable names those there are."""
        try:
            return self.world(world_id).headers_of(credential)
        except NoCredential as unknown:
            raise Unusable(str(unknown)) from None

    def close(self) -> None:
        """Close the connections."""
        self.client.close()
