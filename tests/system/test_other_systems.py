"""What reading tells of Windows and macOS: names, line ends, files. `make check` has mypy read the rest for both."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.support.served_simulator import ROOT
from tests.test_tidy import UNREAD, files

# Windows: no file may have such a name, whatever its ending.
RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
REFUSED = re.compile(r'[<>:"|?*\\]|[ .]$')
LONGEST_PATH = 140  # of the 260 of Windows; the rest is for the folder of a checkout or an environment
# What Python has on POSIX alone, and mypy cannot see behind a stand-in for a module or in a text.
POSIX_ONLY = re.compile(
    r"os\.fork|AF_UNIX|SO_REUSEPORT|\bpreexec_fn|\bpass_fds|^import (fcntl|resource|pwd|grp|termios|pty)\b",
    re.MULTILINE,
)
SOURCES = sorted((ROOT / "simulator").rglob("*.py"))


def tracked() -> list[str]:
    """The paths of the project's files, with slashes."""
    return [path.relative_to(ROOT).as_posix() for path in files() if not UNREAD & {*path.relative_to(ROOT).parts}]


def test_every_path_can_be_checked_out_on_windows_and_macos() -> None:
    paths = tracked()
    folded = [path.casefold() for path in paths]
    assert [path for path in paths if folded.count(path.casefold()) > 1] == [], "they differ by case alone"
    parts = {part for path in paths for part in path.split("/")}
    assert [part for part in sorted(parts) if RESERVED.search(part) or REFUSED.search(part)] == []
    assert [path for path in paths if len(path) > LONGEST_PATH] == []


def test_the_names_that_windows_reserves_are_found() -> None:
    assert all(RESERVED.search(name) for name in ("con", "AUX.py", "nul.tar.gz", "com1.txt"))
    assert not any(RESERVED.search(name) for name in ("console", "auxiliary.py", "command.py", "contract.yaml"))


def test_a_checkout_has_the_same_line_ends_everywhere() -> None:
    assert "* text=auto eol=lf" in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    texts = [ROOT / path for path in tracked() if path.endswith((".py", ".yaml", ".md", ".sh", ".json"))]
    assert [str(path) for path in texts if b"\r\n" in path.read_bytes()] == []


def test_the_simulator_uses_nothing_that_windows_lacks() -> None:
    assert [str(path) for path in SOURCES if POSIX_ONLY.search(path.read_text(encoding="utf-8"))] == []


def test_the_simulator_writes_the_same_bytes_on_every_system() -> None:
    """Text is written with its line ends as they are; what a system's own programs say is read as UTF-8."""
    loose = [place for path in SOURCES for place in _loose(path)]
    assert loose == [], 'write with newline="\\n", and give a child an encoding'


def _loose(path: Path) -> list[str]:
    """The calls of a file that write text with the system's line ends, or run a program with its encoding."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            names = {each.arg for each in node.keywords}
            writes = isinstance(node.func, ast.Attribute) and node.func.attr == "write_text" and "encoding" in names
            if (writes and "newline" not in names) or ("text" in names and names & {"stdout", "capture_output"}):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found
