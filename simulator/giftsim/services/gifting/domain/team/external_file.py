"""External files, by URL. Nothing is downloaded, so a tester can register type and size of a file (A7.20)."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec


class ExternalFile(Record, frozen=True, gc=False):
    """The file that a download of `url` would give."""

    url: str
    content_type: str
    size_bytes: int


EXTERNAL_FILES: TableSpec[ExternalFile] = TableSpec("team.file", ExternalFile, unique={"url": "url"})


def put_file(state: State, url: str, content_type: str, size_bytes: int) -> ExternalFile:
    """Register the file at a URL, which is compared literally. Records that were made from it before do not change."""
    table, content_type = state[EXTERNAL_FILES], content_type.lower()
    file = table.find("url", url)
    if file is None:
        return table.add(ExternalFile(table.next_n, url, content_type, size_bytes))
    return table.put(msgspec.structs.replace(file, content_type=content_type, size_bytes=size_bytes))


def file_metadata(state: State, url: str) -> tuple[str, int] | None:
    """Content type and size in bytes of the file at a URL, or None if it is not registered."""
    file = state[EXTERNAL_FILES].find("url", url)
    return None if file is None else (file.content_type, file.size_bytes)


# Content type and size in bytes of the file at a URL, or None if they are unknown.
FILE_METADATA: Signal[Callable[[State, str], tuple[str, int] | None]] = Signal("file_facts", file_metadata)


def file_extension(url: str) -> str:
    """The file extension of a URL's path, in lower case; empty without one."""
    name = urlsplit(url).path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
