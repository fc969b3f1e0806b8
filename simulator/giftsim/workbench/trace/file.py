"""A trace as one HTML file that needs nothing else: the viewer's files and the data, compressed, in one page.

The data stand in a script element that no browser runs: base64 of gzip of the JSON that schema.json describes.
"""

from __future__ import annotations

import gzip
import re
import zlib
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

import msgspec

from giftsim.engine import system
from giftsim.engine.system import MORE
from giftsim.frontend.offline_page import offline_page

VIEWER: Final = Path(__file__).parent / "viewer"
VERSION: Final = 1
LEVEL: Final = 6
Kind = Literal[
    "world", "call", "claim", "act", "fault", "control", "advance", "timer", "event", "mail", "attempt", "answer",
    "resumed", "clock", "snapshot", "reset", "failure",
]  # fmt: skip
T = TypeVar("T")


class Limits(NamedTuple):
    """How many bytes and objects the data of a trace may have, and how many bytes of them its recording.

    A page of kilobytes may unpack to gigabytes, and an object of a few bytes takes ten times as many in memory.
    """

    most_bytes: int
    most_objects: int
    most_recorded: int


_MEBIBYTE: Final = 1024 * 1024
USUAL: Final = Limits(48 * _MEBIBYTE, 500_000, 16 * _MEBIBYTE)
LARGE: Final = Limits(512 * _MEBIBYTE, 10_000_000, 128 * _MEBIBYTE)  # with --large-files
_GZIP: Final = 16
# Of the page. A script stands after those that it imports.
STYLES: Final = ("shared/strip.css", "trace.css")
SCRIPTS: Final = (
    "shared/elements.js", "shared/instants.js", "shared/states.js",
    "shared/scale.js", "shared/marks.js", "shared/strip.js",
    "shared/languages.js", "shared/literals.js", "shared/code.js", "shared/copy.js",
    "words.js", "dom.js", "data.js", "model.js", "strip.js", "list.js", "details.js", "state.js", "har.js", "copy.js",
    "why.js", "continue.js", "app.js",
)  # fmt: skip
CONSOLES: Final = "http://127.0.0.1:* http://localhost:*"  # which "Continue" asks whether they run
_TITLE, _DATA_PLACE = "\0title", "\0data"
TAG: Final = '<script type="application/octet-stream;base64" id="giftsim-trace"'
_DATA: Final = re.compile(TAG.encode() + b" ([^>]*)>([^<]*)</script>")
_VERSION: Final = re.compile(rb'data-version="([0-9]{1,9})"')


class UnreadableTrace(ValueError):
    """A file is not a trace, or one that this version cannot read; the message says which."""


class Head(msgspec.Struct):
    """The data that the page needs."""

    entries: list[msgspec.Raw]


def pack_page(data: bytes, title: str) -> bytes:
    """The page for a trace as JSON."""
    before, between, after = _page()
    entries = len(msgspec.json.decode(data, type=Head).entries)
    content = b64encode(gzip.compress(data, LEVEL, mtime=0))
    opened = f'{TAG} data-version="{VERSION}" data-entries="{entries}">'.encode()
    return b"".join((before, escape(title).encode(), between, opened, content, b"</script>", after))


@cache
def _page() -> tuple[bytes, bytes, bytes]:
    """The parts of the page around its title and its data."""
    page = offline_page(VIEWER, "trace.html", STYLES, SCRIPTS, title=_TITLE, data=_DATA_PLACE, asks=CONSOLES)
    before, rest = page.split(_TITLE)
    between, after = rest.split(_DATA_PLACE)
    return before.encode(), between.encode(), after.encode()


def unpack_page(page: bytes, most: int = USUAL.most_bytes) -> bytes:
    """The JSON of a trace file, of at most `most` bytes. UnreadableTrace."""
    found = _DATA.search(page)
    if found is None:
        raise UnreadableTrace("it is not a trace: it has no data with the id giftsim-trace")
    version = _VERSION.search(found[1])
    if version is None:
        raise UnreadableTrace("it is not a trace: its data have no version")
    check_version(int(version[1]))
    try:
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | _GZIP)
        data = unpacker.decompress(b64decode(found[2], validate=True), most + 1)
    except (NotBase64, zlib.error) as error:
        raise UnreadableTrace(f"its data are damaged: {error}") from None
    if len(data) > most:
        raise UnreadableTrace(f"its data have more than {most:,} bytes{MORE}")
    if not unpacker.eof:
        raise UnreadableTrace("its data are damaged: they end too early")
    return data


def check_version(version: int) -> None:
    """UnreadableTrace for a trace that a later giftsim has written."""
    if version > VERSION:
        raise UnreadableTrace(
            f"a later version of giftsim wrote it: its format has the number {version}, and this giftsim reads up to "
            f"{VERSION}; update giftsim"
        )


def is_trace(content: bytes) -> bool:
    """Whether the content of a file is that of a trace page."""
    return b'id="giftsim-trace"' in content


def read_trace_file(page: bytes) -> dict[str, Any]:
    """All data of a trace file that giftsim has just written. UnreadableTrace."""
    return _decoded(unpack_page(page, LARGE.most_bytes), dict[str, Any])


class Request(msgspec.Struct, gc=False):
    """The request of an entry."""

    path: str


class ClientCall(msgspec.Struct, gc=False):
    """The call of an entry."""

    request: Request


class ControlCall(msgspec.Struct, gc=False):
    """The control call of an entry; one that was refused has a status."""

    path: str
    status: int | None = None


class Cause(msgspec.Struct, gc=False):
    """An entry that an entry follows from, by its number."""

    n: int


class Entry(msgspec.Struct, gc=False):
    """The members of an entry that locate it in the recording."""

    kind: Kind
    call: ClientCall | None = None
    control: ControlCall | None = None
    causes: tuple[Cause, ...] = ()


NONE: Final = msgspec.Raw(b"")


class Contents(msgspec.Struct):
    """The parts of a trace that a simulator keeps in memory."""

    entries: list[Entry]
    recording: msgspec.Raw = NONE
    not_recorded: str = "it is damaged"

    def recorded(self) -> str:
        """The text of the recording. UnreadableTrace without one."""
        if not len(self.recording):
            raise UnreadableTrace(f"the trace has no recording: {self.not_recorded}")
        return _decoded(self.recording, str)


def read_parts(page: bytes, *, large: bool = False) -> Contents:
    """Read these parts of a trace, wherever it is from. UnreadableTrace."""
    limits = LARGE if large else USUAL
    data = unpack_page(page, limits.most_bytes)
    if data.count(b"{") > limits.most_objects:
        raise UnreadableTrace(f"its data have more than {limits.most_objects:,} objects{MORE}")
    found = _decoded(data, Contents)
    if len(found.recording) > limits.most_recorded:
        raise UnreadableTrace(f"its recording has more than {limits.most_recorded:,} bytes{MORE}")
    found.recording = found.recording.copy()  # so that the rest of the data is freed
    return found


def _decoded(data: Any, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UnreadableTrace(f"its data are damaged: {error}") from None


def read_file(path: Path, *, large: bool = False) -> bytes:
    """The content of a file that may be a trace. UnreadableTrace if it is too large; OSError."""
    try:
        return system.read_file(path, (LARGE if large else USUAL).most_bytes)
    except system.TooLarge as error:
        raise UnreadableTrace(f"{path}: {error.strerror}") from None


def recorded_text(path: Path, *, large: bool = False) -> str | bytes:
    """The recording in a trace file; the content of any other file. UnreadableTrace, OSError."""
    content = read_file(path, large=large)
    if not is_trace(content):
        return content
    try:
        return read_parts(content, large=large).recorded()
    except UnreadableTrace as error:
        raise UnreadableTrace(f"{path}: {error}") from None
