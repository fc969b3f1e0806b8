"""A client for one world: its id, credentials and URLs, calls to its interfaces, and its control API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, cast, overload

from giftsim.engine.client.control import Control
from giftsim.engine.client.world import ClientWorld, NoCredential
from giftsim.engine.kernel.texts import suggest_name
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.records import (
    Delivery,
    Endpoint,
    LedgerEntry,
    LoggedCall,
    Order,
    Payment,
    Product,
    Team,
    Timer,
)
from giftsim.testing.results import Account, Actor, Approval, Event, Fault, Key, Mail, Parcel
from giftsim.testing.transport import Response, Transport

__tracebackhide__ = expected_errors

NOTHING: Final[Mapping[str, str]] = {}


class ControlClient:
    """One world, reached over a transport. `world` is its id."""

    def __init__(self, transport: Transport, description: Mapping[str, Any]) -> None:
        self.transport = transport
        self.description = description
        self.world: str = description["id"]
        self._control = ClientWorld(Control(transport), self.world, description)

    @property
    def about(self) -> Mapping[str, Any]:
        """The former name of `description`, kept for one release."""
        return self.description

    @property
    def passage(self) -> Transport:
        """The former name of `transport`, kept for one release."""
        return self.transport

    @property
    def url(self) -> str:
        """The origin of links in responses. In process no such host exists, but the clients accept it."""
        return self.transport.origin

    @property
    def urls(self) -> Mapping[str, str]:
        """The base URL of each interface: `team`, `partner`, `museum`, `claim` and `control`."""
        urls: Mapping[str, str] = self.description["urls"]
        return urls

    @property
    def credentials(self) -> Mapping[str, Mapping[str, Any]]:
        """The credentials by their names; each has its `headers`."""
        return self._control.credentials

    def headers(self, credential: str) -> dict[str, str]:
        """The headers of a named credential such as `partner.prepaid`; KeyError suggests the nearest name."""
        try:
            return self._control.headers_of(credential)
        except NoCredential as unknown:
            hint = suggest_name(credential, unknown.known, f"there are {', '.join(unknown.known)}", 0.4)
            raise KeyError(f"world {self.world} has no credential {credential!r}; {hint}") from None

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        credential: str | None = None,
        headers: Mapping[str, str] = NOTHING,
        timeout_s: float | None = None,
    ) -> Response:
        """Send one request; the response has `status`, `headers` (lower-case names), `body`, `text` and `json()`.

        Without a credential the request only names the world. ConnectionError if the connection breaks, TimeoutError
        after `timeout_s` real seconds without a response.
        """
        sent = self.headers(credential) if credential else self._control.headers_of(None)
        return self.transport.call(method, path, body=body, headers={**sent, **headers}, timeout_s=timeout_s)

    def control(self, method: str, path: str = "", body: Any = None) -> dict[str, Any]:
        """Call the control API below this world's path; the response's JSON. ControlRefused unless it is 2xx."""
        content: dict[str, Any] | None = self._control.send(method, path, body)
        return {} if content is None else content

    @overload
    def listed(self, path: Literal["accounts"], name: str | None = None, **query: str | None) -> list[Account]: ...

    @overload
    def listed(self, path: Literal["actors"], name: str | None = None, **query: str | None) -> list[Actor]: ...

    @overload
    def listed(self, path: Literal["approvals"], name: str | None = None, **query: str | None) -> list[Approval]: ...

    @overload
    def listed(self, path: Literal["catalogue"], name: str | None = None, **query: str | None) -> list[Product]: ...

    @overload
    def listed(self, path: Literal["deliveries"], name: str | None = None, **query: str | None) -> list[Delivery]: ...

    @overload
    def listed(self, path: Literal["endpoints"], name: str | None = None, **query: str | None) -> list[Endpoint]: ...

    @overload
    def listed(self, path: Literal["events"], name: str | None = None, **query: str | None) -> list[Event]: ...

    @overload
    def listed(self, path: Literal["faults"], name: str | None = None, **query: str | None) -> list[Fault]: ...

    @overload
    def listed(self, path: Literal["calls"], name: str | None = None, **query: str | None) -> list[LoggedCall]: ...

    @overload
    def listed(self, path: Literal["ledger"], name: str | None = None, **query: str | None) -> list[LedgerEntry]: ...

    @overload
    def listed(self, path: Literal["mail"], name: str | None = None, **query: str | None) -> list[Mail]: ...

    @overload
    def listed(self, path: Literal["orders"], name: str | None = None, **query: str | None) -> list[Order]: ...

    @overload
    def listed(self, path: Literal["parcels"], name: str | None = None, **query: str | None) -> list[Parcel]: ...

    @overload
    def listed(self, path: Literal["payments"], name: str | None = None, **query: str | None) -> list[Payment]: ...

    @overload
    def listed(self, path: Literal["teams"], name: str | None = None, **query: str | None) -> list[Team]: ...

    @overload
    def listed(self, path: Literal["timers"], name: str | None = None, **query: str | None) -> list[Timer]: ...

    @overload
    def listed(self, path: str, name: str | None = None, **query: str | None) -> list[Any]: ...

    def listed(self, path: str, name: str | None = None, **query: str | None) -> Any:
        """All rows of a list of the control API (`events`, `timers`, `orders` ...), from all its pages.

        `name` is the list's member in the response, if it differs from the path.
        """
        return self._control.rows(f"/{path}", name or path, **query)

    def simulate(self, verb: str, **body: Any) -> dict[str, Any]:
        """Act as the outside world with one of the verbs that `GET /simulate` lists."""
        return self.control("POST", f"/simulate/{verb}", body)

    def settings(self, changes: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
        """Change the given settings; all settings by their dotted names."""
        return self.control("PATCH" if changes else "GET", "/settings", dict(changes) or None)

    def key(self, interface: str = "partner", **choices: Any) -> Key:
        """Create a key (`account={"wallet_cents": 10_000}`, `scopes=[...]`); it has `key` and `headers`."""
        return cast(Key, self.control("POST", "/keys", {"interface": interface, **choices}))
