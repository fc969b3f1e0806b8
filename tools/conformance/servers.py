"""The servers: ours in this process, the others each in its own. `tests/ecosystem/conformance` pins those in Python."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from giftsim.engine.server import Application, Server, System
from giftsim.engine.worlds import system_clock
from tests.support.free_ports import free_ports
from tests.support.python_tools import clean_environment, installed_tools
from tests.support.served_simulator import ROOT
from tools.conformance.app import MOST_BYTES, wsgi

LOCK = ROOT / "tests" / "ecosystem" / "conformance" / "requirements.lock"
ADDRESS, APP = "127.0.0.1", "tools.conformance.app"
START_S = 30.0
NGINX = """
daemon off; master_process off; error_log stderr crit; pid {folder}/pid;
events {{ worker_connections 256; }}
http {{
  access_log off; default_type application/json;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port}; server_name localhost;
    location / {{ proxy_pass http://unix:{folder}/app; proxy_set_header Host $host; }}
  }}
  server {{
    listen unix:{folder}/app;
    location = /204 {{ return 204; }}
    location = /304 {{ return 304; }}
    location / {{
      return 200 '{{"method": "$request_method", "path": "$uri", "host": "$http_host", "body": "?",
                    "field": "$http_x_seen"}}';
    }}
  }}
}}
"""


# A server of files would answer before it has read the body. This one passes requests on, as most do, to itself.


class Missing(Exception):
    """A server that is not on this machine."""


class Dropped(Exception):
    """Never raised: the application answers everything."""


@contextmanager
def own() -> Iterator[int]:
    """Our server, in this process: its port."""
    system = System(system_clock.monotonic, system_clock.now_ms)
    server = Server(Application(wsgi, Dropped, MOST_BYTES, lambda _: ", ", "/", lambda: "req_1"), ADDRESS, 0, system)
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


def _waitress(_folder: Path, port: int) -> list[str]:
    return [f"{_python_tools()}/waitress-serve", f"--listen={ADDRESS}:{port}", "--threads=16", f"{APP}:wsgi"]


def _granian(_folder: Path, port: int) -> list[str]:
    return [
        f"{_python_tools()}/granian", "--interface", "wsgi", "--host", ADDRESS, "--port", str(port), "--workers", "1",
        "--no-ws", "--blocking-threads", "16", "--log-level", "critical", f"{APP}:wsgi",
    ]  # fmt: skip


def _uvicorn(_folder: Path, port: int) -> list[str]:
    return [
        f"{_python_tools()}/uvicorn", "--http", "h11", "--ws", "none", "--lifespan", "off", "--host", ADDRESS,
        "--port", str(port), "--log-level", "critical", f"{APP}:asgi",
    ]  # fmt: skip


def _nginx(folder: Path, port: int) -> list[str]:
    conf = folder / "nginx.conf"
    conf.write_text(NGINX.format(folder=folder, port=port))
    return [_nginx_program(), "-p", str(folder), "-c", str(conf), "-e", "stderr"]


OTHERS: Mapping[str, Callable[[Path, int], list[str]]] = {
    "waitress": _waitress, "granian": _granian, "uvicorn": _uvicorn, "nginx": _nginx,
}  # fmt: skip


@contextmanager
def other(name: str) -> Iterator[int]:
    """One of OTHERS in a process: its port. Missing if it is not on this machine."""
    port = free_ports(1)
    with tempfile.TemporaryDirectory() as folder:
        environment = clean_environment(PYTHONPATH=str(ROOT))
        command = OTHERS[name](Path(folder), port)
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
        try:
            _wait_for(port)
            yield port
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()


def version(name: str) -> str:
    """The version of one of OTHERS, of uvicorn with that of h11. Missing."""
    if name == "nginx":
        done = subprocess.run([_nginx_program(), "-v"], capture_output=True, text=True, check=True)
        return done.stderr.rpartition("/")[2].strip()
    names = ("uvicorn", "h11") if name == "uvicorn" else (name,)
    code = f"import importlib.metadata as m; print(*map(m.version, {names!r}))"
    done = subprocess.run([f"{_python_tools()}/python", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _nginx_program() -> str:
    path = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    if path is None:
        raise Missing("no nginx on this machine: install Debian's package nginx-light")
    return path


def _python_tools() -> Path:
    return installed_tools(LOCK)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((ADDRESS, port), timeout=1):
            return
        time.sleep(0.05)
    raise Missing(f"nothing listens on port {port}")
