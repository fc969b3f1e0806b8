"""The clock of Python processes: what tells the time of the world, and what stays as it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from giftsim.workbench.app_clock.processes import PYTHON_START

STANDS = "1799053200.250\n"  # 2027-01-04T09:00:00.250Z
CASES = {
    "round(time.time() * 1000)": "1799053200250",
    "time.time_ns()": "1799053200250000000",
    "round(time.clock_gettime(time.CLOCK_REALTIME) * 1000)": "1799053200250",
    "time.clock_gettime_ns(time.CLOCK_REALTIME)": "1799053200250000000",
    "time.clock_gettime(time.CLOCK_MONOTONIC) < 1e9": "True",
    "time.gmtime()[:6]": "(2027, 1, 4, 9, 0, 0)",
    "time.gmtime(0)[0]": "1970",
    "time.localtime()[:6]": "(2027, 1, 4, 14, 45, 0)",
    "time.localtime(None)[0]": "2027",
    "time.ctime()": "Mon Jan  4 14:45:00 2027",
    "time.asctime()": "Mon Jan  4 14:45:00 2027",
    "time.asctime(time.gmtime(0))": "Thu Jan  1 00:00:00 1970",
    "time.strftime('%H:%M')": "14:45",
    "time.strftime('%H:%M', time.gmtime(0))": "00:00",
    "datetime.datetime.now()": "2027-01-04 14:45:00.250000",
    "datetime.datetime.now(datetime.timezone.utc)": "2027-01-04 09:00:00.250000+00:00",
    "datetime.datetime.now(tz=None)": "2027-01-04 14:45:00.250000",
    "datetime.datetime.utcnow()": "2027-01-04 09:00:00.250000",
    "datetime.datetime.today()": "2027-01-04 14:45:00.250000",
    "datetime.date.today()": "2027-01-04",
    "type(datetime.datetime.now()) is datetime.datetime": "True",
    "type('Own', (datetime.datetime,), {}).now().__class__.__name__": "Own",
    "type('Clock', (), {'read': time.localtime})().read(0)[0]": "1970",
    "type('Clock', (), {'read': time.time})().read()": "1799053200.25",
    "email.utils.formatdate()": "Mon, 04 Jan 2027 09:00:00 -0000",
    "logging.Formatter().formatTime(logging.makeLogRecord({'created': 0.0, 'msecs': 250}))": "1970-01-01 05:30:00,250",
    "pickle.loads(pickle.dumps(datetime.datetime.now()))": "2027-01-04 14:45:00.250000",
}


def told(program: str, file: Path, *paths: Path) -> str:
    """What a Python program prints whose time is in a file."""
    variables = {
        **os.environ,
        "GIFTSIM_APP_CLOCK_FILE": str(file),
        "PYTHONPATH": os.pathsep.join(map(str, (PYTHON_START, *paths))),
        "PYTHONWARNINGS": "ignore",
        "TZ": "Asia/Kathmandu",
    }
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.rstrip("\n")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "now"
    path.write_text(STANDS)
    return path


def test_all_that_tells_the_time_tells_that_of_the_world(file: Path) -> None:
    modules = "import datetime, email.utils, logging, pickle, time"
    program = "\n".join([modules, *(f"print({case})" for case in CASES)])
    assert dict(zip(CASES, told(program, file).splitlines(), strict=True)) == CASES


def test_each_look_sees_what_the_file_says_and_the_last_once_it_is_gone(file: Path) -> None:
    program = f"""
import os, time
path = {str(file)!r}
for text in ("1799053201.000", "1799139600.5", "nonsense", ""):
    open(path, "w").write(text)
    print(time.time())
os.remove(path)
print(time.time())
"""
    assert told(program, file).split() == [
        "1799053201.0",
        "1799139600.5",
        "1799139600.5",
        "1799139600.5",
        "1799139600.5",
    ]


def test_a_running_clock_is_real_time_with_something_added(file: Path) -> None:
    file.write_text("+1000000\n", encoding="utf-8")
    assert (
        told(
            "import time; print(990_000 < time.time() - os_time() < 1_010_000)".replace(
                "os_time()", "time.time.__wrapped__()"
            ),
            file,
        )
        == "True"
    )


def test_the_users_own_start_runs_too_and_the_path_is_theirs(file: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import time\nprint('own', time.time())\n")
    program = f"import sys, sitecustomize; print({str(PYTHON_START)!r} in sys.path, sitecustomize.__file__)"
    assert told(program, file, tmp_path).splitlines() == [
        "own 1799053200.25",
        f"False {tmp_path / 'sitecustomize.py'}",
    ]


def test_processes_that_it_starts_follow_too(file: Path) -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; print(time.time())'])"
    assert told(program, file) == "1799053200.25"
