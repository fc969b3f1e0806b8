"""The lines of a journal file: each with its length and checksums, so that damage and a torn end are told apart (G70).

A line is `LENGTH HEAD PAYLOAD CHECK` and a line feed. LENGTH is that of the payload in bytes. HEAD and CHECK are the
CRC-32 of all bytes of the file before them. These three are eight hexadecimal digits each. One pass over a file proves
all of it, and a line that was changed, removed, repeated or moved is found where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

BEFORE = 18  # the bytes of a line before its payload
AFTER = 10  # the bytes after it, with the line feed


class Damaged(Exception):
    """A line is not as it was written. `line` is its number from 1, `at` the byte at which it begins."""

    def __init__(self, line: int, at: int) -> None:
        super().__init__(line, at)
        self.line, self.at = line, at


def make_line(payload: bytes, checksum: int) -> tuple[bytes, int]:
    """The line for a payload after bytes with that checksum, and the checksum after the line."""
    length = b"%08x " % len(payload)
    head = crc32(length, checksum)
    middle = b"%08x %b " % (head, payload)
    check = crc32(middle, head)
    end = b"%08x\n" % check
    return length + middle + end, crc32(end, check)


def verify(content: bytes) -> tuple[int, int]:
    """Where the whole lines of a file end, and the checksum there. Damaged.

    What follows is the beginning of a line, as the end of a process in the middle of a write leaves it.
    """
    end = content.rfind(b"\n") + 1
    if end >= BEFORE + AFTER:
        check = crc32(memoryview(content)[: end - AFTER + 1])
        if content[end - AFTER + 1 : end] == b"%08x\n" % check:
            checksum = crc32(memoryview(content)[end - AFTER + 1 : end], check)
            if not is_beginning(content[end:], checksum):
                raise Damaged(content.count(b"\n") + 1, end)
            return end, checksum
    return _verify_each(content)


def is_line(beginning: bytes) -> bool:
    """Whether a file that begins like this begins with a line."""
    return _has_head(beginning, 0)


def payloads(content: bytes, end: int) -> Iterator[bytes]:
    """The payloads of verified lines."""
    return (payload for _, payload in lines_from(content, 0, end))


def lines_from(content: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The verified lines from the one on that begins at byte `start`: where each begins, and its payload."""
    while start < end:
        after = content.find(b"\n", start) + 1
        yield start, content[start + BEFORE : after - AFTER]
        start = after


def is_beginning(rest: bytes | memoryview, checksum: int) -> bool:
    """Whether this is the beginning of a line after bytes with that checksum, and ends before the line does."""
    if len(rest) < BEFORE:
        return True
    return _has_head(rest, checksum) and len(rest) < _length(rest)


def _verify_each(content: bytes) -> tuple[int, int]:
    """Verify line by line, to name the first that is damaged."""
    number, start, checksum, view = 1, 0, 0, memoryview(content)
    while not is_beginning(view[start:], checksum):
        rest = view[start:]
        if not _has_head(rest, checksum):
            raise Damaged(number, start)
        end = start + _length(rest)
        line, checksum = make_line(content[start + BEFORE : end - AFTER], checksum)
        if content[start:end] != line:
            raise Damaged(number, start)
        number, start = number + 1, end
    return start, checksum


def _has_head(rest: bytes | memoryview, checksum: int) -> bool:
    """Whether the length at the beginning of a line is what was written."""
    return bytes(rest[9:BEFORE]) == b"%08x " % crc32(rest[:9], checksum)


def _length(rest: bytes | memoryview) -> int:
    """The bytes of a whole line, whose head is right."""
    return BEFORE + int(bytes(rest[:8]), 16) + AFTER
