"""How long a newcomer waits: from a fresh clone, with empty caches of packages, to what the README promises.

`python -m tools bench newcomer --write`. It needs the index of packages, so it runs only by its name.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.figure import Figure
from tests.docs.pages import ROOT, page
from tests.support.free_ports import free_ports
from tests.support.python_tools import clean_environment

TIMES = 3
ANSWER_S, WEBHOOK_S, TEST_S = 12, 15, 30
PATIENCE_S = 600
PYTHON = Path(sys.base_prefix, "bin", "python3")
TUTORIAL = ROOT / "docs" / "tutorials" / "first-webhook.md"
PORT, RECEIVER_PORT = "8080", "9000"  # those of the tutorial
GENUINE = "genuine team_order.shipped"


class Clone(NamedTuple):
    """The seconds since the clone began: until the first answer, and until the tutorial's webhook was verified."""

    answer_s: float
    webhook_s: float


def figures() -> Iterator[Figure]:
    """Three waits, each the median of three walks."""
    walks = [walk_from_clone() for _ in range(TIMES)]
    yield figure("clone to the first answer (`make run`)", [walk.answer_s for walk in walks], ANSWER_S)
    yield figure("clone to the first webhook, by the tutorial", [walk.webhook_s for walk in walks], WEBHOOK_S)
    name = "`pip install` into an empty project to a passing test"
    yield figure(name, [walk_from_pip() for _ in range(TIMES)], TEST_S)


def walk_from_clone() -> Clone:
    """Clone the checkout, `make run`, and paste the blocks of the first tutorial."""
    with _fresh() as (folder, environment):
        port, receiver = str(free_ports(1)), str(free_ports(1))
        script = "\n".join(block.code for block in page(TUTORIAL).blocks("sh test"))
        script = "trap 'kill $RECEIVER 2> /dev/null || true' EXIT\n" + script.replace(PORT, port).replace(
            RECEIVER_PORT, receiver
        )
        began = time.monotonic()
        clone = _clone(folder, environment)
        make = ["make", "run", f"PYTHON={PYTHON}", f"ARGS=serve --port {port}"]
        with _running(make, clone, environment) as process:
            _await_answer(f"http://127.0.0.1:{port}/_sim/v1/health", process)
            answer_s = time.monotonic() - began
            printed = _call(["bash", "-eu", "-c", script], clone, environment)
            webhook_s = time.monotonic() - began
        if GENUINE not in printed:
            raise RuntimeError(f"the tutorial's receiver printed no webhook:\n{printed}")
        return Clone(answer_s, webhook_s)


def walk_from_pip() -> float:
    """The seconds from `pip install` into a new environment until the README's test has passed."""
    with _fresh() as (folder, environment):
        clone, project = _clone(folder, environment), folder / "project"
        project.mkdir()
        _call([PYTHON, "-m", "venv", ".venv"], project, environment)
        [test] = page(ROOT / "README.md").blocks("python pytest")
        (project / "test_mug.py").write_text(test.code, encoding="utf-8")
        began = time.monotonic()
        _call([".venv/bin/pip", "install", "-q", f"{clone}[pytest]", "requests"], project, environment)
        _call([".venv/bin/pytest", "-q"], project, environment)
        return time.monotonic() - began


@contextmanager
def _fresh() -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder of a newcomer's own, and a shell whose caches are empty folders in it."""
    with tempfile.TemporaryDirectory(prefix="newcomer-") as name:
        folder = Path(name)
        places = {"XDG_CACHE_HOME": "cache", "PIP_CACHE_DIR": "cache/pip", "UV_CACHE_DIR": "cache/uv"}
        own = {variable: str(folder / place) for variable, place in (places | {"GIFTSIM_STATE": "state"}).items()}
        shell = {name: value for name, value in clean_environment().items() if not name.startswith(("MAKE", "MFLAGS"))}
        yield folder, shell | own


def _clone(folder: Path, environment: dict[str, str]) -> Path:
    """A clone of this checkout as it was committed; nothing is linked to it."""
    _call(["git", "clone", "-q", "--no-local", "--depth", "1", f"file://{ROOT}", "giftsim"], folder, environment)
    return folder / "giftsim"


def _call(command: list[str | Path], folder: Path, environment: dict[str, str]) -> str:
    """What a program prints. RuntimeError with that if it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment, text=True, timeout=PATIENCE_S, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


@contextmanager
def _running(command: list[str], folder: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A program that ends, with all that it started, at the end of the block."""
    log = (folder / "run.log").open("wb")
    with log, subprocess.Popen(
        command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGTERM)


def _await_answer(url: str, process: subprocess.Popen[bytes]) -> None:
    """Return once a server answers. RuntimeError if its program ends or takes too long."""
    until = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("`make run` gave no answer")


def figure(name: str, spans: list[float], most_s: int) -> Figure:
    """The median of some walks, with the shortest and the longest."""
    median = statistics.median(spans)
    others = f"{min(spans):.1f} to {max(spans):.1f} s in {len(spans)} walks"
    return Figure(name, f"{median:.1f} s", f"{most_s} s or less", median <= most_s, others)
