"""The world a scenario is played in, seen through the client as any outsider would see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from giftsim.kernel.instants import parse_instant
from giftsim.paths import CONTROL
from giftsim.scenario.client_protocol import Answer, Client
from giftsim.scenario.matching import ABSENT, shown
from giftsim.scenario.scenario_error import meant
from giftsim.scenario.step import Scenario


class Refused(Exception):
    """The simulator would not do what a step asked of it; the message says why."""


class Stream:
    """A list of the control plane that only grows, read up to its end each time.

    `items` are all its entries, `news` those that came since somebody last emptied that.
    """

    def __init__(self, sandbox: Sandbox, name: str) -> None:
        self.items: list[Mapping[str, Any]] = []
        self.news: list[Mapping[str, Any]] = []
        self._sandbox, self._name = sandbox, name
        self._after: int | None = None

    def rewind(self) -> None:
        """Read from the beginning again, which is no news: the world was put back to another moment."""
        self.items.clear()
        self._after = None
        self._fetch()

    def read(self) -> list[Mapping[str, Any]]:
        """What came since the last reading, oldest first."""
        fresh = self._fetch()
        self.news += fresh
        return fresh

    def _fetch(self) -> list[Mapping[str, Any]]:
        fresh: list[Mapping[str, Any]] = []
        more = True
        while more:
            page = self._sandbox.control("GET", f"/{self._name}" + self._query())
            fresh += page[self._name]
            self._after = page[self._name][-1]["seq"] if page[self._name] else self._after
            more = page["next"] is not None
        self.items += fresh
        return fresh

    def _query(self) -> str:
        return "" if self._after is None else f"?after={self._after}"


class Sandbox:
    """One world: its id, its credentials, the instant it started at and the one it has reached.

    `origin` is where the simulator is reached, such as `http://127.0.0.1:8080`.
    """

    def __init__(self, client: Client, world: Mapping[str, Any], start_ms: int | None = None) -> None:
        self.id: Final[str] = world["id"]
        self.now: str = world["now"]
        self.start_ms: Final = parse_instant(world["now"]) if start_ms is None else start_ms
        self.origin: Final = world["urls"]["control"].removesuffix(CONTROL + self.path(""))
        self._client = client
        self._credentials: Mapping[str, Mapping[str, Any]] = world["credentials"]
        self.streams: Final = {name: Stream(self, name) for name in ("events", "deliveries", "mail")}

    def call(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Answer:
        """Any call at all; ConnectionError where no answer comes."""
        return self._client.call(method, path, body=body, headers=headers)

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """What the control plane answers for a path below this world; Refused for anything but success."""
        return control(self._client, method, self.path(path), body)

    def path(self, path: str) -> str:
        """The control plane's path below this world."""
        return f"/worlds/{self.id}{path}"

    def credential(self, name: str | None) -> Mapping[str, str]:
        """The headers that speak for a credential; without one, those that merely name the world (G10).

        A credential goes by its name, or by its key in full; one that was made by a call since is looked up.
        """
        if name is None:
            return {"X-Sim-World": self.id}
        found = self._find(name)
        if found is None:
            self.refresh()
            found = self._find(name)
        if found is None:
            raise Refused(f'"{name}" is no credential of this world{meant(name, self._credentials)}')
        headers: Mapping[str, str] = found["headers"]
        return headers

    def _find(self, name: str) -> Mapping[str, Any] | None:
        if name in self._credentials:
            return self._credentials[name]
        return next((entry for entry in self._credentials.values() if entry.get("value") == name), None)

    def fork(self) -> Sandbox:
        """A copy of the world with the same future; what came before is no news there."""
        twin = Sandbox(self._client, self.control("POST", "/fork", {}), self.start_ms)
        twin.streams["events"].rewind()
        return twin

    def refresh(self) -> Mapping[str, Any]:
        """The world as it is now: its instant and credentials are taken over."""
        world: Mapping[str, Any] = self.control("GET", "")
        self.now, self._credentials = world["now"], world["credentials"]
        return world

    def rewound(self) -> None:
        """The world was put back to another moment: all that was read of it is read anew."""
        self.refresh()
        for stream in self.streams.values():
            stream.rewind()

    def fingerprint(self) -> str:
        """The hash of the whole state of the world."""
        return str(self.control("GET", "/fingerprint")["sha256"])

    def end(self) -> None:
        """Deletes the world."""
        self.control("DELETE", "")


def opened(client: Client, scenario: Scenario) -> Sandbox:
    """Makes the fresh world a scenario asks for; Refused where there can be none."""
    wanted: dict[str, Any] = {"fixture": scenario.fixture, "seed": scenario.seed}
    if scenario.now is not None:
        wanted["now"] = scenario.now
    if scenario.settings:
        wanted["settings"] = scenario.settings
    return Sandbox(client, control(client, "POST", "/worlds", wanted))


def control(client: Client, method: str, path: str, body: Any = None) -> Any:
    """What the control plane answers; Refused for anything but success."""
    answer = client.call(method, CONTROL + path, body=body)
    if not is_success(answer.status):
        raise Refused(f"{method} {CONTROL}{path} answered {answer.status} {shown(content(answer))}")
    return answer.json() if answer.body else None


def is_success(status: int) -> bool:
    """Whether an HTTP status is 2xx."""
    return 200 <= status <= 299


def content(answer: Answer) -> Any:
    """The body as it is compared: JSON as data, anything else as text, ABSENT where there is none."""
    if not answer.body:
        return ABSENT
    if "json" in answer.headers.get("content-type", ""):
        return answer.json()
    return answer.body.decode("utf-8", "replace")


def segment(name: str) -> str:
    """A name as one segment of a path."""
    return quote(name, safe="*")
