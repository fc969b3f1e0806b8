"""What Windows and macOS do otherwise, by stand-ins for what they lack or have: no test runs on either (G266)."""

from __future__ import annotations

import os
import signal
import subprocess
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from giftsim.engine.system import (
    OF_SELECT,
    Locked,
    Platform,
    descriptor_limit,
    end_group,
    open_file,
    open_to_read,
    raise_descriptor_limit,
    started_group,
    state_folder,
)
from tests.support.served_simulator import ROOT


class Msvcrt:
    """The locks of Windows: one process at a time has a byte."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.locked: set[tuple[int, int]] = set()

    def locking(self, fd: int, mode: int, size: int) -> None:
        assert (mode, size) == (self.LK_NBLCK, 1)
        place = (os.fstat(fd).st_ino, os.lseek(fd, 0, os.SEEK_CUR))
        if place in self.locked:
            raise PermissionError
        self.locked.add(place)


class Fcntl:
    """That of macOS: the real one, and a way to empty the disk's own memory."""

    F_FULLFSYNC = 51

    def __init__(self, refusal: OSError | None = None) -> None:
        self.flushed, self._refusal = 0, refusal

    def fcntl(self, _fd: int, command: int) -> int:
        assert command == self.F_FULLFSYNC
        if self._refusal:
            raise self._refusal
        self.flushed += 1
        return 0

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module("fcntl"), name)


def finding(**modules: Any) -> Callable[[str], Any]:
    """Imports these modules, and no others."""

    def find(name: str) -> Any:
        if name not in modules:
            raise ImportError(name)
        return modules[name]

    return find


def windows() -> Platform:
    return Platform(cast(Any, SimpleNamespace(O_BINARY=0)), finding(msvcrt=Msvcrt()))


def test_a_journal_on_windows_is_appended_to_and_read_anywhere(tmp_path: Path) -> None:
    file = open_file(tmp_path / "a.journal", windows())
    file.keep_private()
    assert file.write(b"first\n") == 6
    assert file.read(3, 1) == b"irs"
    file.write(b"second\n")
    file.sync()
    assert file.read(100, 0) == b"first\nsecond\n"
    file.truncate(6)
    assert file.size() == 6
    file.close()
    fd = open_to_read(tmp_path / "a.journal", windows())
    assert os.read(fd, 100) == b"first\n"
    os.close(fd)


def test_one_process_at_a_time_has_a_file_on_windows_and_others_can_read_it(tmp_path: Path) -> None:
    platform = windows()
    file = open_file(tmp_path / "a.journal", platform)
    file.write(b"line\n")
    with pytest.raises(Locked):
        open_file(tmp_path / "a.journal", platform)
    [(_, place)] = platform.find("msvcrt").locked
    assert place > 1 << 30  # nothing that is written
    file.close()


def test_a_system_without_locks_opens_files_all_the_same(tmp_path: Path) -> None:
    open_file(tmp_path / "a.journal", Platform(os, finding())).close()


def test_on_macos_a_line_is_on_the_disk_and_not_in_its_memory(tmp_path: Path) -> None:
    fcntl = Fcntl()
    file = open_file(tmp_path / "a.journal", Platform(os, finding(fcntl=fcntl)))
    file.sync()
    file.close()
    assert fcntl.flushed == 1


def test_a_file_system_of_macos_that_cannot_is_synced_as_elsewhere(tmp_path: Path) -> None:
    file = open_file(tmp_path / "a.journal", Platform(os, finding(fcntl=Fcntl(OSError(45, "not supported")))))
    file.write(b"line\n")
    file.sync()
    file.close()


def test_windows_waits_for_at_most_512_connections() -> None:
    raise_descriptor_limit(windows())
    assert descriptor_limit(windows()) == OF_SELECT == 512


class Child:
    """A process that notes how it is ended."""

    pid = 4711

    def __init__(self) -> None:
        self.ended: list[str] = []

    def terminate(self) -> None:
        self.ended.append("terminate")

    def kill(self) -> None:
        self.ended.append("kill")


def test_windows_has_no_groups_of_processes_to_end() -> None:
    child = Child()
    end_group(cast("subprocess.Popen[Any]", child), windows())
    end_group(cast("subprocess.Popen[Any]", child), windows(), at_once=True)
    assert child.ended == ["terminate", "kill"]


def test_a_command_that_takes_too_long_ends_with_what_it_started() -> None:
    with (
        pytest.raises(subprocess.TimeoutExpired),
        started_group("sleep 300 | cat; echo over", shell=True, stdout=subprocess.PIPE) as process,
    ):
        process.communicate(timeout=0.2)
    assert process.returncode == -signal.SIGKILL


def test_elsewhere_a_whole_group_is_ended() -> None:
    sent: list[tuple[int, int]] = []
    posix = Platform(cast(Any, SimpleNamespace(killpg=lambda pid, number: sent.append((pid, number)))))
    end_group(cast("subprocess.Popen[Any]", Child()), posix)
    end_group(cast("subprocess.Popen[Any]", Child()), posix, at_once=True)
    assert sent == [(4711, signal.SIGTERM), (4711, signal.SIGKILL)]


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"HOME": "/home/ada"}, "/home/ada/.local/state/giftsim"),
        ("linux", {"HOME": "/home/ada", "XDG_STATE_HOME": "/state"}, "/state/giftsim"),
        ("linux", {"HOME": "/home/ada", "XDG_STATE_HOME": "not/absolute"}, "/home/ada/.local/state/giftsim"),
        ("darwin", {"HOME": "/Users/ada"}, "/Users/ada/Library/Application Support/giftsim"),
        ("win32", {"LOCALAPPDATA": "C:/Users/ada/AppData/Local"}, "C:/Users/ada/AppData/Local/giftsim"),
        ("win32", {"HOME": "C:/Users/ada"}, "C:/Users/ada/AppData/Local/giftsim"),
        ("darwin", {"HOME": "/Users/ada", "GIFTSIM_STATE": "/mine"}, "/mine"),
    ],
)
def test_the_folder_of_a_user(platform: str, environment: dict[str, str], folder: str) -> None:
    assert state_folder(environment, platform).as_posix() == folder


def test_what_differs_between_systems_is_in_one_module() -> None:
    words = (
        "sys.platform",
        "os.name",
        "os.pread",
        "os.fchmod",
        "os.killpg",
        "O_CLOEXEC",
        "import fcntl",
        "import msvcrt",
    )
    known = {
        "system.py",
        "play_jobs.py",  # chooses how Python starts workers, which differs by its version too
        "libfaketime.py",  # whose library has another name on macOS, and none on Windows
    }
    found = {
        path.name
        for path in (ROOT / "simulator" / "giftsim").rglob("*.py")
        if any(word in path.read_text(encoding="utf-8") for word in words)
    }
    assert found <= known


def test_the_addresses_of_the_project_are_those_of_the_page() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    assert set(project["urls"]) == {"Source", "Documentation", "Changelog", "Issues"}
    assert f"{project['urls']['Source']}.git" in page
    assert all(url.startswith(project["urls"]["Source"]) for url in project["urls"].values())
