"""External files, by URL. Nothing is downloaded, so a tester can register type and size of a file (A7.20).

A tester can also say that an address redirects, is gone, or has another file, from an instant on (G448).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec


class ExternalFile(Record, frozen=True, gc=False):
    """The file that a download of `url` would give."""

    url: str
    content_type: str
    size_bytes: int


EXTERNAL_FILES: TableSpec[ExternalFile] = TableSpec("team.file", ExternalFile, unique={"url": "url"})


class FileChange(Record, frozen=True, gc=False):
    """What a download of `url` gives from `at_ms` on: a file, a redirect to another URL, or an error without both.

    `is_public` is whether the target of a redirect is an address that the service would call.
    """

    url: str
    at_ms: int
    content_type: str | None = None
    size_bytes: int = 0
    redirects_to: str | None = None
    is_public: bool = True


FILE_CHANGES: TableSpec[FileChange] = TableSpec("team.file_change", FileChange, groups={"url": "url"}, sparse=True)
MAX_REDIRECTS: Final = 5

COPIED = flag(
    "artwork.copied",
    False,
    "whether the service keeps a copy of artwork when it is registered, so that nothing reads its address again (G448)",
)
SETTINGS = (COPIED,)


def add_file_change(state: State, url: str, at_ms: int, **columns: Any) -> FileChange:
    """Change what is at a URL, from an instant on. Of two changes at one instant, the later one counts."""
    return state[FILE_CHANGES].add(FileChange(state[FILE_CHANGES].next_n, url, at_ms, **columns))


def file_address(state: State, url: str) -> str | None:
    """The URL that a download of `url` ends at, after redirects. None if it is gone, or they lead nowhere (G448)."""
    for _ in range(MAX_REDIRECTS + 1):
        change = _present_change(state, url)
        if change is None or change.content_type is not None:
            return url
        if change.redirects_to is None or not change.is_public:
            return None
        url = change.redirects_to
    return None


def has_changed(state: State, url: str) -> bool:
    """Whether a tester changed what is at a URL, by an instant that has passed."""
    return bool(state[FILE_CHANGES].rows) and _present_change(state, url) is not None


def _present_change(state: State, url: str) -> FileChange | None:
    changes = [change for change in state[FILE_CHANGES].rows_in("url", url) if change.at_ms <= state.now_ms]
    return max(changes, key=lambda change: (change.at_ms, change.n), default=None)


def put_file(state: State, url: str, content_type: str, size_bytes: int) -> ExternalFile:
    """Register the file at a URL, which is compared literally. Records that were made from it before do not change.

    This ends what was said of the URL before, also for later.
    """
    for n in list(state[FILE_CHANGES].slots_in("url", url)):
        state[FILE_CHANGES].drop(n)
    table, content_type = state[EXTERNAL_FILES], content_type.lower()
    file = table.find("url", url)
    if file is None:
        return table.add(ExternalFile(table.next_n, url, content_type, size_bytes))
    return table.put(msgspec.structs.replace(file, content_type=content_type, size_bytes=size_bytes))


def file_metadata(state: State, url: str) -> tuple[str, int] | None:
    """Content type and size in bytes of the file at a URL, or None if it is not registered."""
    change = _present_change(state, url) if state[FILE_CHANGES].rows else None
    if change is not None and change.content_type is not None:
        return change.content_type, change.size_bytes
    file = state[EXTERNAL_FILES].find("url", url)
    return None if file is None else (file.content_type, file.size_bytes)


# Content type and size in bytes of the file at a URL, or None if they are unknown.
FILE_METADATA: Signal[Callable[[State, str], tuple[str, int] | None]] = Signal("file_facts", file_metadata)


def file_extension(url: str) -> str:
    """The file extension of a URL's path, in lower case; empty without one."""
    name = urlsplit(url).path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
