"""Sets up the environments of a checkout with any Python: `python3 tools/set_up.py run|test|docs|audit`.

uv installs in three seconds what takes pip forty. It is pinned with its hashes in `locks/uv.lock`, and goes into
`.cache/uv`. Where it cannot be had or fails, pip installs the same files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV, AUDIT, UV = ROOT / ".venv", ROOT / ".venv" / "audit", ROOT / ".cache" / "uv"
BIN = "Scripts" if os.name == "nt" else "bin"  # where an environment has its programs
PURPOSES = {
    "run": "what running needs",
    "test": "what tests and checks need",
    "docs": "what the documentation needs",
    "audit": "the tools of the audit",
}
# Like pip, uv then looks at all indexes; hashes say which file is meant.
UV_INSTALL = ("pip", "install", "-q", "--index-strategy", "unsafe-best-match")
QUIET_PIP = ("-m", "pip", "install", "-qq", "--disable-pip-version-check")
# Where an index of one's own, its certificates and folders of wheels are set: for pip, and for uv.
SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}
FILES = ("find-links", "extra-index-url")  # may name folders; those that do not exist are left out, as pip does


class NotSetUp(Exception):
    """A step failed; the text says what its program said."""


@contextmanager
def step(text: str) -> Iterator[None]:
    """Say what is being done, then how long it took."""
    print(f"  {text:<34}", end="", flush=True)
    begin = time.monotonic()
    try:
        yield
    except BaseException:
        print("failed", flush=True)
        raise
    print(f"{time.monotonic() - begin:5.1f} s", flush=True)


def call(*command: object, environment: dict[str, str] | None = None) -> str:
    """What a program writes to standard output. NotSetUp if it fails or does not exist."""
    try:
        result = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, cwd=ROOT, env=environment, check=False
        )
    except OSError as error:
        raise NotSetUp(str(error)) from None
    if result.returncode:
        raise NotSetUp(result.stderr.strip() or result.stdout.strip() or f"{command[0]} failed")
    return result.stdout


def uv_settings() -> dict[str, str]:
    """The environment in which uv installs from the same places as pip."""
    environment = dict(os.environ)
    try:
        listed = call(sys.executable, "-m", "pip", "config", "list")
    except NotSetUp:
        return environment
    found: dict[str, str] = {}
    for line in listed.splitlines():  # global.index-url='…', :env:.index-url='…'; the environment's come first
        name, _, value = line.partition("=")
        found.setdefault(name.rpartition(".")[2], value.strip("'\""))
    for name, variable in SETTINGS.items():
        places = [place for place in found.get(name, "").split() if name not in FILES or is_there(place)]
        if places and variable not in environment:
            environment[variable] = ("," if name == "find-links" else " ").join(places)
    return environment


def is_there(place: str) -> bool:
    """Whether a place to install from is an address or an existing folder."""
    path = place.removeprefix("file://")
    return "://" in path or Path(path).is_dir()


def first_line(error: NotSetUp) -> str:
    """What a program complained of, in short."""
    lines = [line for line in str(error).splitlines() if not line.startswith("WARNING")]
    return lines[0] if lines else "no reason was given"


def python_in(venv: Path) -> Path:
    """The Python of an environment."""
    return venv / BIN / ("python.exe" if os.name == "nt" else "python")


class Installer:
    """Installs into environments: by uv, or by pip where uv cannot be had."""

    def __init__(self) -> None:
        self.uv: Path | None = None
        self.environment: dict[str, str] = {}

    def begin(self, venv: Path) -> None:
        """Make an environment if there is none, and get uv."""
        lock = ROOT / "locks" / "uv.lock"
        marker = UV / lock.name
        if not python_in(venv).exists():
            with step("an environment"):
                call(sys.executable, "-m", "venv", "--without-pip", venv)
        try:
            if not marker.exists() or marker.read_bytes() != lock.read_bytes():
                with step("uv, which installs the rest"):
                    call(sys.executable, *QUIET_PIP, "--upgrade", "--target", UV, "--require-hashes", "-r", lock)
                marker.write_bytes(lock.read_bytes())
            self.uv, self.environment = UV / "bin" / ("uv.exe" if os.name == "nt" else "uv"), uv_settings()
        except NotSetUp as error:
            print(f"  uv cannot be had, so pip installs ({first_line(error)})", flush=True)

    def install(self, venv: Path, *what: object) -> None:
        """Install something into an environment. NotSetUp."""
        python = python_in(venv)
        if self.uv is not None:
            try:
                call(self.uv, *UV_INSTALL, "--python", python, *what, environment=self.environment)
            except NotSetUp as error:
                print(f"\n  uv failed, so pip installs ({first_line(error)})\n  {'by pip':<34}", end="", flush=True)
                self.uv = None
            else:
                return
        try:
            call(python, "-m", "pip", "--version")
        except NotSetUp:
            call(python, "-m", "ensurepip")
        call(python, *QUIET_PIP, *what)


def set_up(purpose: str) -> None:
    """Bring an environment up to its lock. NotSetUp."""
    installer, venv = Installer(), AUDIT if purpose == "audit" else VENV
    installer.begin(venv)
    with step(PURPOSES[purpose]):
        installer.install(venv, "--require-hashes", "-r", f"locks/{purpose}.lock")
    if purpose == "run":
        with step("giftsim itself"):
            installer.install(venv, "--no-deps", "--no-build-isolation", "-e", ROOT)


def main() -> None:
    """Set up what the arguments name. Exits with a sentence if it fails."""
    if sys.version_info < (3, 11):  # noqa: UP036  make may run any Python
        sys.exit("giftsim needs Python 3.11 or newer: make PYTHON=python3.x")
    for purpose in sys.argv[1:]:
        if purpose == "run":
            print(f"Setting up giftsim in {VENV.name}, once:", flush=True)
        try:
            set_up(purpose)
        except NotSetUp as error:
            sys.exit(f"{error}\nThe environment could not be set up.")


if __name__ == "__main__":
    main()
