"""A page's shell blocks as one session, in the order and with the commands in which a reader runs them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.docs.pages import ROOT, Block, Page, page
from tests.support.free_ports import free_ports

SH = "sh test"
SAVED = ("python save", "toml save")
SIMULATOR_PORT = "8080"
OTHER_PORTS = ("8081", "9000", "9100")
CHECKOUT = ("examples", "scenarios", "fixtures", "simulator", "run_sim.py")
TIMEOUT_S = 300

# Stands before the real curl in PATH, and reports the status of each call, so that a refused call cannot pass unseen.
CURL = """#!/bin/sh
exec {curl} "$@" -w '%{{stderr}}curl-status %{{http_code}} %{{method}} %{{url_effective}}\\n'
"""
STATUS = re.compile(r"^curl-status (\d{3}) (\w+) (\S+)$", re.MULTILINE)
# What a reader has installed.
ONLY = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "giftsim.pytest_plugin,xdist.plugin"}
READINESS = ("/_sim/v1/health", "/")  # asked until something answers


class Outcome(NamedTuple):
    """What a session printed, and the calls that failed in it as `402 POST /path`."""

    output: str
    failed: list[str]


def environment(folder: Path, *, active: bool = False) -> dict[str, str]:
    """A reader's shell: the reporting curl comes first, and the project's environment only if it is active."""
    left_out = ("PYTEST_", "VIRTUAL_ENV", "GIFTSIM_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    others = [each for each in os.environ["PATH"].split(os.pathsep) if Path(each) != Path(sys.prefix) / "bin"]
    first = [folder / ".bin", *([Path(sys.prefix) / "bin"] if active else [])]
    path = os.pathsep.join([*map(str, first), *others])
    state = str(folder / ".bin" / "state")  # of a user who has used nothing of giftsim yet
    return {**kept, **ONLY, "PATH": path, "PYTHONPATH": str(ROOT / "simulator"), "GIFTSIM_STATE": state}


def run(session: Page, folder: Path, port: str) -> Outcome:
    """Run a page's session in a folder like a checkout, against the simulator on a port."""
    before = _prepare(folder)
    done = subprocess.run(
        ["bash"], input=_on_ports(script(session), port), cwd=folder, env=environment(folder),
        capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{session.name} ends with {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert {path.name for path in folder.iterdir()} == before, f"{session.name} leaves files in the checkout"
    return Outcome(done.stdout, _failed(done.stderr))


def script(session: Page) -> str:
    """The shell script of a page, after that of the page it continues; what it starts ends with it."""
    lines = ["set -eu", "trap 'for job in $(jobs -p); do kill $job; done 2>/dev/null || true' EXIT"]
    lines += [block.code if block.info == SH else _saving(block.code) for block in _blocks(session)]
    return "\n".join(lines)


def _saving(code: str) -> str:
    """The command that saves a file under the name in its first line, `# test_shop.py`."""
    return f"cat > {code.partition(chr(10))[0].removeprefix('# ')} <<'END'\n{code}END"


def _blocks(session: Page) -> list[Block]:
    before = [page((session.path.parent / name).resolve()) for name in session.comments("continues")]
    return [block for each in (*before, session) for block in each.blocks(SH, *SAVED)]


def _prepare(folder: Path) -> set[str]:
    """Make a folder like a checkout after `make run`; the names in it."""
    for name in CHECKOUT:
        (folder / name).symlink_to(ROOT / name)
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / ".bin").mkdir()
    curl = folder / ".bin" / "curl"
    curl.write_text(CURL.format(curl=shutil.which("curl")))
    curl.chmod(0o755)
    return {path.name for path in folder.iterdir()}


def _on_ports(code: str, port: str) -> str:
    code = code.replace(SIMULATOR_PORT, port)
    for other in OTHER_PORTS:
        code = code.replace(other, str(free_ports(2)))  # a session may use the next port too
    return code


def _failed(stderr: str) -> list[str]:
    calls = [match.groups() for match in STATUS.finditer(stderr)]
    return [
        f"{status} {method} {url}"
        for status, method, url in calls
        if not "200" <= status < "400" and not url.endswith(READINESS)
    ]
