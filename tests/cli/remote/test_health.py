"""`giftsim wait`, also when it asks once: an exit status, one line, and no more modules than they need."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator, __version__
from giftsim.cli.main import main
from tests.support.http_receiver import HttpReceiver, http_receiver
from tests.support.served_simulator import ROOT, PythonProcess, serve_simulator

HEAVY = ("giftsim.build", "giftsim.engine.gateway", "giftsim.testing", "msgspec", "yaml", "waitress", "asyncio")
ONCE = ("wait", "--timeout", "0")
NONE: dict[str, str | None] = {f"GIFTSIM_{name}": None for name in ("URL", "HOST", "PORT", "CONTROL_TOKEN")}


def run(*arguments: str, **env: str) -> Result:
    """Run a command with these variables and no others of giftsim's."""
    return CliRunner(env={**NONE, **env}).invoke(main, arguments)


@contextmanager
def silent_port() -> Iterator[int]:
    """A port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_health_of_a_simulator_that_answers(address: tuple[Simulator, str]) -> None:
    _, url = address
    result = run(*ONCE, "--url", url)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"giftsim {__version__} is ready at {url}, worlds: ")
    assert result.stdout.count("\n") == 1
    assert run(*ONCE, GIFTSIM_URL=url).exit_code == 0
    assert run("wait", "--url", url).stdout == result.stdout


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::", ""])
def test_health_looks_where_the_same_environment_lets_a_simulator_listen(
    address: tuple[Simulator, str], host: str
) -> None:
    port = address[1].rpartition(":")[2]
    for command in (ONCE, ("now",)):
        result = run(*command, GIFTSIM_PORT=port, GIFTSIM_HOST=host)
        assert result.exit_code == 0, result.output


def test_health_where_nothing_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = f"http://127.0.0.1:{taken.getsockname()[1]}"
    result = run(*ONCE, "--url", free)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"no simulator answers at {free}: Connection refused\n"
    assert run("wait", "--url", free, "--timeout", "0.2").stderr == result.stderr
    assert run("wait", "--url", free, "--timeout", "0.2").exit_code == 1
    with silent_port() as port:
        result = run(*ONCE, "--url", f"http://127.0.0.1:{port}")
        assert (result.exit_code, result.stderr) == (
            1,
            f"nothing answers at http://127.0.0.1:{port} within 2 seconds\n",
        )


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\nhello", "is not giftsim (HTTP 200)"),
        (b'HTTP/1.1 200 OK\r\n\r\n{"status": "fine"}', "is not giftsim (HTTP 200)"),
        (b"220 mail.example ESMTP\r\n", "it does not speak HTTP"),
    ],
)
def test_health_of_something_else(answer: bytes, line: str) -> None:
    def behave(connection: socket.socket, _: HttpReceiver) -> None:
        connection.recv(65536)
        connection.sendall(answer)

    with http_receiver(behave) as other:
        result = run(*ONCE, "--url", f"http://127.0.0.1:{other.port}")
    assert (result.exit_code, result.stdout) == (1, "")
    assert line in result.stderr


def test_health_with_a_token() -> None:
    with serve_simulator("--fixture", "bare", "--control-token", "hush") as served:
        url = served.banner["origin"]
        assert "is ready at" in run(*ONCE, "--url", url, GIFTSIM_CONTROL_TOKEN="hush").stdout
        result = run(*ONCE, "--url", url)
        assert (result.exit_code, "wants another token (unauthorized)" in result.stdout) == (0, True), result.output
        result = run(*ONCE, "--url", url.replace("127.0.0.1", "localhost"), GIFTSIM_CONTROL_TOKEN="hush")
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize("url", ["127.0.0.1:8080", "ftp://a.example", "http://a@b", "http://a:x", "http://a/b"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    for command in ("wait", "now"):
        assert "--url" in run(command, "--url", url).stderr
        result = run(command, GIFTSIM_URL=url)
        assert (result.exit_code, "GIFTSIM_URL" in result.stderr) == (2, True), result.output


def test_wait_waits_until_a_simulator_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
    results = []
    waiting = threading.Thread(
        target=lambda: results.append(
            subprocess.run(
                [sys.executable, "run_sim.py", "wait", "--url", f"http://127.0.0.1:{port}"],
                cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
            )
        )
    )  # fmt: skip
    waiting.start()
    process = PythonProcess("run_sim.py", "--port", port, "--json", "--fixture", "bare")
    process.line()
    waiting.join(60)
    assert process.end() == (0, "")
    assert (results[0].returncode, "is ready at" in results[0].stdout) == (0, True)


def test_health_imports_little() -> None:
    code = (
        "import sys; from giftsim.cli.main import main\n"
        "try: main(['wait', '--timeout', '0', '--url', 'http://127.0.0.1:1'])\n"
        f"except SystemExit: print([name for name in {HEAVY} if name in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT / "simulator")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"
