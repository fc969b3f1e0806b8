"""libfaketime, which moves the wall clock of programs that are written for Unix (G475).

It is a library that the system's linker loads before others. Of a process it moves `time`, `gettimeofday` and
`clock_gettime(CLOCK_REALTIME)`; monotonic clocks, sleeps, time-outs and the times of files stay real.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

# The variant that locks what it keeps, for programs with threads; then the other.
LINUX = (
    "/usr/lib/*/faketime/libfaketimeMT.so.1",
    "/usr/lib*/faketime/libfaketimeMT.so.1",
    "/usr/local/lib/faketime/libfaketimeMT.so.1",
    "/usr/lib*/libfaketimeMT.so.1",
    "/usr/lib*/faketime/libfaketime.so.1",
    "/usr/lib/*/faketime/libfaketime.so.1",
)
MACOS = ("/opt/homebrew/lib/faketime/libfaketimeMT.1.dylib", "/usr/local/lib/faketime/libfaketimeMT.1.dylib")
# These have a clock of their own, and libfaketime leaves them alone; their children it does not.
OWN_CLOCK = (
    "node",
    "nodejs",
    "python",
    "python3",
    *(f"python3.{minor}" for minor in range(8, 21)),
    *(f"python3.{minor}t" for minor in range(13, 21)),
)
# Each call reads the file, which takes 4 us: what is kept may be a second old. A wait for a monotonic instant would end
# at once, again and again, if libfaketime mended it as it does from glibc 2.30 on.
SETTINGS = {
    "FAKETIME_FMT": "%s",
    "FAKETIME_NO_CACHE": "1",
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    "DONT_FAKE_MONOTONIC": "1",
    "FAKETIME_FORCE_MONOTONIC_FIX": "0",
    "NO_FAKE_STAT": "1",
    "FAKETIME_DISABLE_SHM": "1",  # a process that is killed would leave files in /dev/shm; 0.9.10 does so all the same
    "FAKETIME_SKIP_CMDS": ",".join(OWN_CLOCK),
}


def library(platform: str = sys.platform, root: Path = Path("/")) -> Path | None:
    """The library of this machine, or None."""
    return next(_found(MACOS if platform == "darwin" else LINUX, root), None)


def missing(platform: str = sys.platform, root: Path = Path("/")) -> str | None:
    """What to install, or None if nothing is missing."""
    if library(platform, root) is not None:
        return None
    if platform == "win32":
        return "libfaketime, which moves the time of programs, is not made for Windows: run it in WSL or a container"
    name = "brew install libfaketime" if platform == "darwin" else "apt-get install faketime (Fedora: libfaketime)"
    return f"libfaketime, which moves the time of programs that are not Node or Python, is not installed: {name}"


def settings(
    time_file: Path, before: Mapping[str, str], platform: str = sys.platform, root: Path = Path("/")
) -> dict[str, str]:
    """The variables that load it, which are none where it is not installed."""
    found = library(platform, root)
    if found is None:
        return {}
    loads = "DYLD_INSERT_LIBRARIES" if platform == "darwin" else "LD_PRELOAD"
    forced = {"DYLD_FORCE_FLAT_NAMESPACE": "1"} if platform == "darwin" else {}
    libraries = ":".join([*filter(None, [before.get(loads)]), str(found)])
    return {loads: libraries, "FAKETIME_TIMESTAMP_FILE": os.fspath(time_file), **SETTINGS, **forced}


def _found(patterns: Iterable[str], root: Path) -> Iterator[Path]:
    return iter([path for pattern in patterns for path in sorted(root.glob(pattern.removeprefix("/")))])
