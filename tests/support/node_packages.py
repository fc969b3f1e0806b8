"""Packages of npm that tests in `tests/ecosystem` use, installed once per state of the lock and kept in `.cache`."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.tools import REQUIRED, require_tool

ROOT = Path(__file__).parents[2]
TREE = ROOT / "tests" / "ecosystem" / "node"
OLDEST = ROOT / "tests" / "ecosystem" / "node22"  # the oldest Node that the client supports
CACHE = ROOT / ".cache" / "node"
FILES = ("package.json", "package-lock.json", ".npmrc")
INSTALL = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
TIMEOUT_S = 300


def node_packages(tree: Path = TREE) -> Path:
    """The folder `node_modules` with what the tree's lock pins."""
    npm = require_tool("npm", "npm")
    content = b"\0".join((tree / name).read_bytes() for name in FILES)
    folder = CACHE / hashlib.sha256(content).hexdigest()[:16]
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # workers of one run, and other runs, install one after the other
        if not folder.exists():
            _install(npm, tree, folder)
    return folder / "node_modules"


def supported_node() -> Path | None:
    """The folder of a Node that the client supports; None if the machine's own is one, or none can be had."""
    node = shutil.which("node")
    if node is None or _version(node) >= _bound():
        return None
    with suppress(pytest.skip.Exception):  # then npm has no packages for the tests that need it either
        return next((program.parent for program in node_packages(OLDEST).glob("node-*/bin/node")), None)
    return None


def _version(node: str) -> tuple[int, ...]:
    said = subprocess.check_output([node, "--version"], text=True)
    return tuple(map(int, said.strip().removeprefix("v").split(".")))


def _bound() -> tuple[int, ...]:
    """The oldest version of Node that the client's package names."""
    package = json.loads((ROOT / "clients" / "typescript" / "package.json").read_text(encoding="utf-8"))
    return tuple(map(int, package["engines"]["node"].removeprefix(">=").split(".")))


def node_project(folder: Path, *files: Path, tree: Path = TREE) -> Path:
    """The folder as a project with the tree's packages and copies of these files, to be run in it."""
    (folder / "node_modules").symlink_to(node_packages(tree))
    shutil.copy(tree / "package.json", folder)
    for file in files:
        shutil.copy(file, folder)
    return folder


def run_node(folder: Path, *command: str, timeout_s: float = 500, **variables: str) -> str:
    """What a command of a project prints, such as `node script.mjs` or `tsc`; AssertionError if it fails."""
    require_tool("node", "nodejs")
    path = os.pathsep.join([str(folder / "node_modules" / ".bin"), os.environ["PATH"]])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", **variables},
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)} ends with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _install(npm: str, tree: Path, folder: Path) -> None:
    fresh = folder.with_name(f"{folder.name}.{os.getpid()}")
    fresh.mkdir()
    for name in FILES:
        shutil.copy(tree / name, fresh)
    done = subprocess.run([npm, *INSTALL], cwd=fresh, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode == 0:
        fresh.rename(folder)
        return
    shutil.rmtree(fresh)
    reason = f"npm cannot install the packages of {tree.relative_to(ROOT)}: {done.stderr.strip()[-2_000:]}"
    if "npm" in os.environ.get(REQUIRED, "").split(","):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
