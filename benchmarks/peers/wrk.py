"""Load by `wrk`, which takes far less of the processor than a client in Python: one thread, eight connections."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

CONNECTIONS = 8
NUMBER = "NUMBER"  # in a body: another number in each request
NEIGHBOURS = 2
MS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(frozen=True)
class Request:
    """A request that is sent over and over again."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True)
class Rate:
    """What a server reached: requests per second, and times in ms."""

    per_s: float
    p50_ms: float
    p99_ms: float


class LoadFailed(Exception):
    """The load could not be sent, or was refused."""


def find_wrk() -> str:
    """The program; LoadFailed says how to get it."""
    program = shutil.which("wrk")
    if program is None:
        raise LoadFailed("wrk is not on this machine: install Debian's package wrk (brew install wrk on macOS)")
    return program


def send(port: int, request: Request, seconds: int, name: str) -> Rate:
    """Send requests for so long; LoadFailed if any is answered with an error."""
    with TemporaryDirectory() as folder:
        script = Path(folder) / "request.lua"
        script.write_text(_script(request))
        command = [
            find_wrk(), "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", "-s", str(script),
            f"http://127.0.0.1:{port}",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60, check=False)
    text = done.stdout
    if done.returncode or "Non-2xx" in text:
        raise LoadFailed(f"{name}: {request.method} {request.path}: {text.strip()[-300:]} {done.stderr.strip()[-200:]}")
    per_s = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if per_s is None:
        raise LoadFailed(f"{name}: wrk says {text[-300:]}")
    return Rate(float(per_s[1]), _percentile(text, "50"), _percentile(text, "99"))


def _percentile(text: str, percent: str) -> float:
    found = re.search(rf"^\s+{percent}%\s+([\d.]+)(us|ms|s|m)$", text, re.MULTILINE)
    return float(found[1]) * MS[found[2]] if found else 0.0


def _script(request: Request) -> str:
    """What wrk sends, in Lua. Keys differ from run to run, since a new run starts with a new table's address."""
    lines = [
        f"local headers = {{{', '.join(f'[{json.dumps(k)}] = {json.dumps(v)}' for k, v in request.headers.items())}}}"
    ]
    lines += ["local count = 0", f"local body = {json.dumps(request.body)}", "local run = tostring({}):sub(8)"]
    lines += [
        "request = function()",
        "  count = count + 1",
        f'  local text = body:gsub("{NUMBER}", run .. "-" .. count)',
        f"  return wrk.format({json.dumps(request.method)}, {json.dumps(request.path)}, headers, text)",
        "end",
    ]
    return "\n".join(lines)


@contextmanager
def busy_neighbours() -> Iterator[None]:
    """Other work on the machine: processes that take all they can get of the processor."""
    with ExitStack() as stack:
        for _ in range(NEIGHBOURS):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield
