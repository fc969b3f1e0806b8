"""A world of a simulator as a client sees it: its part of the control API, its credentials, calls, and its clock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.client.control import NOTHING, Control, quote_segment
from giftsim.engine.client.response import Response

WORLD_HEADER: Final = "X-Sim-World"
CREDENTIALS: Final = "credentials"
_DATE: Final = re.compile(r"\d{4}-")

Credential = Mapping[str, Any]


class NoCredential(LookupError):
    """A world has no credential of this `name`; `known` are the names of those that it has."""

    def __init__(self, name: str, known: Mapping[str, Credential]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(f"there is no credential {name!r}; there are {', '.join(known)}")


class ClientWorld(Control):
    """A world by its id. What the control API says of it is read when it is first needed, unless it is `described`."""

    def __init__(self, control: Control, world_id: str, described: Mapping[str, Any] = NOTHING) -> None:
        super().__init__(control.client, control.headers, f"/worlds/{quote_segment(world_id)}")
        self.id = world_id
        self.described = described

    def path(self, path: str = "") -> str:
        """The whole path of a request; that below the world's may begin with a slash or not."""
        return super().path(path if path[:1] in ("", "/", "?") else f"/{path}")

    def describe(self) -> Any:
        """Read the world itself: its fixture, clock, credentials, addresses and counts. ControlRefused."""
        self.described = self.send("GET")
        return self.described

    @property
    def credentials(self) -> Mapping[str, Credential]:
        """The credentials by their names, as they were read last; each has its `headers`."""
        known: Mapping[str, Credential] = (self.described or self.describe())[CREDENTIALS]
        return known

    def known_credential(self, name: str) -> Credential | None:
        """A credential, given by its name or its value, as far as it was read; else None."""
        known = self.credentials
        return known.get(name) or next((each for each in known.values() if each.get("value") == name), None)

    def headers_of(self, credential: str | None) -> dict[str, str]:
        """The headers of a credential, given by its name or its value; without one, the header that names the world.

        One that is not known is looked up again, because a call may have made it since (G10). NoCredential.
        """
        if credential is None:
            return {WORLD_HEADER: self.id}
        found = self.known_credential(credential)
        if found is None:
            self.describe()
            found = self.known_credential(credential)
        if found is None:
            raise NoCredential(credential, self.credentials)
        return dict(found["headers"])

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        credential: str | None = None,
        headers: Mapping[str, str] = NOTHING,
    ) -> Response:
        """Call the simulated service with a credential; ConnectionError if there is no response. NoCredential."""
        return self.client.call(method, path, body=body, headers={**self.headers_of(credential), **headers})

    def advance(self, goal: Mapping[str, Any], **options: Any) -> Any:
        """Move the clock to a goal, such as `goal_of` reads; what happened. `options` are members of the body."""
        return self.send("POST", "/clock/advance", {**goal, **options})


def goal_of(text: str) -> dict[str, str]:
    """The goal of an advance as a person writes it: `next`, `idle`, an instant, or else a duration.

    What begins as a date does is an instant, with a T or a space before its time.
    """
    if text in ("next", "idle"):
        return {"until": text}
    return {"to": text.replace(" ", "T")} if _DATE.match(text) else {"by": text}
