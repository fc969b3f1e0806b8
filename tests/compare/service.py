"""A service to compare with: a second simulator over HTTP, behind a middleware that answers some calls differently."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.engine.gateway.wsgi_app import Environ, StartResponse
from giftsim.engine.kernel.instants import parse_instant
from tests.support.listening import server_of

NOW = "2027-01-04T09:00:00Z"
CREDENTIALS = {
    "partner.prepaid": "pk_live_default_prepaid",
    "partner.net_terms": "pk_live_default_netterms",
    "team.test": "ptk_test_default_first",
    "team.live_approver": "ptk_live_default_approver",
    "museum": "museum:museum-pass",
}
VARIABLES = {name: name.upper().replace(".", "_") for name in CREDENTIALS}


class Reply(NamedTuple):
    """A response that a change gets and returns; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)

    def with_json(self, data: Any) -> Reply:
        """The same with another JSON body."""
        return self._replace(body=json.dumps(data).encode())


class Change(NamedTuple):
    """What a service does differently: which calls, by method and path, at which statuses, and how."""

    call: str
    statuses: tuple[int, ...]
    make: Callable[[Reply], Reply]

    def applies(self, method: str, path: str, status: int) -> bool:
        """Whether a response is one of those."""
        return re.fullmatch(self.call, f"{method} {path}") is not None and status in self.statuses


class Service:
    """A running service; `calls` are the methods and paths that it was called with, `headers` their headers."""

    def __init__(self, simulator: Simulator, changes: Iterable[Change]) -> None:
        self._simulator, self.changes = simulator, tuple(changes)
        self.on_body: Callable[[Any], None] = lambda _body: None
        self.calls: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.origin = ""

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a call like the simulator, then make the changes that apply."""
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self.calls.append(f"{method} {path}")
        self.headers.append({name: value for name, value in environ.items() if name.startswith("HTTP_")})
        started: list[Any] = []

        def start(status: str, fields: list[tuple[str, str]], _exc_info: Any = None) -> None:
            started[:] = [int(status[:3]), {name.lower(): value for name, value in fields}]

        if content := environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)):
            self.on_body(json.loads(content))
            environ["wsgi.input"] = BytesIO(content)
        reply = Reply(200, {}, b"".join(self._simulator.wsgi_app(environ, start)))._replace(
            status=started[0], headers=started[1]
        )
        for change in self.changes:
            if change.applies(method, path, started[0]):
                reply = change.make(reply)
        headers = {name: value for name, value in reply.headers.items() if name != "content-length"}
        start_response(f"{reply.status} Answer", [*headers.items(), ("Content-Length", str(len(reply.body)))])
        return [reply.body]

    def advance(self, span_s: float) -> None:
        """Move its clock."""
        body = {"by": f"{round(span_s * 1000)}ms"}
        self._simulator.client.call("POST", "/_sim/v1/worlds/default/clock/advance", body=body)


@contextmanager
def run_service(changes: Iterable[Change] = (), *, seed: int = 7) -> Iterator[Service]:
    """A service on a free port, whose clock stands at NOW."""
    simulator = Simulator(fixture="empty", seed=seed, now_ms=parse_instant(NOW))
    service = Service(simulator, changes)
    server = server_of(service)
    service.origin = simulator.registry.runtime.origin = f"http://127.0.0.1:{server.port}"
    server.start()
    try:
        yield service
    finally:
        simulator.close()
        server.stop()


def compare(
    origin: str, *arguments: str, credentials: Mapping[str, str] = CREDENTIALS, named: bool = True, allow: bool = True
) -> Result:
    """Run `giftsim compare` as a user does, with credentials in the environment."""
    options = [f"--credential={name}={VARIABLES[name]}" for name in credentials]
    target = ["--target", origin, "--calls-per-second", "1000", "--now", NOW] if named else []
    target += ["--allow-simulator"] if named and allow else []
    environ = {VARIABLES[name]: value for name, value in credentials.items()}
    return CliRunner().invoke(main, ["compare", *target, *options, *arguments], env=environ)


def found(result: Result) -> list[tuple[str, str, str]]:
    """The differences of a JSON report: operation, kind and path, sorted."""
    report = json.loads(result.stdout)
    return sorted((each["operation"], each["kind"], each["path"]) for each in report["differences"])
