"""Where a request ends must be clear to everybody who reads it: what is ambiguous is refused (G83, RFC 9112)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum

MAX_LINE = 1_024
MAX_TRAILER = 8 * 1_024
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})(?:[ \t]*;[^\r\n\x00]*)?\r\n")
_FIELD = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[^\r\n\x00]*\r\n")


def framing_error(version: str, headers: Mapping[str, str], transfer_encoding: str | None) -> str | None:
    """Why the length of a request's body is not clear, or None. Header names are in upper case with `_`."""
    if "," in headers.get("HOST", ""):
        return "there is more than one Host"
    if transfer_encoding is None:
        return None
    if "CONTENT_LENGTH" in headers:
        return "Content-Length and Transfer-Encoding exclude each other"
    if version != "1.1":
        return f"HTTP/{version} has no Transfer-Encoding"
    return None if transfer_encoding.lower() == "chunked" else "Transfer-Encoding can only be chunked"


class _Expects(Enum):
    SIZE = "a chunk size in hexadecimal"
    END = "a line break at the end of a chunk"
    TRAILER = "a header or an empty line"


class ChunkedBody:
    """Reads a chunked body. `write` gets its content, `error` says what is wrong with it."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.completed, self.error = False, ""
        self._write = write
        self._left, self._trailer_bytes = 0, 0
        self._line = b""
        self._expects = _Expects.SIZE

    def feed(self, data: bytes) -> int:
        """Read on; how many of the bytes belong to the body. Nothing is read after the end or an error."""
        at = 0
        while at < len(data) and not self.completed and not self.error:
            if self._left:
                chunk = data[at : at + self._left]
                self._write(chunk)
                self._left -= len(chunk)
                at += len(chunk)
            else:
                end = data.find(b"\n", at) + 1 or len(data)
                self._take(data[at:end])
                at = end
        return at

    def _take(self, piece: bytes) -> None:
        self._line += piece
        if len(self._line) > MAX_LINE:
            self.error = f"a line of the chunked body is longer than {MAX_LINE} bytes"
        elif self._line.endswith(b"\n"):
            line, self._line = self._line, b""
            if not self._understands(line):
                self.error = f"the chunked body has {line[:40]!r} in place of {self._expects.value}"

    def _understands(self, line: bytes) -> bool:
        if self._expects is _Expects.END:
            self._expects = _Expects.SIZE
            return line == b"\r\n"
        if self._expects is _Expects.SIZE:
            size = _SIZE.fullmatch(line)
            if size is None:
                return False
            self._left = int(size[1], 16)
            self._expects = _Expects.END if self._left else _Expects.TRAILER
            return True
        self.completed = line == b"\r\n"
        self._trailer_bytes += len(line)
        return self.completed or (self._trailer_bytes <= MAX_TRAILER and _FIELD.fullmatch(line) is not None)
