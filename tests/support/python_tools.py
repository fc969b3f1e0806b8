"""Tools from the Python package index that tests in `tests/ecosystem` use, and the interpreters of this machine.

Tools are installed once per state of their lock file and kept in `.cache`.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from tests.support.served_simulator import ROOT
from tests.support.tools import REQUIRED
from tools.set_up import Installer, NotSetUp

CACHE = ROOT / ".cache" / "python"
INSTALLERS = ROOT / "tests" / "ecosystem" / "installers" / "requirements.lock"  # uv and pipx
OLDEST, NEWEST = 11, 19  # of Python 3
WITHOUT = ("PYTHON", "PYTEST", "VIRTUAL_ENV", "GIFTSIM", "PIPX", "UV_")
UNREACHABLE = ("NewConnectionError", "Temporary failure in name resolution", "Network is unreachable", "ConnectTimeout")


def clean_environment(**more: str) -> dict[str, str]:
    """The variables of a user's shell: none of pytest, of an active environment or of giftsim."""
    return {name: value for name, value in os.environ.items() if not name.startswith(WITHOUT)} | more


def installed_tools(lock: Path) -> Path:
    """The folder with the programs of a lock file. Where the package index cannot be reached, the test is skipped."""
    folder = CACHE / sha256(lock.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not (folder / ".complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _install(lock, folder)
            (folder / ".complete").touch()
    return folder / "bin"


def _install(lock: Path, folder: Path) -> None:
    installer = Installer()
    try:
        installer.begin(folder)
        installer.install(folder, "--require-hashes", "-r", lock)
    except NotSetUp as error:
        if REQUIRED not in os.environ and any(word in str(error) for word in UNREACHABLE):
            pytest.skip("the package index cannot be reached from this machine")
        raise


def build_wheel(folder: Path) -> Path:
    """Build the wheel, as `make dist` does."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    [built] = folder.glob("*.whl")
    return built


@cache
def interpreters() -> dict[str, str]:
    """An interpreter for each version of Python that giftsim runs on and this machine has, by `3.11` and so on."""
    found: dict[str, str] = {}
    for minor in range(OLDEST, NEWEST + 1):
        name = f"3.{minor}"
        homes = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{name}.*/bin/python"))
        for path in (*map(str, homes), shutil.which(f"python{name}")):
            if path is not None and name not in found and _version(path) == name:
                found[name] = path
    return found


def _version(python: str) -> str:
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.strip()
