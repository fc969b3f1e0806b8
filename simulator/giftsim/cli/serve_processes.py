"""`serve --processes N`: the processes and HAProxy in front of them, started, watched and stopped as one."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any, Self

import click
from click.core import ParameterSource

from giftsim import __version__
from giftsim.cli.haproxy import LOCAL, Process, configuration, prefix_of
from giftsim.cli.https import https_pem, is_https
from giftsim.cli.serve_journals import journal_of, refuse_others
from giftsim.cli.serve_option_values import InvalidOptions, check_token, read_public_url
from giftsim.engine.guard import Guard
from giftsim.engine.server.server import origin_of
from giftsim.engine.url_paths import CONTROL
from giftsim.engine.worlds.registry import DEFAULT

# Options that the group acts on; all others are those of each process.
OWN = frozenset({
    "host", "port", "as_json", "https", "certificate", "key", "processes", "journal", "public_url", "worlds_prefix",
    "control_token", "control_token_file",
})  # fmt: skip
START = "from giftsim.cli.main import main; main(prog_name='giftsim')"
WATCH_S, FINISH_S = 0.5, 8.0
NEEDS_HAPROXY = (
    "--processes needs HAProxy 2.6 or newer, which is not on this machine: apt-get install haproxy, or brew install"
    " haproxy"
)


class CannotStart(Exception):
    """A process or the proxy did not start; the message says why."""


def given_arguments(context: click.Context) -> list[str]:
    """The options of the command line that are for each process, as words. Those of the environment reach it anyway."""
    words: list[str] = []
    for param in context.command.params:
        value = context.params.get(param.name or "")
        if param.name in OWN or context.get_parameter_source(param.name or "") is not ParameterSource.COMMANDLINE:
            continue
        name = max(param.opts, key=len)
        if isinstance(param, click.Option) and param.is_flag:
            words.append(name)
        else:
            words += [word for each in (value if isinstance(value, tuple) else [value]) for word in (name, str(each))]
    return words


class ProcessGroup:
    """Several processes of `serve` behind HAProxy at one address. Entering it starts all, leaving it stops all."""

    def __init__(self, many: int, options: Mapping[str, Any], arguments: Sequence[str]) -> None:
        """InvalidOptions where an option cannot be carried out."""
        self._many, self._options, self._arguments = many, options, arguments
        self.host, self.port = options["host"], _free_port(options["host"], options["port"])
        check_token(self.host, options["control_token"], "--control-token-file")
        if options["journal"]:
            refuse_others(options["journal"], [self._prefix(number) for number in range(1, many + 1)])
        program = shutil.which("haproxy")
        if program is None:
            raise InvalidOptions(NEEDS_HAPROXY)
        self._haproxy = program
        scheme = "https" if is_https(options) else "http"
        self.origin = read_public_url(options["public_url"]) or origin_of(scheme, self.host, self.port)
        self._pem = https_pem(options) if scheme == "https" else None
        self._stops: SimpleQueue[None] = SimpleQueue()
        self._running: dict[int, subprocess.Popen[str]] = {}
        self._ports: dict[int, int] = {}
        self._proxy: subprocess.Popen[bytes] | None = None
        self._folder = TemporaryDirectory(prefix="giftsim-processes-")
        self._guard = Guard(folder=self._folder.name)

    def __enter__(self) -> Self:
        """Start the processes, then the proxy. CannotStart."""
        try:
            for number in range(1, self._many + 1):
                self._running[number] = self._started(number)
            for number in self._running:
                self._ports[number] = self._port_of(number)
            self._start_proxy()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Let the processes finish their calls, then end the proxy."""
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(FINISH_S)
            process.kill()
            process.communicate()
        if self._proxy is not None:
            self._proxy.terminate()
            self._proxy.wait()
        self._guard.close()
        self._folder.cleanup()

    def request_stop(self) -> None:
        """Let `run` end; a signal handler may call it."""
        self._stops.put(None)

    def run(self) -> None:
        """Watch until `request_stop`: a process that ends is started again, at the same address. CannotStart."""
        while True:
            with suppress(Empty):
                return self._stops.get(timeout=WATCH_S)
            if self._proxy is not None and self._proxy.poll() is not None:
                raise CannotStart(f"HAProxy ended with status {self._proxy.returncode}")
            for number, process in self._running.items():
                if process.poll() is not None:
                    self._start_again(number, process)

    def banner(self) -> str:
        """The first output: the address and the processes; with `--json` one line of JSON."""
        pids = {self._prefix(number): process.pid for number, process in self._running.items()}
        if self._options["as_json"]:
            address = {
                "origin": self.origin,
                "host": self.host,
                "port": self.port,
                "control": f"{self.origin}{CONTROL}",
            }
            return json.dumps({**address, "version": __version__, "world": DEFAULT, "processes": pids})
        listed = ", ".join(f"{prefix} (pid {pid})" for prefix, pid in pids.items())
        return (
            f"giftsim {__version__} is ready at {self.origin}  (Ctrl-C stops it)\n\n"
            f"  {self._many} processes behind HAProxy: {listed}\n"
            f"  console             {self.origin}/\n"
            f"  test-control API    {self.origin}{CONTROL}\n"
            f"  credentials         curl -s {self.origin}{CONTROL}/worlds/{DEFAULT}"
        )

    def _prefix(self, number: int) -> str:
        return prefix_of(number, self._many)

    def _started(self, number: int, port: int = 0) -> subprocess.Popen[str]:
        words = ["serve", "--host", LOCAL, "--port", str(port), "--json", "--worlds-prefix", self._prefix(number)]
        words += ["--public-url", self.origin, *self._arguments]
        if self._options["journal"]:
            words += ["--journal", journal_of(self._options["journal"], self._prefix(number))]
        command = [sys.executable, "-c", START, *words]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, encoding="utf-8", env=self._environment(), process_group=self._guard.group
        )

    def _environment(self) -> dict[str, str]:
        """That of this process, without what the group does itself, and with the token."""
        own = {f"GIFTSIM_{name.upper()}" for name in (*OWN, "json")}
        kept = {name: value for name, value in os.environ.items() if name not in own}
        if self._options["control_token"]:
            kept["GIFTSIM_CONTROL_TOKEN"] = self._options["control_token"]
        found = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {**kept, "PYTHONPATH": os.pathsep.join(found)}

    def _port_of(self, number: int) -> int:
        """Wait for the first line of a process; its port."""
        output = self._running[number].stdout
        line = output.readline() if output is not None else ""
        if not line:
            raise CannotStart(f"process {self._prefix(number)} did not start")
        return int(json.loads(line)["port"])

    def _start_again(self, number: int, ended: subprocess.Popen[str]) -> None:
        ended.communicate()
        kept = "restores its worlds" if self._options["journal"] else "has lost its worlds (--journal keeps them)"
        click.echo(
            f"process {self._prefix(number)} ended with status {ended.returncode}; it starts again and {kept}", err=True
        )
        self._running[number] = self._started(number, self._ports[number])
        self._port_of(number)

    def _start_proxy(self) -> None:
        folder, host = Path(self._folder.name), f"[{self.host}]" if ":" in self.host else self.host
        bind = f"{host}:{self.port}"
        if self._pem is not None:
            pem = folder / "certificate.pem"
            pem.touch(0o600)
            pem.write_bytes(self._pem)
            bind += f" ssl crt {pem} alpn http/1.1"
        members = [Process(n, LOCAL, port, self._prefix(n), "") for n, port in self._ports.items()]
        (folder / "haproxy.cfg").write_text(configuration(bind, members), encoding="utf-8", newline="\n")
        with (folder / "log").open("w+") as log:
            command = [self._haproxy, "-db", "-q", "-f", "haproxy.cfg"]
            self._proxy = subprocess.Popen(command, cwd=folder, stderr=log, process_group=self._guard.group)
            while not self._listens():
                with suppress(subprocess.TimeoutExpired):
                    self._proxy.wait(0.05)
                if self._proxy.returncode is not None:
                    log.seek(0)
                    raise CannotStart(f"cannot listen on {self.host}:{self.port}: {log.read().strip()[-300:]}")

    def _listens(self) -> bool:
        host = {"0.0.0.0": LOCAL, "::": "::1"}.get(self.host, self.host)
        try:
            socket.create_connection((host, self.port), 1).close()
        except OSError:
            return False
        return self._proxy is not None and self._proxy.poll() is None


def _free_port(host: str, port: int) -> int:
    """The port, or any for 0. CannotStart if it is taken: two HAProxies would share it and its calls."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family) as found:
            return int(found.getsockname()[1])
    except OSError as error:
        raise CannotStart(f"cannot listen on {host}:{port}: {error.strerror}") from None
