"""The plugin that fails a run in which a test dials anything but loopback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.watched_process.socket_watch import VARIABLE, is_local_address, is_local_name

ROOT = Path(__file__).parents[1]
PLUGINS = ("-p", "tests.support.loopback_only", "-p", "no:cacheprovider")
TESTS = """
    import socket
    import subprocess
    import sys
    import threading
    from contextlib import suppress

    def test_connection():
        with suppress(Exception):
            socket.create_connection(("192.0.2.1", 9))

    def test_name_in_a_thread():
        def look_up():
            with suppress(Exception):
                socket.getaddrinfo("giftsim.invalid", 80)

        thread = threading.Thread(target=look_up)
        thread.start()
        thread.join()

    def test_datagram():
        with suppress(Exception), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"x", ("203.0.113.7", 53))

    def test_process():
        dial = "import socket; socket.create_connection(('198.51.100.7', 9))"
        run = subprocess.run([sys.executable, "-c", dial], capture_output=True)
        assert b"tests dial only this machine" in run.stderr

    def test_loopback():
        with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
            client.connect(("localhost", server.getsockname()[1]))
        first, second = socket.socketpair()
        first.sendall(b"x")
        first.close()
        second.close()
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of its own, with tests that dial and one that does not."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.delenv(VARIABLE, raising=False)
    pytester.makeini("[pytest]\ntestpaths = .\n")
    pytester.makepyfile(test_dialling=TESTS)
    return pytester


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "1")], ids=["one process", "a worker"])
def test_a_run_that_dials_outside_fails_and_names_each_test(project: pytest.Pytester, workers: tuple[str, ...]) -> None:
    result = project.runpytest_subprocess(*PLUGINS, *workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=5)  # they hide it, and the run fails all the same
    named = [line for line in result.outlines if line.startswith("test_dialling.py::")]
    assert [line for line in named if "::test_" in line and ": socket." in line] == [
        "test_dialling.py::test_connection: socket.connect ('192.0.2.1', 9)",
        "test_dialling.py::test_name_in_a_thread: socket.getaddrinfo 'giftsim.invalid'",
        "test_dialling.py::test_datagram: socket.sendto ('203.0.113.7', 53)",
        "test_dialling.py::test_process: socket.connect ('198.51.100.7', 9)",
    ]


def test_a_run_that_stays_on_this_machine_passes(project: pytest.Pytester) -> None:
    result = project.runpytest_subprocess(*PLUGINS, "-k", "loopback")
    assert result.ret == pytest.ExitCode.OK
    assert "dialled outside" not in result.stdout.str()


@pytest.mark.parametrize(
    "host", ["", "localhost", "127.0.0.1", b"127.0.0.1", "::1", "10.0.0.1", "0.0.0.0", None, "fe80::1%lo"]
)
def test_literal_addresses_and_localhost_are_looked_up_without_a_name_server(host: object) -> None:
    assert is_local_name(host)


@pytest.mark.parametrize(
    "host", ["localhost.example.org", "app", "127.0.0.1.example.org", "169.254.169.254", "10.0.0.1"]
)
def test_other_places_are_not_dialled(host: str) -> None:
    assert not is_local_address((host, 80))


@pytest.mark.parametrize(
    "address", ["/run/socket", b"\0socket", None, ("127.9.9.9", 1), ("::1", 1, 0, 0), ("localhost", 1)]
)
def test_sockets_of_this_machine_are_dialled(address: object) -> None:
    assert is_local_address(address)
