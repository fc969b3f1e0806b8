"""What a test run waits for: a first test, a thousand tests, scenarios, plans of explore, and small commands.

In processor time, except where several processes share the work.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figure import Figure, seconds
from benchmarks.workload import serving

ROOT = Path(__file__).parent.parent
FOLDERS = [str(ROOT / "scenarios" / name) for name in ("museum", "partner", "team", "together")]
PLANS = 800
ROUNDS, TIMES = 21, 3  # of what takes a fraction of a second, and of what takes seconds
# As in a user's project: giftsim's plugin alone, and none of this repository's settings.
PYTEST = (sys.executable, "-m", "pytest", "-q", "-c", "pytest.ini", "-p", "no:cacheprovider")
PLUGIN = ("-p", "giftsim_pytest.entry")
PLAIN = ("-p", "empty_plugin")  # pytest searches all packages for a plugin that is named, which a plain run does too
GIFTSIM = (sys.executable, "-c", "from giftsim.cli.main import main; main()")
FILES = {
    "pytest.ini": "[pytest]\n",
    "empty_plugin.py": "",
    "test_plain.py": "def test_plain():\n    pass\n",
    "test_empty.py": """
import pytest

@pytest.mark.parametrize("n", range(1000))
def test_empty(n):
    pass
""",
    "test_first.py": """
ORDER = {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}], "recipients": [{"name": "Bo", "email": "bo@b.co"}]}

def test_first(giftsim, key="first"):
    giftsim.subscribe("team_order.shipped")
    body, headers = {**ORDER, "idempotency_key": key}, giftsim.headers("partner.prepaid")
    order = giftsim.call("POST", "/api/external/team-orders", body=body, headers=headers)
    giftsim.claim(order.json())
    giftsim.advance("10d")
    giftsim.assert_webhook("team_order.shipped", times=1, recipient={"email": "bo@b.co"})
""",
    "test_thousand.py": """
import pytest
from test_first import test_first as walk

@pytest.mark.parametrize("n", range(1000))
def test_one(n, giftsim):
    walk(giftsim, str(n))
""",
}


def figures() -> Iterator[Figure]:
    """The figures of test runs, of scenarios and of a command that asks a simulator."""
    with _project() as folder:
        plain, unused, first = _each(
            folder, ROUNDS, (*PLAIN, "test_plain.py"), (*PLUGIN, "test_plain.py"), (*PLUGIN, "test_first.py")
        )
        yield _over("a run that has the plugin and does not use it, over plain pytest", _more(unused, plain), 0.005)
        yield _over("first test of a run that uses `giftsim`, over plain pytest", _more(first, plain), 0.12)
        empty, thousand = _each(folder, TIMES, (*PLAIN, "test_empty.py"), (*PLUGIN, "test_thousand.py"))
        yield _over("1,000 tests of ten days each, over 1,000 empty tests", _more(thousand, empty), 2)
        [collected] = _each(folder, TIMES, (*PLUGIN, *FOLDERS))
        yield _over("the scenarios by `pytest`", min(collected), 4.5)
        played = min(_processor_s((*GIFTSIM, "play", *FOLDERS), folder) for _ in range(TIMES))
        yield _over("the scenarios by `giftsim play`", played, 3.5)
        span = min(seconds(lambda: _run((*GIFTSIM, "play", "--jobs", "auto", *FOLDERS), folder)) for _ in range(TIMES))
        yield Figure("the scenarios by `giftsim play --jobs auto`", f"{span:.2f} s", "1.5 s or less", span <= 1.5)
        yield _explored(folder)
        yield from _small_commands(folder)


def _over(name: str, span_s: float, most_s: float) -> Figure:
    return Figure(name, f"{span_s:.3f} s", f"{most_s:g} s of processor or less", span_s <= most_s)


def _explored(folder: Path) -> Figure:
    """The plans that `explore` runs in a second, in two processes, each with an app."""
    app = f"{sys.executable} {ROOT / 'examples' / 'shop.py'} {{port}}"
    search = ("explore", "--app", "http://127.0.0.1:9100", "--app-command", app, "--jobs", "2", "--seeds", str(PLANS))
    span = statistics.median(seconds(lambda: _run((*GIFTSIM, *search), folder)) for _ in range(TIMES))
    per_s = PLANS / span
    return Figure("plans that `explore --jobs 2` runs", f"{per_s:.0f}/s", "90/s", per_s >= 90)


def _small_commands(folder: Path) -> Iterator[Figure]:
    """What commands take that ask a simulator, and the help."""
    with serving() as server:
        at = ("--url", f"http://127.0.0.1:{server['port']}")
        commands = [("now", *at), ("orders", *at), ("advance", "1h", *at), ("--help",)]
        runs = [(sys.executable, "-c", ""), *((*GIFTSIM, *command) for command in commands)]
        rounds = [[_processor_s(run, folder) for run in runs] for _ in range(15)]
    bare, *spans = map(statistics.median, zip(*rounds, strict=True))
    for command, span in zip(commands, spans, strict=True):
        yield Figure(f"`giftsim {command[0]}`", f"{span * 1000:.0f} ms", "8 bare Pythons or less", span <= 8 * bare,
                     "bare Python", span / bare)  # fmt: skip


def _each(folder: Path, times: int, *runs: tuple[str, ...]) -> list[tuple[float, ...]]:
    """The seconds of the processor that each run takes, in rounds in which each has its turn."""
    rounds = [[_processor_s((*PYTEST, *run), folder) for run in runs] for _ in range(times)]
    return list(zip(*rounds, strict=True))


def _more(spans: Sequence[float], others: Sequence[float]) -> float:
    """The median of what one run takes more than another of the same round."""
    return statistics.median([span - other for span, other in zip(spans, others, strict=True)])


def _processor_s(command: tuple[str, ...], folder: Path) -> float:
    """The seconds of the processor that a command takes, which must succeed."""
    before = _used_s()
    _run(command, folder)
    return _used_s() - before


def _run(command: tuple[str, ...], folder: Path) -> None:
    path = os.pathsep.join((str(ROOT / "simulator"), str(ROOT)))
    environment = {
        **os.environ,
        "PYTHONPATH": path,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder),  # it reads sources of a checkout once, and of a package never
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def _used_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _project() -> Iterator[Path]:
    """A folder with the files of the runs."""
    with TemporaryDirectory() as name:
        for file, text in FILES.items():
            Path(name, file).write_text(text, encoding="utf-8")
        yield Path(name)
