"""The tests in other environments than that of `make test`: other Pythons, and the lowest versions of packages.

    python -m tools lowest [PYTEST ARGUMENTS]   `make test` with locks/lowest.lock
    python -m tools pythons [PYTEST ARGUMENTS]  tests of what differs between Pythons, with 3.12 and 3.13
    python -m tools.environments here           the same tests, with the environment of `make test`

An environment lies in .cache/environments and is brought up to its lock each time. A Python is `pythonX.Y`, or pyenv's,
or one that uv installs in .cache/pythons. One that cannot be had is left out, loudly.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools import set_up
from tools.locks import LOWEST, TEST

ROOT = set_up.ROOT
ENVIRONMENTS = ROOT / ".cache" / "environments"
PYTHONS = ROOT / ".cache" / "pythons"
VERSION = re.compile(r"\d+\.\d+")
# What another Python or system could change: its syntax, its standard library, threads, sockets and pytest.
OF_A_PYTHON = (
    "kernel", "domain", "interfaces", "webhooks", "worlds", "gateway", "server", "courier", "testing", "verify", "cli",
)  # fmt: skip
HERE = "here"
# What a test file says that uses what Windows lacks: shells, signals, terminals, modes and links of files.
POSIX = re.compile(
    r"^(import|from) (fcntl|resource|pwd|termios|pty)\b|/bin/sh|shell=True"
    r"|os\.kill|SIG(KILL|HUP|INT|TERM)|chmod|symlink|st_mode",
    re.MULTILINE,
)
SOME_FAILED = 1  # pytest's exit status
# Pages that say what the present versions print: licences, and help.
OF_PRESENT_VERSIONS = (
    "tests/docs/test_generated_tables.py::test_every_table_is_up_to_date",
    "tests/tools/test_audit.py::test_the_page_lists_the_licences_of_all_that_users_install",
)


def python_of(version: str) -> str | None:
    """The program of a version of Python; None if this machine has none."""
    kept = sorted(Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob(f"versions/{version}.*/bin/python"))
    for program in [*map(str, reversed(kept)), shutil.which(f"python{version}")]:
        if program and subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0:
            return program
    return installed_python(version)


def installed_python(version: str) -> str | None:
    """A Python that uv installs for this checkout; None if uv or its host cannot be reached."""
    installer = set_up.Installer()
    installer.begin(set_up.VENV)
    if installer.uv is None:
        return None
    try:
        set_up.call(installer.uv, "python", "install", "--no-bin", "--install-dir", PYTHONS, version)
    except set_up.NotSetUp as error:
        print(f"uv cannot install Python {version}: {set_up.first_line(error)}", file=sys.stderr)
        return None
    return next(map(str, sorted(PYTHONS.glob(f"*-{version}.*/bin/python"))), None)


def environment(label: str, python: str, lock: Path) -> Path:
    """The Python of an environment with what a lock pins, and giftsim from this checkout. NotSetUp."""
    venv = ENVIRONMENTS / label
    if not set_up.python_in(venv).exists():
        set_up.call(python, "-m", "venv", "--without-pip", venv)
    installer = set_up.Installer()
    installer.begin(venv)
    with set_up.step(f"{label}: what tests need"):
        installer.install(venv, "--no-deps", "--require-hashes", "-r", lock)
        installer.install(venv, "--no-deps", "--no-build-isolation", "-e", ROOT)
        # Once, and not by each of the processes that tests start.
        compiler = [str(set_up.python_in(venv)), "-m", "compileall", "-qq", "-j", "0", str(venv), f"{ROOT}/simulator"]
        subprocess.run(compiler, check=False)  # a package may carry templates of programs
    return set_up.python_in(venv)


def of_posix(folders: list[str]) -> list[str]:
    """The test files in folders that Windows cannot run."""
    found = sorted(path for folder in folders for path in (ROOT / folder).rglob("test_*.py"))
    return [path.relative_to(ROOT).as_posix() for path in found if POSIX.search(path.read_text(encoding="utf-8"))]


def run_tests(label: str, python: str, lock: Path, tests: list[str]) -> int:
    """Run tests in an environment, and once more what fails beside others. The status of pytest."""
    own = set_up.python_in(set_up.VENV) if label == HERE else environment(label, python, lock)
    print(f"{label}: {' '.join(tests)}", flush=True)
    kept = ["-o", f"cache_dir={ENVIRONMENTS / label / 'pytest'}"]
    command = [str(own), "-m", "pytest", "-n", "3", "--dist", "worksteal", *kept, *tests]
    environ = {**os.environ, "PATH": f"{own.parent}{os.pathsep}{os.environ['PATH']}"}
    status = subprocess.run(command, cwd=ROOT, env=environ, check=False).returncode
    if status == SOME_FAILED:
        command += ["--last-failed", "--last-failed-no-failures", "none"]
        status = subprocess.run(command, cwd=ROOT, env=environ, check=False).returncode
    return status


def main(arguments: list[str]) -> int:
    """Run what the arguments name; the number of environments in which a test failed."""
    names = [each for each in arguments if each in ("lowest", HERE) or VERSION.fullmatch(each)]
    more, failed = [each for each in arguments if each not in names], 0
    if not names:
        print(__doc__)
        return 2
    for label in names:
        python = sys.executable if label in ("lowest", HERE) else python_of(label)
        if python is None:
            print(f"Python {label} cannot be had on this machine: its tests are left out", file=sys.stderr)
        elif label == "lowest":
            left_out = [f"--deselect={test}" for test in OF_PRESENT_VERSIONS]
            failed += run_tests(label, python, LOWEST, [*left_out, *more]) != 0
        else:
            folders = [f"tests/{each}" for each in OF_A_PYTHON]
            left_out = of_posix(folders) if sys.platform == "win32" else []
            print("".join(f"{path} needs what Windows lacks: left out\n" for path in left_out), end="", file=sys.stderr)
            failed += (
                run_tests(label, python, TEST, more or [*folders, *(f"--ignore={path}" for path in left_out)]) != 0
            )
    return failed


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except set_up.NotSetUp as error:
        sys.exit(f"{error}\nThe environment could not be set up.")
