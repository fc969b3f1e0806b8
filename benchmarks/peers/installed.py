"""Installs the peers from their registries, once per state of the locks, into `.cache/peers`."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = Path(__file__).parent / "packages"
CACHE = ROOT / ".cache" / "peers"
FILES = ("package.json", "package-lock.json", ".npmrc", "requirements.lock")


def search_path() -> str:
    """The PATH with the programs of the peers; they are installed if they are not there yet."""
    folder = _folder()
    own = Path(sys.executable).parent
    return os.pathsep.join(
        [str(folder / "node_modules" / ".bin"), str(folder / "venv" / "bin"), str(own), os.environ["PATH"]]
    )


def packages_path() -> str:
    """Where the peers in Python are importable from; they are installed if they are not there yet."""
    [packages] = (_folder() / "venv" / "lib").glob("python*/site-packages")
    return str(packages)


def _folder() -> Path:
    content = b"\0".join((PACKAGES / name).read_bytes() for name in FILES)
    folder = CACHE / hashlib.sha256(content).hexdigest()[:16]
    if not folder.exists():
        _install(folder)
    return folder


def _install(folder: Path) -> None:
    """Install everything into a folder that is moved to its place when it is complete."""
    print(f"installing the peers into {folder.relative_to(ROOT)}", file=sys.stderr)
    fresh = folder.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name in FILES:
        shutil.copy(PACKAGES / name, fresh)
    commands = (
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        [sys.executable, "-m", "venv", str(folder / "venv")],
        [str(folder / "venv" / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check",
         "--require-hashes", "-r", "requirements.lock"],
    )  # fmt: skip
    subprocess.run(commands[0], cwd=fresh, check=True)
    fresh.rename(folder)
    try:
        for command in commands[1:]:
            subprocess.run(command, cwd=folder, check=True)
    except BaseException:
        shutil.rmtree(folder)
        raise
