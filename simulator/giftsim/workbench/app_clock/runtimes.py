"""Programs whose time nothing moves, known by what they are before they are started (G476)."""

from __future__ import annotations

import mmap
import shutil
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

from giftsim.workbench.app_clock.libfaketime import OWN_CLOCK, missing

# They start other programs, and their own time is nobody's concern.
STARTERS = (
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "fish",
    "env",
    "nice",
    "timeout",
    "setsid",
    "exec",
    "make",
    "npm",
    "npx",
)
ELF, BITS_64, LITTLE = b"\x7fELF", 2, 1
INTERPRETER = 3  # the kind of a segment that names the linker
GO_BUILD_INFO = b"\xff Go buildinf:"
MAX_SCRIPTS = 4  # scripts that name a script


def refuse_runtime(
    command: Sequence[str],
    is_missing: Callable[[], str | None] = missing,
    which: Callable[[str], str | None] = shutil.which,
) -> str | None:
    """Why the time of this command cannot be moved and what to do, or None. A shell may start anything."""
    name = Path(command[0]).name
    if name == "go":
        return f"{_go(command)}; its tests can read a clock that they are given"
    path = which(command[0])
    program = None if path is None else _program(Path(path), which)
    if program is None or program.name in OWN_CLOCK:
        return None
    try:
        problem = _reached(program)
    except (OSError, ValueError, struct.error):  # not to be read: the system says it when it starts
        problem = None
    if problem or program.name in STARTERS:
        return problem
    return is_missing()


def _go(command: Sequence[str]) -> str:
    return f"the time of {command[0]} cannot be moved: Go asks the kernel for it and not the system's library"


def _program(path: Path, which: Callable[[str], str | None]) -> Path | None:
    """The program that runs a file: the file itself, or the one that its first line names."""
    for _ in range(MAX_SCRIPTS):
        try:
            with path.open("rb") as file:
                first = file.readline(256)
        except OSError:
            return None
        if not first.startswith(b"#!"):
            return path.resolve() if path.resolve().name in OWN_CLOCK else path
        words = first[2:].decode("utf-8", "replace").split()
        if words and Path(words[0]).name == "env":
            words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        found = which(words[0]) if words else None
        if found is None:
            return None
        path = Path(found)
    return None


def _reached(program: Path) -> str | None:
    """Why libfaketime does not reach an ELF program, or None. OSError, ValueError, struct.error."""
    with program.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content[:4] != ELF or content[4] != BITS_64 or content[5] != LITTLE:
            return None
        if content.find(GO_BUILD_INFO) >= 0:
            return _go([program.name])
        (offset,) = struct.unpack_from("<Q", content, 32)
        size, count = struct.unpack_from("<HH", content, 54)
        kinds = [struct.unpack_from("<I", content, offset + n * size)[0] for n in range(count)]
        if INTERPRETER in kinds:
            return None
        return f"the time of {program.name} cannot be moved: it is linked statically, and loads no library"
