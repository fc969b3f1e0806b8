"""What `record` and `play --exact` do: a world becomes a file, and the file shows the first response that differs."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from giftsim import __version__
from giftsim.build import Simulator
from giftsim.cli.terminal import print_text
from giftsim.engine.client.control import NOTHING, Control, bearer_headers, refusal_error
from giftsim.engine.client.over_http import HttpClient
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.kernel.texts import one_line
from giftsim.engine.problem import Problem
from giftsim.engine.server import raise_descriptor_limit
from giftsim.engine.server.authority import client_tls_context
from giftsim.engine.url_paths import CONTROL
from giftsim.engine.webhooks.url_rules import printable_url
from giftsim.engine.worlds.registry import DEFAULT, START_MS

if TYPE_CHECKING:
    from giftsim.cli.signals import PassedSignals
    from giftsim.engine.control.services import Coverage
    from giftsim.engine.gateway.call import Interface
    from giftsim.engine.server.connection import Service
    from giftsim.engine.worlds.app_clock import AppClock
    from giftsim.engine.worlds.observer import AnsweredCall
    from giftsim.engine.worlds.world import World
    from giftsim.workbench.scenario.play_report import Report, StepReport


TIMEOUT_S = 30.0
HEAD = 1_000  # bytes, in which a recording says which version made it
RECORDED_BY = re.compile(rb"^# A recording of world \S+(?: by giftsim (\S+))?: ", re.MULTILINE)
OTHER_VERSION = (
    "\nThe recording is of giftsim {}, and this version may answer differently: replay it with that one, or record anew"
)
RECORDING = "/calls/scenario"


class RecordingFailed(Exception):
    """A recording could not be taken or written; the message says why."""


def fetch_recording(url: str, world: str, token: str | None) -> bytes:
    """Fetch the recording of a world from the simulator at a URL."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise RecordingFailed(f"{printable_url(url)} is not the URL of a simulator, like http://127.0.0.1:8080")
    try:
        with closing(
            HttpClient(url, bearer_headers(token), timeout_s=TIMEOUT_S, context=client_tls_context(parts.scheme))
        ) as client:
            response = ClientWorld(Control(client), world).call("GET", RECORDING)
    except (OSError, HTTPException, ValueError) as error:
        raise RecordingFailed(f"the simulator at {url} cannot be reached: {error.__cause__ or error}") from None
    if not response.is_success:
        raise RecordingFailed(f"the simulator at {url} answered {response.status}: {_message(response)}")
    return response.body


class CallWatch:
    """An observer of a simulator that notes whether a call came: to an interface or a page, not to its control API."""

    def __init__(self) -> None:
        self.was_called = False

    def call_begins(self, _world: object, _authorization: str | None) -> object:
        """Note a call, which may be held."""
        self.was_called = True
        return None

    def call_ends(self, _world: object, _before: object) -> None:
        """Note nothing."""

    def call_answered(self, call: AnsweredCall) -> None:
        """Note a call that met no world, such as one to a path that does not exist."""
        self.was_called |= not call.path.startswith(CONTROL)

    def world_changed(self, _world: object) -> None:
        """Note nothing."""


class RecordedSimulator:
    """A simulator on a free port for a command to call; the clock of its default world moves only when advanced.

    `assumed` are settings of all its worlds, unless they have their own.
    """

    def __init__(
        self,
        *,
        fixture: str,
        seed: int,
        now: str | None,
        rate: float = 0.0,
        assumed: Mapping[str, Any] = NOTHING,
    ) -> None:
        try:
            now_ms = START_MS if now is None else parse_instant(now)
            self._simulator = Simulator(fixture=fixture, seed=seed, now_ms=now_ms, rate=rate, settings=assumed)
            self._simulator.registry.assumed = assumed
        except ValueError as error:
            raise RecordingFailed(f"--now: {error}") from None
        except Problem as problem:
            raise RecordingFailed(problem.message) from None
        self._watch = self._simulator.registry.runtime.observer = CallWatch()
        raise_descriptor_limit()
        self._server = self._simulator.listen("127.0.0.1", 0)
        self._server.start()
        self._simulator.ticker.start()

    @property
    def origin(self) -> str:
        """The address of the simulator."""
        return self._simulator.registry.runtime.origin

    @property
    def service(self) -> Service:
        """The state that the connections of its server share."""
        return self._server.service

    @property
    def was_called(self) -> bool:
        """Whether a call came since the command was started."""
        return self._watch.was_called

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables for a command: the simulator's URLs, and each credential by its name (G10)."""
        origin = self.origin
        world = ClientWorld(Control(self._simulator.client), DEFAULT)
        variables = {"GIFTSIM_URL": origin, "GIFTSIM_WORLD": DEFAULT, "GIFTSIM_CONTROL": origin + world.path()}
        for name, credential in world.send("GET")["credentials"].items():
            variables |= credential_variables(name, credential)
        return variables

    def run(self, command: Sequence[str], signals: PassedSignals, variables: Mapping[str, str] = NOTHING) -> int:
        """Run a command, with further variables, to its end; its exit status as a shell reports it."""
        self._watch.was_called = False
        program = shutil.which(command[0]) or command[0]  # Windows starts npm.cmd by that name only
        try:
            return signals.run([program, *command[1:]], {**os.environ, **self.environment, **variables})
        except OSError as error:
            raise RecordingFailed(f"{command[0]} cannot be run: {error.strerror}") from None

    def set_app_clock(self, clocks: Sequence[AppClock]) -> None:
        """Let the clock of an app follow the default world's, and that of each world which is created (G493)."""
        self._simulator.registry.runtime.app_clocks = clocks
        self._simulator.registry.let_app_follow(self._simulator.registry.worlds[DEFAULT], *clocks)

    def keep_coverage(self) -> Coverage:
        """What is met in all worlds from here on."""
        return self._simulator.keep_coverage(all_worlds=True)

    @property
    def latest_failure(self) -> str | None:
        """How giftsim itself failed last, in one line."""
        return self._simulator.registry.runtime.latest_failure

    def watch(self, observer: CallWatch) -> None:
        """Let another observer see what happens from here on."""
        self._watch = self._simulator.registry.runtime.observer = observer

    @property
    def simulated(self) -> list[Interface]:
        """The interfaces of the services."""
        return [each for each in self._simulator.interfaces if each.simulated]

    @property
    def worlds(self) -> list[World]:
        """The worlds that there are now."""
        return list(self._simulator.registry.worlds.values())

    def recording(self) -> bytes:
        """The recording of all that was done so far."""
        response = ClientWorld(Control(self._simulator.client), DEFAULT).call("GET", RECORDING)
        if not response.is_success:
            raise RecordingFailed(_message(response))
        return response.body

    def close(self) -> None:
        """Stop the simulator."""
        self._simulator.close()
        self._server.stop()


def check_not_in_the_way(out: str, *, force: bool) -> None:
    """RecordingFailed if no file can be there, or if it has content, which only `force` lets a recording replace."""
    path = Path(out)
    if path.is_dir():
        raise RecordingFailed(f"{out} is a directory: name a file")
    if not path.parent.is_dir():
        raise RecordingFailed(f"{out} cannot be written: there is no directory {path.parent}")
    if not force and path.is_file() and path.stat().st_size:
        raise RecordingFailed(f"{out} exists already and stays as it is: name another file, or replace it with --force")


def record_command(command: Sequence[str], out: str, *, force: bool, kind: str | None, **config: Any) -> int:
    """Run a command against a simulator and write the recording, as `keep_recording` does; its exit status."""
    from giftsim.cli.signals import PassedSignals

    check_not_in_the_way(out, force=force)
    with PassedSignals() as signals, closing(RecordedSimulator(**config)) as simulator:
        status = simulator.run(command, signals)
        keep_recording(simulator, command[0], out, force=force, kind=kind)
    return status


def keep_recording(simulator: RecordedSimulator, program: str, out: str, *, force: bool, kind: str | None) -> None:
    """Write what a program did. A warning is printed if that is nothing.

    With a `kind` it is written as a test; an empty one is refused then.
    """
    recording = simulator.recording()
    if is_empty(recording) or not simulator.was_called:
        text = _why_empty(program, recording, was_called=simulator.was_called)
        if kind is not None:
            raise RecordingFailed(text)
        click.echo(text, err=True)
    write_recording(out, recording, force=force, kind=kind)


def _why_empty(program: str, recording: bytes, *, was_called: bool) -> str:
    """Why a recording has no calls, and what to do."""
    begin = "the recording is empty" if is_empty(recording) else "the recording has no calls"
    if was_called:
        return f"{begin}: {program} called other worlds than {DEFAULT}, which is recorded"
    return (
        f"{begin}: {program} made no calls to the simulator at $GIFTSIM_URL; give your app that address as the"
        " service's base URL"
    )


def recording_of_har(content: bytes, source: Path, fixture: str | None, credentials: Iterable[str]) -> bytes:
    """The scenario of a HAR file; standard error gets what it does otherwise. RecordingFailed."""
    from giftsim.workbench.compare.credentials import read_credentials
    from giftsim.workbench.traffic.as_scenario import REFUSALS, scenario_of_har

    try:
        made = scenario_of_har(content, source, read_credentials(credentials, os.environ), fixture)
    except REFUSALS as error:
        raise RecordingFailed(str(error)) from None
    for note in made.notes:
        print_text(note, err=True)
    return made.text


def write_recording(
    out: str, recording: bytes | Path | None, *, force: bool, kind: str | None, large: bool = False
) -> None:
    """Write a recording, as a test of a `kind` if there is one, to a file that is new or empty, or to any with `force`.

    A path is that of a recording or a trace, which may be `large`.
    """
    check_not_in_the_way(out, force=force)
    path, content = None, b""
    if isinstance(recording, Path):
        path, content = recording, _recording_of(recording, large=large)
    elif recording is not None:
        content = recording
    write_file(out, content if kind is None else _test(content, path, kind, out, large=large or path is None))


def write_file(out: str, content: bytes) -> None:
    """Write a file. RecordingFailed."""
    try:
        Path(out).write_bytes(content)
    except OSError as error:
        raise RecordingFailed(f"{out} cannot be written: {error.strerror}") from None


def _recording_of(path: Path, *, large: bool) -> bytes:
    """The recording in a file, which may be a trace."""
    from giftsim.workbench.trace.file import UnreadableTrace, recorded_text

    try:
        recording = recorded_text(path, large=large)
        return recording.encode() if isinstance(recording, str) else recording
    except UnreadableTrace as error:
        raise RecordingFailed(str(error)) from None
    except OSError as error:
        raise RecordingFailed(f"{path} cannot be read: {error.strerror}") from None


def _test(content: bytes, path: Path | None, kind: str, out: str, *, large: bool) -> bytes:
    """A recording or another scenario, of a file if there is a path, as a test. A separate simulator plays it."""
    from giftsim.workbench.recording.as_test import NotATest, write_test

    simulator = Simulator(fixture="bare")
    file = str(path or "the recording")
    try:
        written = write_test(content, file, kind, out, __version__, simulator.client, path=path, large=large)
        return written.encode()
    except NotATest as error:
        raise RecordingFailed(f"no test was written: {error}") from None
    finally:
        simulator.close()


def is_empty(recording: bytes) -> bool:
    """Whether nothing was done: the only step is the check of the final state."""
    return recording.count(b"\n  - ") <= 1


def credential_variables(name: str, credential: Mapping[str, Any]) -> dict[str, str]:
    """The variables of the environment that have a credential."""
    variable = "GIFTSIM_" + re.sub(r"[^A-Z0-9]+", "_", name.upper())
    if "value" in credential:
        return {variable: credential["value"]}
    return {f"{variable}_USER": credential["user"], f"{variable}_PASSWORD": credential["password"]}


def _message(response: Response) -> str:
    error = refusal_error(response)
    return error.message if error.code else error.message[:200] or "an empty body"


@dataclass(frozen=True)
class ReplayedFile:
    """The result of one file: `outcome` is `same`, `different` or `refused`; `text` and `data` describe it."""

    path: str
    outcome: str
    text: str
    data: dict[str, Any]


def replay_files(files: tuple[str, ...], width: int, *, large: bool = False) -> Iterator[ReplayedFile]:
    """Play recordings, and those of traces, each in a fresh world of a new simulator.

    `width` is the number of columns for a difference. `large` files may take gigabytes of memory.
    """
    from giftsim.workbench.scenario import InvalidScenario, check_scenario, load_scenario, play
    from giftsim.workbench.scenario.yaml_source import LARGE_LIMITS, RECORDING_LIMITS
    from giftsim.workbench.trace.file import UnreadableTrace, recorded_text

    for path in files:
        simulator = Simulator(fixture="bare")
        try:
            limits = LARGE_LIMITS if large else RECORDING_LIMITS
            text = recorded_text(Path(path), large=large)
            scenario = load_scenario(text, path, limits=limits, path=Path(path))
            check_scenario(scenario, simulator.client)
            yield _replayed_file(path, play(scenario, simulator.client), width)
        except (InvalidScenario, UnreadableTrace) as error:
            data = {"file": path, "outcome": "refused", "error": str(error)}
            yield ReplayedFile(path, "refused", f"refused: {one_line(str(error))}", data)
        finally:
            simulator.close()


def _replayed_file(path: str, report: Report, width: int) -> ReplayedFile:
    data: dict[str, Any] = {"file": path, "outcome": "same", "steps": len(report.steps)}
    failed = next((step for step in report.steps if step.outcome == "failed"), None)
    if failed is None:
        return ReplayedFile(path, "same", f"same: {path}, {len(report.steps)} steps", data)
    data |= {"outcome": "different", "step": failed.number, "line": failed.line, "title": failed.title}
    data["detail"] = failed.detail
    if by := _other_version(path):
        data["recorded_by"] = by
    if difference := failed.difference:
        data |= {
            "recorded": _response_data(difference.recorded),
            "now": difference.actual and _response_data(difference.actual),
        }
    return ReplayedFile(path, "different", _text(path, failed, width) + (OTHER_VERSION.format(by) if by else ""), data)


def _other_version(path: str) -> str:
    """The version of giftsim that made a recording, if it is another one; those up to 0.2.0 do not say which."""
    with Path(path).open("rb") as file:
        found = RECORDED_BY.search(file.read(HEAD))
    version = (found[1] or b"0.2.0 or earlier").decode() if found else __version__
    return "" if version == __version__ else version


def _text(path: str, step: StepReport, width: int) -> str:
    if step.difference is None:
        return f"different: {step.detail}"
    place = one_line(f"{path}:{step.line}: step {step.number}, {step.title}")
    return f"different: {place}\n{step.difference.summary}\n{step.difference.side_by_side(max((width - 5) // 2, 20))}"


def _response_data(response: Response) -> dict[str, Any]:
    body = response.body.decode("utf-8", "replace")
    return {"status": response.status, "headers": dict(response.headers), "body": body}
