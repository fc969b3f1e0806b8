"""A client of one world: its calls, its credentials, its clock and its lists, over the public routes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from giftsim.engine.client.control import PAGE, Control, ControlRefused
from giftsim.engine.client.matching import ABSENT, preview_value
from giftsim.engine.client.response import Client, Response
from giftsim.engine.client.world import ClientWorld, NoCredential
from giftsim.engine.kernel.instants import parse_instant
from giftsim.workbench.scenario.compiled_scenario import Scenario
from giftsim.workbench.scenario.scenario_error import suggest_known


class StepFailed(Exception):
    """A step cannot be carried out, mostly because the simulator refused a call; the message says why."""


class ActivityList:
    """A list of the test-control API that only grows: events, deliveries or mail.

    `items` holds all entries read so far, `unreported` those since the runner last cleared it.
    """

    def __init__(self, world: WorldClient, name: str) -> None:
        self.items: list[Mapping[str, Any]] = []
        self.unreported: list[Mapping[str, Any]] = []
        self._world, self._name = world, name
        self._after: int | None = None

    def read(self) -> None:
        """Read the entries that were added since the last reading."""
        self.unreported += self._fetch()

    def reload(self) -> None:
        """Read the whole list again after the world has moved to another state; nothing in it counts as new."""
        self.items.clear()
        self._after = None
        self._fetch()

    def _fetch(self) -> list[Mapping[str, Any]]:
        entries = self._world.rows(self._name, after=self._after)
        self._after = entries[-1]["seq"] if entries else self._after
        self.items += entries
        return entries


class WorldClient:
    """One world: its id, its credentials, the instant at which it started (`start_ms`) and its present one (`now`).

    `origin` is the address of the simulator, such as `http://127.0.0.1:8080`.
    """

    def __init__(self, client: Client, world: Mapping[str, Any], start_ms: int | None = None) -> None:
        self.id: Final[str] = world["id"]
        self.now: str = world["now"]
        self.start_ms: Final = parse_instant(world["now"]) if start_ms is None else start_ms
        self._client, self._control = client, ClientWorld(Control(client), world["id"], world)
        self.interfaces: Final = frozenset(world["urls"])
        self.origin: Final = world["urls"]["control"].removesuffix(self.path(""))
        self._changes_after = 0
        self._attempts: list[Mapping[str, Any]] = []
        self._told_attempts = 0
        self.lists: Final = {name: ActivityList(self, name) for name in ("events", "deliveries", "mail")}

    def new_attempts(self) -> list[Mapping[str, Any]]:
        """The attempts to deliver webhooks since the last call, as changes of the world: reading waits for none."""
        before, self._told_attempts = self._told_attempts, self.attempts_so_far()
        return self._attempts[before:]

    def attempts_so_far(self) -> int:
        """The number of attempts to deliver webhooks since the world was created or forked."""
        while True:
            page = self.control("GET", f"/changes?after={self._changes_after}&limit={PAGE}")
            self._changes_after = page["next"]
            self._attempts += [change for change in page["changes"] if change["kind"] == "delivery"]
            if len(page["changes"]) < PAGE:
                return len(self._attempts)

    def attempts_since(self, before: int) -> list[Mapping[str, Any]]:
        """The attempts to deliver webhooks after the first `before`, each with its `at` and `url`."""
        self.attempts_so_far()
        return [{"at": each["at"], "url": _url_of(each["summary"])} for each in self._attempts[before:]]

    def call(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Response:
        """Make any call; ConnectionError if there is no response."""
        return self._client.call(method, path, body=body, headers=headers)

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """Make a test-control call below this world and return its content; StepFailed if it does not succeed."""
        return _send(self._control, method, path, body)

    def rows(self, name: str, after: int | None = None) -> list[Mapping[str, Any]]:
        """All rows of a list of the test-control API, those after a number if one is given; StepFailed."""
        try:
            return self._control.rows(f"/{name}", name, after=after)
        except ControlRefused as refused:
            raise StepFailed(str(refused)) from None

    def path(self, path: str) -> str:
        """The whole path of a test-control call below this world."""
        return self._control.path(path)

    def variables(self, run: str, app: str | None) -> dict[str, Any]:
        """The variables that every scenario has; `run` is the value of ${run}, and `app` the address of the app."""
        start = {"start": self.start_ms, "start_date": self.start_ms}
        return {"world": self.id, "origin": self.origin, "run": run, **start, **({"app": app} if app else {})}

    def credential_headers(self, name: str | None) -> Mapping[str, str]:
        """The headers of a credential, given by its name or its value; without one, the header that names the world.

        A credential that a call has created since is looked up (G10).
        """
        try:
            return self._control.headers_of(name)
        except NoCredential as unknown:
            raise StepFailed(
                f'this world has no credential "{name}"{suggest_known(unknown.name, unknown.known)}'
            ) from None

    @property
    def credential_names(self) -> frozenset[str]:
        """The names of the credentials that are known so far."""
        return frozenset(self._control.credentials)

    def has_credential(self, name: str) -> bool:
        """Whether a credential is known by its name or its value."""
        return self._control.known_credential(name) is not None

    def fork(self) -> WorldClient:
        """Fork the world and return a client of the copy."""
        fork = WorldClient(self._client, self.control("POST", "/fork", {}), self.start_ms)
        fork.lists["events"].reload()
        fork.new_attempts()  # those of its past are not of its steps
        return fork

    def refresh(self) -> Mapping[str, Any]:
        """Read the world's clock and credentials again; return all that the API says of the world."""
        world: Mapping[str, Any] = self.control("GET", "")
        self.now, self._control.described = world["now"], world
        return world

    def held_call_count(self) -> int:
        """How many calls a fault or a receiver holds in the world."""
        return int(self.refresh()["counts"]["held"])

    def reload(self) -> None:
        """Read everything again after the world has moved to another state."""
        self.refresh()
        for activity in self.lists.values():
            activity.reload()

    def fingerprint(self) -> str:
        """The hash of the whole state of the world."""
        return str(self.control("GET", "/fingerprint")["sha256"])

    def delete(self) -> None:
        """Delete the world."""
        self.control("DELETE", "")


_URL = re.compile(r", attempt \d+ to (\S+):")


def _url_of(summary: str) -> str:
    """The address in the summary of an attempt to deliver a webhook."""
    found = _URL.search(summary)
    return found[1] if found else ""


def create_world(client: Client, scenario: Scenario) -> WorldClient:
    """Create the world that a scenario starts from; StepFailed if the simulator refuses."""
    return WorldClient(client, _send(Control(client), "POST", "/worlds", world_body(scenario)))


LONGEST_NAME = 200  # of a world


def world_body(scenario: Scenario) -> dict[str, Any]:
    """The body that creates the world that a scenario starts from."""
    body: dict[str, Any] = {"fixture": scenario.fixture, "seed": scenario.seed}
    if scenario.name:
        body["name"] = scenario.name[:LONGEST_NAME]
    if scenario.now is not None:
        body["now"] = scenario.now
    if scenario.settings:
        body["settings"] = scenario.settings
    return body


def _send(control: Control, method: str, path: str, body: Any) -> Any:
    response = control.call(method, path, body)
    if not response.is_success:
        raise step_failed(method, control.path(path), response)
    return response.json() if response.body else None


def step_failed(method: str, path: str, response: Response) -> StepFailed:
    """The error for a call that the simulator refused."""
    return StepFailed(f"{method} {path} answered {response.status} {preview_value(decode_body(response))}")


def decode_body(response: Response) -> Any:
    """The body as it is compared: JSON as data, anything else as text, ABSENT if there is none."""
    return response.content() if response.body else ABSENT


def path_segment(name: str) -> str:
    """A name quoted as one segment of a path."""
    return quote(name, safe="*")
