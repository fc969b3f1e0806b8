"""Files elsewhere, by URL: nothing is downloaded, so a tester may say what stands there (A7.20)."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from giftsim.kernel.signals import Signal
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec


class ExternalFile(Record, frozen=True, gc=False):
    """What a download of `url` would give."""

    url: str
    content_type: str
    size_bytes: int


EXTERNAL_FILES: TableSpec[ExternalFile] = TableSpec("team.file", ExternalFile, unique={"url": lambda row: row.url})


def put_file(state: State, url: str, content_type: str, size_bytes: int) -> ExternalFile:
    """From now on this stands at a URL, letter for letter as it is given; what was registered before stays as it is."""
    table, content_type = state[EXTERNAL_FILES], content_type.lower()
    found = table.find("url", url)
    if found is None:
        return table.add(ExternalFile(table.next_n, url, content_type, size_bytes))
    return table.put(msgspec.structs.replace(found, content_type=content_type, size_bytes=size_bytes))


def file_metadata(state: State, url: str) -> tuple[str, int] | None:
    """Content type and bytes of what stands at a URL, or None where nobody has said."""
    found = state[EXTERNAL_FILES].find("url", url)
    return None if found is None else (found.content_type, found.size_bytes)


# Content type and bytes of what stands at a URL, or None where that is not known.
FILE_METADATA: Signal[Callable[[State, str], tuple[str, int] | None]] = Signal("file_facts", file_metadata)


def file_extension(url: str) -> str:
    """The extension of the file that a URL names, in lower case; empty without one."""
    name = urlsplit(url).path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
