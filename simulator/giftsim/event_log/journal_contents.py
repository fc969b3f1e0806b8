"""What a journal file holds, read and verified without changing the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import msgspec

from giftsim.event_log.inputs import Checkpoint, CheckpointsComplete, JournalRecord
from giftsim.system import File

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
    """The verified lines of a journal file: they end at byte `end`, where the checksum is `checksum`.

    `header` is None in a new file. The last `torn` bytes of the file are the beginning of a line that was not written
    whole.
    """

    path: Path
    content: bytes
    header: Header | None
    end: int
    checksum: int

    @property
    def torn(self) -> int:
        """How many bytes follow the last whole line."""
        return len(self.content) - self.end

    def records(self) -> Iterator[tuple[str, JournalRecord]]:
        """The records after the header, each with its world's id. Unreadable."""
        return (line for _, line in self.records_from(self.content.find(b"\n") + 1))

    def records_from(self, start: int) -> Iterator[tuple[int, tuple[str, JournalRecord]]]:
        """The records from the line on that begins at byte `start`, each with the byte of its line. Unreadable."""
        for at, payload in lines_from(self.content, start, self.end):
            try:
                yield at, _decode(payload)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                number = self.line_number(at)
                raise Unreadable(f"{self.path}:{number}: this line is not a record of this version: {error}") from None

    def checkpoint_at(self, at: int) -> Checkpoint:
        """The checkpoint in the line that begins at a byte. Unreadable."""
        _, (_, record) = next(self.records_from(at))
        if not isinstance(record, Checkpoint):
            raise Unreadable(f"{self.path}:{self.line_number(at)}: this line is not a checkpoint")
        return record

    def completions(self) -> Iterator[CheckpointsComplete]:
        """Where all worlds had checkpoints, newest first."""
        end = self.end
        while (found := self.content.rfind(_COMPLETION, 0, end)) >= 0:
            _, (_, record) = next(self.records_from(found - BEFORE))
            if isinstance(record, CheckpointsComplete):
                yield record
            end = found

    def line_number(self, at: int) -> int:
        """The number of the line that begins at a byte."""
        return self.content.count(b"\n", 0, at) + 1


def read_contents(path: Path, file: File) -> Contents:
    """Read and verify an open file. Unreadable."""
    beginning = file.read(_BEGINNING, 0)
    if not beginning:
        return Contents(path, b"", None, 0, 0)
    _check_beginning(path, beginning)
    content = file.read_all()
    try:
        end, checksum = verify(content)
    except Damaged as error:
        raise _damaged(path, error.line, error.at) from None
    payload = next(payloads(content, end), None)
    return Contents(path, content, _header(path, payload) if payload is not None else None, end, checksum)


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
