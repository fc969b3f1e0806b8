"""The journal file of `--journal`: a header, then one line for each event, written before the event acts (G5).

The file holds secrets, because calls are in it unredacted: only its owner may read it. A written line survives the end
of the process, though not a power failure. A torn last line is cut off; anything else that cannot be read is refused.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from giftsim.event_log.events import JournalRecord
from giftsim.problem import Problem

FORMAT = "giftsim-journal"
NUMBER = 3


class Header(msgspec.Struct, frozen=True):
    """The first line: the format, the version that wrote it, and the options that worlds depend on."""

    format: str
    number: int
    version: str
    seed: int
    fixture: str
    options: dict[str, list[str]] = {}


class Unreadable(Exception):
    """The file is no journal file, was written by another version or with other options, or is damaged.

    The message names the file and the line.
    """


class NotWritten(Problem):
    """The file cannot be written (a full disk). The call does not act, because its record could be lost."""

    status = 503
    code = "journal_not_written"


class JournalFile:
    """An open journal file. One process at a time may have it open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._encode = msgspec.json.Encoder().encode
        os.fchmod(self._fd, 0o600)
        _lock_file(self._fd, path)
        self._size = os.fstat(self._fd).st_size

    def begin(self, header: Header) -> None:
        """Write the first line of a new file."""
        self._append(self._encode(header))

    def write(self, world_id: str, record: JournalRecord) -> None:
        """Append one line. It is in the file when this returns. NotWritten."""
        self._append(self._encode((world_id, record)))

    def read(self) -> tuple[Header | None, Iterator[tuple[str, JournalRecord]]]:
        """The header (None in an empty file) and the records after it. Unreadable. A torn last line is cut off."""
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._fd, whole)
            self._size = whole
        lines = content[:whole].split(b"\n")[:-1]
        if not lines:
            return None, iter(())
        return self._header(lines[0]), self._records(lines)

    def close(self) -> None:
        """Close the file. What has been written stays."""
        with self._lock:
            if self._fd >= 0:
                os.close(self._fd)
            self._fd = -1

    def _append(self, line: bytes) -> None:
        rest = line + b"\n"
        with self._lock:
            if self._fd < 0:
                raise NotWritten(f"the journal {self.path.name} is closed: the simulator has ended")
            try:
                while rest:
                    rest = rest[os.write(self._fd, rest) :]
            except OSError as error:
                os.ftruncate(self._fd, self._size)
                raise NotWritten(f"the journal {self.path.name} cannot be written: {error.strerror}") from None
            self._size += len(line) + 1

    def _header(self, line: bytes) -> Header:
        try:
            header = msgspec.json.decode(line, type=Header)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Unreadable(f"{self.path}:1: this file is not a journal of giftsim") from None
        if (header.format, header.number) != (FORMAT, NUMBER):
            raise Unreadable(
                f"{self.path}:1: giftsim {header.version} wrote this file in format {header.format} {header.number}; "
                f"this version reads {FORMAT} {NUMBER}. Start with a new file, or with that version"
            )
        return header

    def _records(self, lines: list[bytes]) -> Iterator[tuple[str, JournalRecord]]:
        decode = msgspec.json.Decoder(tuple[str, JournalRecord]).decode
        for number, line in enumerate(lines[1:], 2):
            try:
                yield decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise Unreadable(f"{self.path}:{number}: this line is damaged: {error}") from None


def _lock_file(fd: int, path: Path) -> None:
    """Keep other processes from opening the same file, where the system has such locks."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(fd)
            raise Unreadable(f"{path} is in use by another simulator") from None
