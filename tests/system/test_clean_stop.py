"""How the server stops: calls in progress are answered, the journal file is closed; also as the first process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from tests.support.served_simulator import TIMEOUT_S, PythonProcess, ServedSimulator, serve_simulator
from tests.support.waiting import wait_until

CLIENTS = 6
UNSHARE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]


class FirstProcess(PythonProcess):
    """A Python program that is process 1 of its own namespace; signals go to it."""

    command = (*UNSHARE, sys.executable)

    @property
    def pid(self) -> int:
        """Its number outside the namespace."""
        children = Path(f"/proc/{self.child.pid}/task/{self.child.pid}/children")
        wait_until(lambda: bool(children.read_text(encoding="utf-8").split()))
        return int(children.read_text(encoding="utf-8").split()[0])


def needs_namespaces() -> None:
    """Skip a test where no process may have its own namespace."""
    if (
        shutil.which("unshare") is None
        or subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this machine does not let a process have its own namespace (unshare --user --pid)")


@contextmanager
def clients_that_order(served: ServedSimulator, answers: list[int]) -> Iterator[threading.Event]:
    """Clients that create orders one after the other until the server is gone, and note the status of each answer."""
    under_way, world = threading.Event(), "default"
    key = {"Authorization": f"Bearer pk_live_{world}_prepaid"}
    order = {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}], "recipients": [{"name": "Bo", "email": "a@b.co"}]}

    def call(client: int) -> None:
        with suppress(OSError, HTTPException):
            for n in range(10_000):
                body = {**order, "idempotency_key": f"{client}-{n}"}
                answers.append(served.client.call("POST", "/api/external/team-orders", body=body, headers=key).status)
                if len(answers) > 3 * CLIENTS:
                    under_way.set()

    threads = [threading.Thread(target=call, args=(client,), daemon=True) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    yield under_way
    for thread in threads:
        thread.join(TIMEOUT_S)


def test_every_call_that_it_worked_on_is_answered(tmp_path: Path) -> None:
    options = ("--journal", str(tmp_path / "worlds.journal"), "--fixture", "empty", "--clock", "manual")
    process = PythonProcess("run_sim.py", "--port", "0", "--json", *options)
    answers: list[int] = []
    with clients_that_order(ServedSimulator(process), answers) as under_way:
        assert under_way.wait(TIMEOUT_S)
        process.child.send_signal(signal.SIGTERM)
        assert process.child.wait(TIMEOUT_S) == 0
    assert process.end() == (0, "")
    assert set(answers) <= {201, 402}
    with serve_simulator(*options) as again:
        calls = again.client.call("GET", "/_sim/v1/worlds/default").json()["counts"]
        assert calls["calls"] == len(answers), calls


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_stops_as_the_first_process(ending: signal.Signals, tmp_path: Path) -> None:
    needs_namespaces()
    options = ("--journal", str(tmp_path / "worlds.journal"), "--fixture", "bare", "--clock", "manual")
    process = FirstProcess("run_sim.py", "--port", "0", "--json", *options)
    ServedSimulator(process).world(id="kept")
    os.kill(process.pid, ending)
    assert process.child.wait(TIMEOUT_S) == 0
    assert process.end() == (0, "")
    with serve_simulator(*options) as again:
        assert again.client.call("GET", "/_sim/v1/worlds/kept").status == 200


def test_it_stops_as_the_first_process_while_it_starts() -> None:
    needs_namespaces()
    process = FirstProcess("run_sim.py", "--port", "0", "--json")
    status = Path(f"/proc/{process.pid}/status")
    term = 1 << (signal.SIGTERM - 1)
    wait_until(lambda: bool(int(status.read_text(encoding="utf-8").partition("SigCgt:\t")[2].split()[0], 16) & term))
    os.kill(process.pid, signal.SIGTERM)
    assert process.child.wait(TIMEOUT_S) == 0
    assert process.end() == (0, "")


def test_the_first_process_leaves_no_zombies() -> None:
    needs_namespaces()
    process = FirstProcess("run_sim.py", "--port", "0", "--json", "--fixture", "bare")
    ServedSimulator(process)
    orphaned = "import os, sys\nif os.fork() == 0:\n    sys.stdin.read(); os._exit(3)\nprint('left')"
    enter = ["nsenter", "--target", str(process.pid), "--user", "--pid", "--preserve-credentials"]
    child = subprocess.Popen(
        [*enter, sys.executable, "-c", orphaned], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin
    assert child.stdout
    assert child.stdout.readline() == "left\n"
    assert child.wait(TIMEOUT_S) == 0
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    assert len(children.read_text(encoding="utf-8").split()) == 1, "the orphan is the first process's"
    child.stdin.close()
    child.stdout.close()
    wait_until(lambda: children.read_text(encoding="utf-8").split() == [])
    os.kill(process.pid, signal.SIGTERM)
    assert process.end() == (0, "")
