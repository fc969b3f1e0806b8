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
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

import msgspec

VIEWER: Final = Path(__file__).parent / "viewer"
VERSION: Final = 1
LEVEL: Final = 6
MOST_BYTES: Final = 512 * 1024 * 1024
_GZIP: Final = 16
_STYLE: Final = re.compile(r'<link rel="stylesheet" href="([\w-]+\.css)">\n?')
_SCRIPT: Final = re.compile(r'<script type="module" src="([\w-]+\.js)"></script>\n?')
_IMPORT: Final = re.compile(r'^import [^;]*? from "\./[\w-]+\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=async |class |const |function |let )", re.MULTILINE)
TAG: Final = '<script type="application/octet-stream;base64" id="giftsim-trace"'
_DATA: Final = re.compile(TAG.encode() + b" ([^>]*)>([^<]*)</script>")
_VERSION: Final = re.compile(rb'data-version="([0-9]{1,9})"')


class UnreadableTrace(ValueError):
    """A file is not a trace, or one that this version cannot read; the message says which."""


class Head(msgspec.Struct):
    """What the page needs of the data."""

    entries: list[msgspec.Raw]


def pack(data: bytes, title: str) -> bytes:
    """The page for a trace as JSON."""
    before, between, after = _page()
    entries = len(msgspec.json.decode(data, type=Head).entries)
    content = b64encode(gzip.compress(data, LEVEL, mtime=0))
    opened = f'{TAG} data-version="{VERSION}" data-entries="{entries}">'.encode()
    return b"".join((before, escape(title).encode(), between, opened, content, b"</script>", after))


@cache
def _page() -> tuple[bytes, bytes, bytes]:
    """The parts of the page around its title and its data."""
    page = (VIEWER / "trace.html").read_text(encoding="utf-8")
    styles = "".join((VIEWER / name).read_text(encoding="utf-8") for name in _STYLE.findall(page))
    script = "".join(_joined((VIEWER / name).read_text(encoding="utf-8")) for name in _SCRIPT.findall(page))
    page = _SCRIPT.sub("", _STYLE.sub("", page))
    policy = (
        f"default-src 'none'; style-src '{style_hash(styles)}'; script-src '{style_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    page = page.replace("{{policy}}", policy).replace("{{style}}", f"<style>{styles}</style>")
    page = page.replace("{{script}}", f'<script type="module">{script}</script>')
    before, rest = page.split("{{title}}")
    between, after = rest.split("{{data}}")
    return before.encode(), between.encode(), after.encode()


def _joined(module: str) -> str:
    """A module as part of one script with all others, in the order of the page: without its imports and exports."""
    return _EXPORT.sub("", _IMPORT.sub("", module))


def style_hash(text: str) -> str:
    """The hash of a style or a script, by which a page's policy allows it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def unpack(page: bytes) -> bytes:
    """The JSON of a trace file. UnreadableTrace."""
    found = _DATA.search(page)
    if found is None:
        raise UnreadableTrace("it is not a trace: it has no data with the id giftsim-trace")
    version = _VERSION.search(found[1])
    if version is None:
        raise UnreadableTrace("it is not a trace: its data have no version")
    check_version(int(version[1]))
    try:
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | _GZIP)
        data = unpacker.decompress(b64decode(found[2], validate=True), MOST_BYTES)
    except (NotBase64, zlib.error) as error:
        raise UnreadableTrace(f"its data are damaged: {error}") from None
    if not unpacker.eof:
        raise UnreadableTrace(f"its data are damaged, or larger than {MOST_BYTES} bytes")
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


def read(page: bytes) -> dict[str, Any]:
    """The data of a trace file. UnreadableTrace."""
    try:
        data: dict[str, Any] = msgspec.json.decode(unpack(page), type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise UnreadableTrace(f"its data are damaged: {error}") from None
    return data


def recorded_text(path: Path) -> str | None:
    """The recording in a trace file; None for a file that is not a trace. UnreadableTrace if it has none."""
    content = path.read_bytes()
    if not is_trace(content):
        return None
    data = read(content)
    if "recording" not in data:
        raise UnreadableTrace(f"{path}: the trace has no recording: {data.get('not_recorded')}")
    return str(data["recording"])
