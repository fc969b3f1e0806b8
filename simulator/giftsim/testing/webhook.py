"""A webhook as the simulator sent it, and as a request to an application."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec


class AppRequest(NamedTuple):
    """A request to an application in this process; `about` names it in errors."""

    about: str
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to deliver an event; `body` is the exact text of the request.

    `outcome` is `delivered`, `http_status`, `timeout` or another failure. `status` is the HTTP status that the receiver
    answered, or None without an answer.
    """

    seq: int
    at: str
    type: str
    url: str
    event_id: str
    attempt: int
    outcome: str | None
    status: int | None
    headers: dict[str, str]
    body: str

    @property
    def data(self) -> dict[str, Any]:
        """The `data` of the event."""
        data: dict[str, Any] = msgspec.json.decode(self.body)["data"]
        return data

    @property
    def request(self) -> AppRequest:
        """The request that delivers it."""
        return AppRequest(self.type, "POST", self.url, self.headers, self.body.encode())

    def __str__(self) -> str:
        outcome = self.outcome or "under way"
        result = outcome if self.status is None else f"{outcome} {self.status}"
        return f"{self.at}  {self.type:28} attempt {self.attempt}  {result:18} {self.url}  (seq {self.seq})"
