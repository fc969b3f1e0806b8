"""`tools/set_up.py`, run as make runs it: by uv where that can be had, else by pip. Needs the index of packages."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.python_tools import clean_environment
from tests.support.served_simulator import ROOT

PACKAGE = "itsdangerous"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the program, the lock of uv, and one package to install."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "set_up.py", tmp_path / "tools")
    (tmp_path / "locks").mkdir()
    shutil.copy(ROOT / "locks" / "uv.lock", tmp_path / "locks")
    lines = (ROOT / "locks" / "run.lock").read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(f"{PACKAGE}=="))
    pin = [lines[first], *(line for line in lines[first + 1 : first + 4] if "--hash" in line)]
    (tmp_path / "locks" / "docs.lock").write_text("\n".join(pin) + "\n", encoding="utf-8")
    return tmp_path


def set_up(checkout: Path) -> subprocess.CompletedProcess[str]:
    """Set up the environment for the documentation."""
    command = [sys.executable, "tools/set_up.py", "docs"]
    environment = clean_environment()
    return subprocess.run(
        command, cwd=checkout, capture_output=True, text=True, timeout=300, check=False, env=environment
    )


def has_package(checkout: Path) -> bool:
    """Whether the environment has the package."""
    command = [str(checkout / ".venv" / "bin" / "python"), "-c", f"import {PACKAGE}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_uv_installs_and_a_second_time_is_not_fetched_again(checkout: Path) -> None:
    first = set_up(checkout)
    assert first.returncode == 0, first.stdout + first.stderr
    assert [line.split()[0] for line in first.stdout.splitlines()] == ["an", "uv,", "what"]
    assert has_package(checkout)
    assert not (checkout / ".venv" / "bin" / "pip").exists()
    again = set_up(checkout)
    assert [line.split()[0] for line in again.stdout.splitlines()] == ["what"]


def test_where_uv_cannot_be_had_pip_installs(checkout: Path) -> None:
    lock = checkout / "locks" / "uv.lock"
    lock.write_text(f"uv==0.0.1 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    done = set_up(checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "uv cannot be had, so pip installs (" in done.stdout
    assert has_package(checkout)


def test_a_file_with_another_hash_is_refused_and_named(checkout: Path) -> None:
    lock = checkout / "locks" / "docs.lock"
    first = lock.read_text(encoding="utf-8").split()[0]
    lock.write_text(f"{first} --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    done = set_up(checkout)
    assert done.returncode == 1
    assert PACKAGE in done.stderr
    assert done.stderr.endswith("The environment could not be set up.\n")
    assert not has_package(checkout)
