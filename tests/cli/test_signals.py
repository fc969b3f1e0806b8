"""Signals to a command that runs a program: they reach the program, and what was gathered is kept."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.served_simulator import ROOT
from tests.support.waiting import wait_until
from tests.system.test_clean_stop import FirstProcess, needs_namespaces

GIFTSIM = (sys.executable, str(ROOT / "run_sim.py"))
ORDERS = "/api/external/team-orders"
TIMEOUT_S = 60
# It makes a call, and waits for a signal, at which it ends with the status of its first word, if there is one.
PROGRAM = f"""
import os, signal, sys, threading, urllib.request
numbers = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
seen = []
def end(number, _):
    seen.append(signal.Signals(number).name)
    print("seen", *seen, flush=True)
    if number != signal.SIGINT or "once" not in sys.argv:
        sys.exit(int(sys.argv[1]))
for number in numbers:
    signal.signal(number, end if len(sys.argv) > 1 else signal.SIG_DFL)
key = {{"Authorization": "Bearer " + os.environ["GIFTSIM_PARTNER_PREPAID"]}}
url = os.environ["GIFTSIM_URL"] + "{ORDERS}"
urllib.request.build_opener(urllib.request.ProxyHandler({{}})).open(urllib.request.Request(url, headers=key)).read()
print("started", os.getpid(), flush=True)
if "passes" in sys.argv:
    sys.exit(0)
threading.Event().wait()
"""
COMMANDS = {
    "run": ["run", "--route", "http://gifts.vendor.example=partner.prepaid"],
    "record": ["run", "--record", "recording.yaml"],
    "assumptions": ["run", "--assumptions"],
}


@contextmanager
def launched(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`giftsim WORDS` in a folder with the program; all output is in one pipe."""
    (folder / "app.py").write_text(PROGRAM)
    with subprocess.Popen(
        [*GIFTSIM, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder,
        env={**os.environ, "GIFTSIM_STATE": str(folder / "state")}, start_new_session=True,
    ) as giftsim:  # fmt: skip
        try:
            yield giftsim
        finally:
            giftsim.kill()


@contextmanager
def started(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The same, when its program has made its call; and the program."""
    with launched(folder, *words) as giftsim:
        yield giftsim, number_of_program(giftsim)


def number_of_program(giftsim: subprocess.Popen[str]) -> int:
    """Wait until the program has made its call; the number of its process."""
    assert giftsim.stdout
    seen, limit = [], threading.Timer(TIMEOUT_S, giftsim.kill)
    limit.start()
    try:
        for line in giftsim.stdout:
            seen.append(line)
            if line.startswith("started "):
                return int(line.split()[1])
    finally:
        limit.cancel()
    raise AssertionError("".join(seen))


def has_ended(process: int) -> bool:
    """Whether a process has ended, also if nobody has buried it yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_signal_reaches_the_program_whose_status_counts(command: str, number: signal.Signals, tmp_path: Path) -> None:
    with started(tmp_path, *COMMANDS[command], "--", sys.executable, "app.py", "7") as (giftsim, program):
        giftsim.send_signal(number)
        output, _ = giftsim.communicate(timeout=TIMEOUT_S)
        assert giftsim.returncode == 7, output
        assert f"seen {number.name}\n" in output
        assert has_ended(program)
    check_what_was_gathered(command, output, tmp_path)


def check_what_was_gathered(command: str, output: str, folder: Path) -> None:
    if command == "run":
        assert "giftsim: nothing called http://gifts.vendor.example" in output
    elif command == "record":
        assert (
            f"GET: {ORDERS}" in (folder / "recording.yaml").read_text()
            or ORDERS in (folder / "recording.yaml").read_text()
        )
    else:
        assert "giftsim: wrote .giftsim/assumptions.json" in output
        assert json.loads((folder / ".giftsim" / "assumptions.json").read_text())["leaning"] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_program_that_the_signal_ends_gives_its_number_as_the_status(command: str, tmp_path: Path) -> None:
    with started(tmp_path, *COMMANDS[command], "--", sys.executable, "app.py") as (giftsim, _):
        giftsim.terminate()
        output, _ = giftsim.communicate(timeout=TIMEOUT_S)
        assert giftsim.returncode == 128 + signal.SIGTERM, output
    check_what_was_gathered(command, output, tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_stays_of_what_a_killed_command_has_started(command: str, tmp_path: Path) -> None:
    words = [*COMMANDS[command], "--", "sh", "-c", f"{sys.executable} app.py; true"]
    with started(tmp_path, *words) as (giftsim, program):
        parent = int(Path(f"/proc/{program}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
        giftsim.kill()
        giftsim.wait(TIMEOUT_S)
        wait_until(lambda: has_ended(program) and has_ended(parent))


def test_a_search_for_assumptions_that_is_stopped_tells_what_it_has_found(tmp_path: Path) -> None:
    """The first run calls and passes, and each later one waits."""
    program = f"{sys.executable} app.py"
    script = f"test -e first && echo $$ > second && exec {program} 7; touch first; {program} passes"
    with launched(tmp_path, "assumptions", "--", "sh", "-c", script) as giftsim:
        second = tmp_path / "second"
        wait_until(lambda: second.exists() and bool(second.read_text().strip()))
        giftsim.terminate()
        output, _ = giftsim.communicate(timeout=TIMEOUT_S)
        assert giftsim.returncode == 128 + signal.SIGTERM, output
        assert has_ended(int(second.read_text()))
    assert "giftsim: stopped by a signal" in output
    assert (tmp_path / ".giftsim" / "assumptions.json").exists()


IN_A_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def test_ctrl_c_in_a_terminal_reaches_the_program_once(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(PROGRAM)
    terminal, other_end = pty.openpty()
    words = [sys.executable, "-c", IN_A_TERMINAL, GIFTSIM[1], "run", "--", sys.executable, "app.py", "7", "once"]
    with subprocess.Popen(words, stdin=other_end, stdout=other_end, stderr=other_end, cwd=tmp_path) as giftsim:
        os.close(other_end)
        read_until(terminal, "started")
        os.write(terminal, b"\x03")
        shown = read_until(terminal, "seen SIGINT")
        giftsim.terminate()
        shown += read_until(terminal, "SIGTERM")
        assert "seen SIGINT SIGTERM" in shown
        assert giftsim.wait(TIMEOUT_S) == 7
    os.close(terminal)


def read_until(terminal: int, text: str) -> str:
    shown = ""
    with suppress(OSError):
        while text not in shown:
            assert select.select([terminal], [], [], TIMEOUT_S)[0], f"no {text} after {shown}"
            shown += os.read(terminal, 4096).decode()
    return shown


def test_it_passes_signals_on_as_the_first_process_of_a_container_too(tmp_path: Path) -> None:
    needs_namespaces()
    (tmp_path / "app.py").write_text(PROGRAM)
    first = FirstProcess("run_sim.py", "run", "--quiet", "--", sys.executable, str(tmp_path / "app.py"), "7")
    assert first.line().startswith("started ")
    os.kill(first.pid, signal.SIGTERM)
    assert first.child.wait(TIMEOUT_S) == 7
    first.end()


def test_a_command_that_handles_no_signals_ends_as_the_first_process_too() -> None:
    needs_namespaces()
    first = FirstProcess("run_sim.py", "wait", "--url", "http://127.0.0.1:1", "--timeout", "600")
    command = Path(f"/proc/{first.pid}/status")
    wait_until(lambda: handles(command, signal.SIGTERM))
    os.kill(first.pid, signal.SIGTERM)
    assert first.child.wait(TIMEOUT_S) == 128 + signal.SIGTERM
    first.end()


def handles(status: Path, number: int) -> bool:
    """Whether a process has a handler for a signal."""
    caught = next(
        line.split()[1] for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("SigCgt")
    )
    return bool(int(caught, 16) >> (number - 1) & 1)
