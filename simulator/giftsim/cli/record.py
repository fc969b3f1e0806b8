"""Recordings taken from the command line: from a running simulator, or of a command that is run against a fresh one."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from giftsim.build import Simulator
from giftsim.kernel.instants import parse_instant
from giftsim.kernel.problem import Problem
from giftsim.worlds.registry import BEGINNING_MS, DEFAULT

PATIENCE_S = 30.0


class Untaken(Exception):
    """There is no recording; the message says why."""


def fetched(url: str, world: str, token: str | None) -> bytes:
    """The recording of a world of the simulator that runs at a URL; Untaken where that gives none."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Untaken(f"{url!r} is no address of a simulator, like http://127.0.0.1:8080")
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    path = f"{parts.path.rstrip('/')}/_sim/v1/worlds/{quote(world, safe='')}/journal/scenario"
    try:
        connection = kind(parts.hostname, parts.port, timeout=PATIENCE_S)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, HTTPException, ValueError) as error:
        raise Untaken(f"no simulator answers at {url}: {error}") from None
    if answer.status != 200:
        raise Untaken(f"the simulator at {url} answered {answer.status}: {_message(content)}")
    return content


class Attended:
    """A simulator on a free port, whose default world is fresh and stands still until somebody advances it."""

    def __init__(self, *, fixture: str, seed: int, now: str | None) -> None:
        try:
            now_ms = BEGINNING_MS if now is None else parse_instant(now)
            self._simulator = Simulator(fixture=fixture, seed=seed, now_ms=now_ms)
        except ValueError as error:
            raise Untaken(f"--now: {error}") from None
        except Problem as problem:
            raise Untaken(problem.message) from None
        self._server = self._simulator.listen("127.0.0.1", 0)
        self._server.start()

    @property
    def environment(self) -> dict[str, str]:
        """What a command needs: where the simulator is, and each credential by its name (G10)."""
        origin = self._simulator.registry.origin
        world = self._simulator.client.call("GET", f"/_sim/v1/worlds/{DEFAULT}").json()
        told = {
            "GIFTSIM_URL": origin, "GIFTSIM_WORLD": DEFAULT, "GIFTSIM_CONTROL": f"{origin}/_sim/v1/worlds/{DEFAULT}"
        }  # fmt: skip
        for name, credential in world["credentials"].items():
            told |= _variables(name, credential)
        return told

    def run(self, command: Sequence[str]) -> int:
        """Run a command to its end; its exit status, as a shell tells it."""
        try:
            child = subprocess.Popen(command, env={**os.environ, **self.environment})
        except OSError as error:
            raise Untaken(f"{command[0]} cannot be run: {error.strerror}") from None
        while True:
            try:
                status = child.wait()
                return status if status >= 0 else 128 - status
            except KeyboardInterrupt:
                continue  # the command got it too, and ends as it likes

    def recording(self) -> bytes:
        """All that was done so far."""
        answer = self._simulator.client.call("GET", f"/_sim/v1/worlds/{DEFAULT}/journal/scenario")
        if answer.status != 200:
            raise Untaken(_message(answer.body))
        return answer.body

    def close(self) -> None:
        """End the simulator."""
        self._simulator.close()
        self._server.stop()


def keep(out: str, recording: bytes) -> None:
    """Write a recording to a file; Untaken where that cannot be written."""
    try:
        Path(out).write_bytes(recording)
    except OSError as error:
        raise Untaken(f"{out} cannot be written: {error.strerror}") from None


def idle(recording: bytes) -> bool:
    """Whether nothing was done: its one step looks at the state in the end."""
    return recording.count(b"\n  - ") <= 1


def _variables(name: str, credential: Mapping[str, Any]) -> dict[str, str]:
    head = "GIFTSIM_" + re.sub(r"[^A-Z0-9]+", "_", name.upper())
    if "value" in credential:
        return {head: credential["value"]}
    return {f"{head}_USER": credential["user"], f"{head}_PASSWORD": credential["password"]}


def _message(content: bytes) -> str:
    try:
        return str(json.loads(content)["error"]["message"])
    except (ValueError, LookupError, TypeError):
        return content[:200].decode("utf-8", "replace") or "nothing"
