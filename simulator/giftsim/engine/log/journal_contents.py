"""What a journal file holds, read and verified without changing the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from zlib import crc32

import msgspec
from msgspec.structs import replace

from giftsim.engine.log.inputs import Checkpoint, CheckpointsComplete, JournalRecord, WholeState

BEFORE = 18  # the bytes of a line before its payload
AFTER = 10  # the bytes after it, with the line feed
BLOCK = 1024 * 1024  # how much of a file is in memory at a time, unless a line is longer


class Source(Protocol):
    """A file whose bytes can be read from any place."""

    def read(self, size: int, at: int) -> bytes:
        """At most `size` bytes from byte `at` on; none at the end."""

    def size(self) -> int:
        """The number of bytes."""


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


def verify_whole_lines(source: Source, size: int) -> tuple[int, int]:
    """Where the whole lines in the first `size` bytes of a file end, and the checksum there. Damaged.

    What follows is the beginning of a line that a process did not finish.
    """
    end = _last_line_feed(source, size) + 1
    if end >= BEFORE + AFTER:
        check = 0
        for block in _blocks(source, 0, end - AFTER + 1):
            check = crc32(block, check)
        last = read_bytes(source, end - AFTER + 1, end)
        if last == b"%08x\n" % check:
            checksum = crc32(last, check)
            if not _is_beginning(source, end, size, checksum):
                raise Damaged(count_lines(source, end) + 1, end)
            return end, checksum
    return _verify_each(source, size)


def is_line(beginning: bytes) -> bool:
    """Whether a file that begins like this begins with a line."""
    return _has_head(beginning, 0)


def read_bytes(source: Source, start: int, end: int) -> bytes:
    """The bytes from `start` to before `end`; fewer if the file ends before."""
    parts: list[bytes] = []
    while start < end and (part := source.read(end - start, start)):
        parts.append(part)
        start += len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def lines_from(source: Source, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The verified lines from byte `start` on: where each begins, and its payload."""
    block, at = b"", start
    while start < end:
        after = block.find(b"\n", start - at) + 1
        if not after:
            size = _length(read_bytes(source, start, start + BEFORE))
            block, at = read_bytes(source, start, min(end, start + max(size, BLOCK))), start
            after = block.index(b"\n") + 1
        yield start, block[start - at + BEFORE : after - AFTER]
        start = at + after


def count_lines(source: Source, end: int) -> int:
    """The number of lines that end before a byte."""
    return sum(block.count(b"\n") for block in _blocks(source, 0, end))


def find_last(source: Source, text: bytes, end: int) -> int:
    """The last place of a text in a file before byte `end`; -1 if there is none."""
    while end > 0:
        start = max(0, end - BLOCK)
        if (found := read_bytes(source, start, end).rfind(text)) >= 0:
            return start + found
        end = start + len(text) - 1 if start else 0
    return -1


def _blocks(source: Source, start: int, end: int) -> Iterator[bytes]:
    """The bytes from `start` to before `end`, a block at a time."""
    while start < end and (block := source.read(min(BLOCK, end - start), start)):
        yield block
        start += len(block)


def _last_line_feed(source: Source, end: int) -> int:
    return find_last(source, b"\n", end)


def _is_beginning(source: Source, start: int, size: int, checksum: int) -> bool:
    """Whether the end of a file is the beginning of a line after bytes with that checksum, and not the whole line."""
    head = read_bytes(source, start, min(size, start + BEFORE))
    if len(head) < BEFORE:
        return True
    return _has_head(head, checksum) and size - start < _length(head)


def _verify_each(source: Source, size: int) -> tuple[int, int]:
    """Verify line by line, to name the first that is damaged."""
    number, start, checksum = 1, 0, 0
    while not _is_beginning(source, start, size, checksum):
        head = read_bytes(source, start, start + BEFORE)
        if not _has_head(head, checksum):
            raise Damaged(number, start)
        end = start + _length(head)
        found = read_bytes(source, start, min(end, size))
        line, checksum = make_line(found[BEFORE:-AFTER], checksum)
        if found != line:
            raise Damaged(number, start)
        number, start = number + 1, end
    return start, checksum


def _has_head(rest: bytes, checksum: int) -> bool:
    """Whether the length at the beginning of a line is what was written."""
    return rest[9:BEFORE] == b"%08x " % crc32(rest[:9], checksum)


def _length(head: bytes) -> int:
    """The bytes of a whole line, whose head is right."""
    return BEFORE + int(head[:8], 16) + AFTER


FORMAT = "giftsim-journal"
NUMBER = 4
_COMPLETION = b'["",{"t":"complete",'  # nothing that was sent can look like this: quotes are escaped in JSON
_decode = msgspec.json.Decoder(tuple[str, JournalRecord]).decode
_BEGINNING = 4096  # bytes, in which a journal file says what it is


class Header(msgspec.Struct, frozen=True):
    """The first line: the format, the version that wrote it, and the options that worlds depend on."""

    format: str
    number: int
    version: str
    seed: int
    fixture: str
    options: dict[str, list[str]] = {}


class Unreadable(Exception):
    """The file is not a journal file, was written by another version or with other options, or is damaged.

    The message names the file and the line.
    """


class Contents(msgspec.Struct, frozen=True):
    """The verified lines of a journal file, which stay in the file: they end at byte `end`, with the checksum there.

    `header` is None in a new file. The last `torn` bytes of the file are the beginning of a line that was not written
    whole.
    """

    path: Path
    source: Source
    header: Header | None
    end: int
    checksum: int
    torn: int = 0

    def records(self) -> Iterator[tuple[str, JournalRecord]]:
        """The records after the header, each with its world's id. Unreadable."""
        return (line for _, line in self.records_from(self.first))

    @property
    def first(self) -> int:
        """The byte at which the first line after the header begins."""
        return next((at + BEFORE + len(payload) + AFTER for at, payload in lines_from(self.source, 0, self.end)), 0)

    def records_from(self, start: int) -> Iterator[tuple[int, tuple[str, JournalRecord]]]:
        """The records in the lines from byte `start` on, each with the byte of its line. Unreadable."""
        for at, payload in lines_from(self.source, start, self.end):
            try:
                yield at, _decode(payload)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                number = self.line_number(at)
                raise Unreadable(f"{self.path}:{number}: this line is not a record of this version: {error}") from None

    def checkpoint_at(self, at: int) -> Checkpoint:
        """The checkpoint in the line that begins at a byte. Unreadable."""
        record = self._record_at(at)
        if not isinstance(record, Checkpoint):
            raise Unreadable(f"{self.path}:{self.line_number(at)}: this line is not a checkpoint")
        return record

    def whole_state_at(self, at: int) -> WholeState:
        """The whole state in the line that begins at a byte. Unreadable."""
        record = self._record_at(at)
        if not isinstance(record, WholeState):
            raise Unreadable(f"{self.path}:{self.line_number(at)}: this line is not a whole state")
        return record

    def _record_at(self, at: int) -> JournalRecord:
        """The record in one line: nothing behind it is read."""
        end = at + _length(read_bytes(self.source, at, at + BEFORE))
        return next(replace(self, end=end).records_from(at))[1][1]

    def completions(self) -> Iterator[CheckpointsComplete]:
        """Where all worlds had checkpoints, newest first."""
        end = self.end
        while (found := find_last(self.source, _COMPLETION, end)) >= 0:
            _, (_, record) = next(self.records_from(found - BEFORE))
            if isinstance(record, CheckpointsComplete):
                yield record
            end = found

    def line_number(self, at: int) -> int:
        """The number of the line that begins at a byte."""
        return count_lines(self.source, at) + 1


def read_contents(path: Path, source: Source) -> Contents:
    """Read and verify an open file. Unreadable."""
    beginning, size = source.read(_BEGINNING, 0), source.size()
    if not beginning:
        return Contents(path, source, None, 0, 0)
    _check_beginning(path, beginning)
    try:
        end, checksum = verify_whole_lines(source, size)
    except Damaged as error:
        raise _damaged(path, error.line, error.at) from None
    payload = next((payload for _, payload in lines_from(source, 0, end)), None)
    header = _header(path, payload) if payload is not None else None
    return Contents(path, source, header, end, checksum, size - end)


def _check_beginning(path: Path, beginning: bytes) -> None:
    """Unreadable unless the file begins with a line of this format: nothing else is read, or ever written to."""
    if len(beginning) >= BEFORE and is_line(beginning):
        return
    if beginning.startswith(b'{"format":'):
        _header(path, beginning.partition(b"\n")[0])  # of a version whose lines had no checksums
    if f'"format":"{FORMAT}"'.encode() in beginning:
        raise _damaged(path, 1, 0)
    raise _not_a_journal(path)


def _header(path: Path, payload: bytes) -> Header:
    try:
        header = msgspec.json.decode(payload, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _not_a_journal(path) from None
    if header.format != FORMAT:
        raise _not_a_journal(path)
    if header.number != NUMBER:
        raise Unreadable(
            f"{path}:1: giftsim {header.version} wrote this file in format {header.format} {header.number}; "
            f"this version reads {FORMAT} {NUMBER}. Start with a new file, or with that version"
        )
    return header


def _not_a_journal(path: Path) -> Unreadable:
    return Unreadable(f"{path}:1: this file is not a journal of giftsim; it stays as it is")


def _damaged(path: Path, line: int, at: int) -> Unreadable:
    return Unreadable(
        f"{path}:{line}: this line is damaged (it begins at byte {at}): its checksum does not match. Restore the file "
        "from a copy, or start with a new one"
    )
