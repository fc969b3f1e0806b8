"""What is fuzzed: one input of any kind, run against a simulator, and the failures that it may show."""

from __future__ import annotations

import json
import logging
import signal
import socket
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import yaml

from giftsim import Simulator
from giftsim.engine.log.journal_contents import Unreadable
from giftsim.engine.problem import Problem
from giftsim.engine.server import Server
from giftsim.services.fixture_loader import read_fixture
from giftsim.workbench.scenario import InvalidScenario, load_scenario

LOGGER = logging.getLogger("giftsim")
MOST_SECONDS = 20
KNOWN_IDS = 200
ASKED_FOR = ("provider_unavailable", "idempotency_unavailable", "webhooks_unavailable")
HEALTH = b"GET /_sim/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
WORLD = "/_sim/v1/worlds/default"


class Input(msgspec.Struct, frozen=True):
    """One input. `kind` is `request`, `raw` (bytes on a connection), `scenario`, `fixture` or `journal`.

    A request has a method, a path and headers. `credential` is the name of one of the default world, whose headers are
    added.
    """

    kind: str
    content: bytes = b""
    method: str = "GET"
    path: str = "/"
    credential: str = ""
    headers: Mapping[str, str] = {}

    def to_json(self) -> str:
        """The input as it is kept in the corpus."""
        return json.dumps({**msgspec.structs.asdict(self), "content": b64encode(self.content).decode()}, indent=2)


def from_json(text: str) -> Input:
    """An input of the corpus."""
    members = json.loads(text)
    return Input(**{**members, "content": b64decode(members["content"])})


class Failure(Exception):
    """An input that the simulator does not take well: an internal error, another exception, or no end."""


class KnownIds:
    """Ids that were seen in responses, from which later paths are made."""

    def __init__(self) -> None:
        self.ids = ["1001", "default"]

    def remember(self, content: bytes) -> None:
        """Note the ids in a response."""
        with suppress(ValueError):
            self._collect(json.loads(content))

    def _collect(self, value: Any) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("id"), str | int):
                self.ids = [*self.ids[-KNOWN_IDS:], str(value["id"])]
            value = list(value.values())
        for each in value if isinstance(value, list) else ():
            self._collect(each)


class BugHandler(logging.Handler):
    """Collects the exceptions that the simulator logs as its own errors."""

    def __init__(self, bugs: list[BaseException]) -> None:
        super().__init__(logging.ERROR)
        self.bugs = bugs

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the exception of a record."""
        if record.exc_info and record.exc_info[1] is not None:
            self.bugs.append(record.exc_info[1])


class Target:
    """A simulator that inputs are run against. Each has the state that the inputs before it left."""

    def __init__(self) -> None:
        self.simulator = Simulator(fixture="default")
        self.bugs: list[BaseException] = []
        self.handler = BugHandler(self.bugs)
        LOGGER.addHandler(self.handler)
        world = self.simulator.client.call("GET", WORLD).json()
        self.credentials = {"": {}, **{name: each["headers"] for name, each in world["credentials"].items()}}

    def close(self) -> None:
        """End the simulator."""
        if "server" in vars(self):
            self.server.stop()
        LOGGER.removeHandler(self.handler)
        self.simulator.close()

    @cached_property
    def server(self) -> Server:
        """A server of the simulator, in this process."""
        server = self.simulator.listen("127.0.0.1", 0)
        server.start()
        return server

    def run(self, given: Input) -> Any:
        """Run an input; the response to a request. Failure says what is wrong."""
        self.bugs.clear()
        try:
            with time_limit():
                response = getattr(self, f"_run_{given.kind}")(given)
        except Failure:
            raise
        except Exception as error:
            raise Failure(f"{type(error).__name__}: {str(error)[:300]}") from error
        if self.bugs:
            raise Failure(f"{type(self.bugs[0]).__name__}: {str(self.bugs[0])[:300]}") from self.bugs[0]
        if response is not None and response.status >= 500 and not self._is_asked_for(response):
            raise Failure(f"{response.status} {response.body[:200]!r}")
        return response

    def _is_asked_for(self, response: Any) -> bool:
        """Whether a fault, or an earlier call for a setting or a verb, made an error."""
        if any(code.encode() in response.body for code in ASKED_FOR):
            return True
        after: int | None = 0
        while after is not None:
            page = self.simulator.client.call("GET", f"{WORLD}/calls?limit=1000&after={after}").json()
            for row in page["calls"]:
                answer = row["response"]  # None: a fault dropped the connection
                if answer and answer["headers"].get("X-Request-Id") == response.headers.get("x-request-id"):
                    return row["fault"] is not None
            after = page["next"]
        return False

    def _run_request(self, given: Input) -> Any:
        headers = {**self.credentials[given.credential], **given.headers}
        try:
            return self.simulator.client.call(given.method, given.path, body=given.content, headers=headers)
        except ConnectionError:
            return None  # a fault that drops the connection

    def _run_raw(self, given: Input) -> None:
        """Send bytes to the server, which must answer the next connection whatever they were."""
        answer = self._exchange(given.content)
        if answer.startswith(b"HTTP/1.1 500") and b"text/plain" in answer:
            raise Failure(f"the server answers {answer[:200]!r}")
        if not self._exchange(HEALTH).startswith(b"HTTP/1.1 200"):
            raise Failure("the server answers no more")

    def _exchange(self, content: bytes) -> bytes:
        answer = b""
        with suppress(OSError), socket.create_connection((self.server.host, self.server.port), MOST_SECONDS) as client:
            client.sendall(content)
            client.shutdown(socket.SHUT_WR)
            while piece := client.recv(65_536):
                answer += piece
        return answer

    def _run_scenario(self, given: Input) -> None:
        with suppress(InvalidScenario):
            load_scenario(given.content)

    def _run_fixture(self, given: Input) -> Any:
        with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
            Path(file.name).write_bytes(given.content)
            try:
                read_fixture(file.name)
            except Problem:
                return None
        body = msgspec.json.encode({"id": "fuzzed", "fixture": yaml.safe_load(given.content)})
        response = self.simulator.client.call("POST", "/_sim/v1/worlds", body=body)
        self.simulator.client.call("DELETE", "/_sim/v1/worlds/fuzzed")
        return response

    def _run_journal(self, given: Input) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "journal"
            file.write_bytes(given.content)
            try:
                Simulator(fixture="empty", journal=file).close()
            except (Unreadable, Problem):
                return


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise Failure if the block takes too long; only the main thread can be interrupted."""

    def stop(*_: object) -> None:
        raise Failure(f"no answer within {MOST_SECONDS} s")

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(MOST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
