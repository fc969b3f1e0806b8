"""What moves the time of a command, and what is said of one whose time nothing moves."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from giftsim.workbench.app_clock import libfaketime
from giftsim.workbench.app_clock.runtimes import refuse_runtime

LACKS = "libfaketime is missing"


def refused(command: str, folder: Path) -> str | None:
    """Why a command is refused on a machine without libfaketime, whose programs are those of a folder."""

    def which(name: str) -> str | None:
        path = folder / Path(name).name
        return str(path) if path.exists() else None

    return refuse_runtime(command.split(), lambda: LACKS, which)


def elf(*kinds: int, rest: bytes = b"") -> bytes:
    """A program for Linux with segments of these kinds."""
    head = b"\x7fELF\x02\x01" + bytes(26) + struct.pack("<Q", 64) + bytes(14) + struct.pack("<HH", 56, len(kinds))
    return head.ljust(64, b"\0") + b"".join(struct.pack("<I", kind).ljust(56, b"\0") for kind in kinds) + rest


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    files = {
        "node": elf(1, 3),
        "python3": elf(1, 3),
        "sh": elf(1, 3),
        "ruby": elf(1, 3),
        "static": elf(1),
        "service": elf(1, 3, rest=b"\xff Go buildinf:\x08\x02"),
        "empty": b"",
        "short": b"\x7fELF\x02\x01",
        "npm": b"#!/usr/bin/env node\n",
        "flask": b"#!/venv/bin/python3\n",
        "rails": b"#!/usr/bin/env -S ruby\n",
        "round": b"#!/bin/round\n",
        "nothing": b"#!\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "python").symlink_to("python3")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    ["node app.js", "python app.py", "python3 -m app", "npm start", "flask run", "sh start.sh", "absent", "nothing"],
)
def test_what_has_its_own_clock_needs_no_library(command: str, programs: Path) -> None:
    assert refused(command, programs) is None


@pytest.mark.parametrize("command", ["ruby app.rb", "rails server", "empty", "short"])
def test_what_needs_the_library_says_what_to_install(command: str, programs: Path) -> None:
    assert refused(command, programs) == LACKS


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("go run .", "the time of go cannot be moved: Go asks the kernel for it and not the system's library"),
        ("service --port 1", "the time of service cannot be moved: Go asks the kernel"),
        ("static", "the time of static cannot be moved: it is linked statically, and loads no library"),
    ],
)
def test_what_nothing_moves_is_refused_by_name(command: str, said: str, programs: Path) -> None:
    assert str(refused(command, programs)).startswith(said)


def test_scripts_that_name_each_other_end(programs: Path) -> None:
    assert refused("round", programs) is None


@pytest.mark.parametrize(
    ("platform", "path", "said"),
    [
        ("linux", "usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "apt-get install faketime"),
        ("linux", "usr/lib64/faketime/libfaketime.so.1", "apt-get install faketime"),
        ("darwin", "opt/homebrew/lib/faketime/libfaketimeMT.1.dylib", "brew install libfaketime"),
    ],
)
def test_the_library_is_found_or_named(platform: str, path: str, said: str, tmp_path: Path) -> None:
    assert said in str(libfaketime.missing(platform, tmp_path))
    assert libfaketime.settings(tmp_path / "now", {}, platform, tmp_path) == {}
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).touch()
    assert libfaketime.missing(platform, tmp_path) is None
    loads = "DYLD_INSERT_LIBRARIES" if platform == "darwin" else "LD_PRELOAD"
    settings = libfaketime.settings(tmp_path / "now", {loads: "/lib/own.so"}, platform, tmp_path)
    assert settings[loads] == f"/lib/own.so:{tmp_path / path}"
    assert settings["FAKETIME_TIMESTAMP_FILE"] == os.fspath(tmp_path / "now")


def test_windows_is_told_where_to_run(tmp_path: Path) -> None:
    assert "not made for Windows: run it in WSL or a container" in str(libfaketime.missing("win32", tmp_path))
