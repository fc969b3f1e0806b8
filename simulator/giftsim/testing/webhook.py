"""A webhook as the simulator sent it."""

from __future__ import annotations

from typing import Any

import msgspec


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to deliver an event; `body` is the exact text of the request.

    `outcome` is `delivered`, `http_status`, `timeout` or another failure; `status` is the receiver's, or None.
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

    def __str__(self) -> str:
        result = self.outcome if self.status is None else f"{self.outcome} {self.status}"
        return f"{self.at}  {self.type:28} attempt {self.attempt}  {result:18} {self.url}  (seq {self.seq})"
