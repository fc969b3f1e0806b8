"""The tests in other environments than that of `make test`: other Pythons, and the lowest versions of packages.

    python -m tools.environments lowest [PYTEST ARGUMENTS]     `make test` with requirements-lowest.lock
    python -m tools.environments 3.12 3.13 [PYTEST ARGUMENTS]  tests of what differs between Pythons
    python -m tools.environments lock                          compile requirements-lowest.lock

An environment lies in .cache/environments and is brought up to its lock each time. A Python that is not on this
machine, as `pythonX.Y` or of pyenv, is left out, loudly.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tools import set_up

ROOT = set_up.ROOT
ENVIRONMENTS = ROOT / ".cache" / "environments"
LOCK, LOWEST = ROOT / "requirements.lock", ROOT / "requirements-lowest.lock"
VERSION = re.compile(r"\d+\.\d+")
PIN = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s\\;]+)", re.MULTILINE)
# What another Python could change: its syntax, its standard library, threads, sockets and pytest.
OF_A_PYTHON = (
    "kernel", "domain", "interfaces", "webhooks", "worlds", "gateway", "server", "courier", "testing", "verify", "cli",
)  # fmt: skip
COMPILE = (
    *set_up.UV_INSTALL[3:], "--universal", "--generate-hashes", "--no-header", "-q", "--resolution", "lowest-direct",
)  # fmt: skip
SOME_FAILED = 1  # pytest's exit status
# What is published: its bounds are a promise. Tools of development are used at the versions of requirements.lock.
PROMISED = ("pytest", "explore", "https", "mcp", "cjk", "run")


def name(requirement: str) -> str:
    """The name of the package that a requirement is about, as indexes write it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9_.-]", requirement, maxsplit=1)[0]).lower()


def promised() -> dict[str, str]:
    """The lowest version of each package that giftsim promises to work with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    listed = project["dependencies"] + [each for extra in PROMISED for each in extras[extra]]
    return {name(each): each.partition(">=")[2] for each in listed}


def compile_lock() -> None:
    """Write requirements-lowest.lock. NotSetUp if no versions fit."""
    lowest = promised()
    pins = {name(match[1]): match[2] for match in PIN.finditer(LOCK.read_text())}
    extras = [word for extra in (*PROMISED, "dev") for word in ("--extra", extra)]
    with tempfile.TemporaryDirectory() as folder:
        tools, bounds = Path(folder, "tools.txt"), Path(folder, "bounds.txt")
        tools.write_text(
            "".join(f"{package}=={pin}\n" for package, pin in pins.items() if package in development(lowest))
        )
        bounds.write_text(f"jsonschema-rs=={lowest['jsonschema-rs']}\n")  # schemathesis asks for more
        set_up.call(
            set_up.UV / "bin" / "uv", "pip", "compile", *COMPILE, *extras, "--constraint", tools, "--override", bounds,
            "--no-annotate", "pyproject.toml", "-o", LOWEST, environment=set_up.uv_settings(),
        )  # fmt: skip


def development(lowest: dict[str, str]) -> set[str]:
    """The packages that only work on giftsim needs."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    return {name(each) for each in extras["dev"]} - set(lowest)


def python_of(version: str) -> str | None:
    """The program of a version of Python; None if this machine has none."""
    kept = sorted(Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob(f"versions/{version}.*/bin/python"))
    for program in [*map(str, reversed(kept)), shutil.which(f"python{version}")]:
        if program and subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0:
            return program
    return None


def environment(label: str, python: str, lock: Path) -> Path:
    """The Python of an environment with what a lock pins, and giftsim from this checkout. NotSetUp."""
    venv = ENVIRONMENTS / label
    if not (venv / "bin" / "python").exists():
        set_up.call(python, "-m", "venv", "--without-pip", venv)
    installer = set_up.Installer()
    installer.begin(venv)
    with set_up.step(f"{label}: what tests need"):
        installer.install(venv, "--no-deps", "--require-hashes", "-r", lock)
        installer.install(venv, "--no-deps", "--no-build-isolation", "-e", ROOT)
    return venv / "bin" / "python"


def run_tests(label: str, python: str, lock: Path, tests: list[str]) -> int:
    """Run tests in an environment, and once more what fails beside others. The status of pytest."""
    own = environment(label, python, lock)
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
    names = [each for each in arguments if each in ("lock", "lowest") or VERSION.fullmatch(each)]
    more, failed = [each for each in arguments if each not in names], 0
    if not names:
        print(__doc__)
        return 2
    for label in names:
        python = sys.executable if label in ("lock", "lowest") else python_of(label)
        if label == "lock":
            compile_lock()
        elif python is None:
            print(f"Python {label} is not on this machine: its tests are left out", file=sys.stderr)
        elif label == "lowest":
            failed += run_tests(label, python, LOWEST, more) != 0
        else:
            failed += run_tests(label, python, LOCK, more or [f"tests/{each}" for each in OF_A_PYTHON]) != 0
    return failed


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except set_up.NotSetUp as error:
        sys.exit(f"{error}\nThe environment could not be set up.")
