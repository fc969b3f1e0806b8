"""Compiles the files in the folder `locks` from pyproject.toml: `python -m tools locks`, or some, by their names.

    test    what `make test` installs: the group dev, and the extra pytest
    run     what `make run` installs: a part of it
    docs    what `make docs` installs beside it
    audit   what the audit uses, in an environment of its own
    uv      the installer of all these
    lowest  `test` with the lowest versions that pyproject.toml allows

Each has hashes for all platforms, and names no index. A version stays as long as it fits; `--upgrade` takes the newest.
"""

from __future__ import annotations

import re
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tools import set_up

ROOT = set_up.ROOT
FOLDER = ROOT / "locks"
TEST, LOWEST = FOLDER / "test.lock", FOLDER / "lowest.lock"
PIN = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s\\;]+)", re.MULTILINE)
COMPILE = (*set_up.UV_INSTALL[3:], "--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "-q")
# What is published: its bounds are a promise. Tools of development are used at the versions of test.lock.
PROMISED = ("pytest", "explore", "https", "mcp", "cjk", "calendar")
# In this order: those after `test` have its versions.
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "uv": ("--group", "uv"),
    "test": ("--group", "dev", "--extra", "pytest", "pyproject.toml"),
    "run": ("--group", "run", "--constraint", "locks/test.lock", "pyproject.toml"),
    "docs": ("--group", "docs", "--constraint", "locks/test.lock"),
    "audit": ("--group", "audit"),
}


def name(requirement: str) -> str:
    """The name of the package that a requirement is about, as indexes write it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9_.-]", requirement, maxsplit=1)[0]).lower()


def declared() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def group(of: str) -> list[str]:
    """The requirements of a dependency group, with those of the groups that it includes."""
    entries = declared()["dependency-groups"][of]
    included = [each for entry in entries if isinstance(entry, dict) for each in group(entry["include-group"])]
    return included + [entry for entry in entries if isinstance(entry, str)]


def promised() -> dict[str, str]:
    """The lowest version of each package that giftsim promises to work with."""
    project = declared()
    extras = project["project"]["optional-dependencies"]
    listed = project["project"]["dependencies"] + [each for extra in PROMISED for each in extras[extra]]
    return {name(each): each.partition(">=")[2] for each in [*project["build-system"]["requires"], *listed]}


def compile_lock(lock: str, options: tuple[str, ...]) -> None:
    """Write a lock of OPTIONS. NotSetUp if no versions fit."""
    _uv(*OPTIONS[lock], *options, "-o", f"locks/{lock}.lock")


def compile_lowest() -> None:
    """Write the lock of the lowest versions. NotSetUp if no versions fit."""
    lowest = promised()
    tools = {name(each) for each in group("dev")} - set(lowest)
    pins = {name(match[1]): match[2] for match in PIN.finditer(TEST.read_text(encoding="utf-8"))}
    extras = [word for extra in PROMISED for word in ("--extra", extra)]
    with tempfile.TemporaryDirectory() as folder:
        versions, bounds = Path(folder, "tools.txt"), Path(folder, "bounds.txt")
        versions.write_text(
            "".join(f"{package}=={pin}\n" for package, pin in pins.items() if package in tools), encoding="utf-8"
        )
        bounds.write_text(f"jsonschema-rs=={lowest['jsonschema-rs']}\n", encoding="utf-8")  # schemathesis asks for more
        _uv(
            "--resolution", "lowest-direct", "--group", "dev", *extras, "--constraint", str(versions),
            "--override", str(bounds), "--no-annotate", "pyproject.toml", "-o", "locks/lowest.lock",
        )  # fmt: skip


def _uv(*words: str) -> None:
    uv, environment = set_up.UV / "bin" / "uv", set_up.uv_settings()
    set_up.call(uv, "pip", "compile", *COMPILE, *words, environment=environment)


def main(arguments: list[str]) -> None:
    """Compile the locks that the arguments name, or all. Exits with a sentence if one cannot be."""
    options = tuple(each for each in arguments if each == "--upgrade")
    names = [each for each in arguments if each not in options] or [*OPTIONS, "lowest"]
    unknown = [each for each in names if each not in (*OPTIONS, "lowest")]
    if unknown:
        sys.exit(f"there is no lock {unknown[0]}: there are {', '.join([*OPTIONS, 'lowest'])}")
    set_up.Installer().begin(set_up.VENV)
    for lock in names:
        try:
            with set_up.step(f"locks/{lock}.lock"):
                if lock == "lowest":
                    compile_lowest()
                else:
                    compile_lock(lock, options)
        except set_up.NotSetUp as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
