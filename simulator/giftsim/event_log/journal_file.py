"""The file of `--journal`: a header, then a line for each input, written before the input acts (G5).

The file holds secrets, since calls stand in it as they came: only its owner may read it. A line survives the process
once it is written, though not the power. A last line that was torn is cut; what else cannot be read is refused.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from giftsim.event_log.events import Word
from giftsim.kernel.problem import Problem

FORMAT = "giftsim-journal"
NUMBER = 1


class Header(msgspec.Struct, frozen=True):
    """The first line: what the process was started with; `options` are those that a world's birth depends on."""

    format: str
    number: int
    version: str
    seed: int
    fixture: str
    options: dict[str, list[str]] = {}


class Unreadable(Exception):
    """The file is none of ours, or was written by something else, or is damaged; the message names the line."""


class NotWritten(Problem):
    """The file took no more (a full disk): the call does not act, since its record could be lost."""

    status = 503
    code = "journal_not_written"


class JournalFile:
    """The open file; appended to by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._encode = msgspec.json.Encoder().encode
        os.fchmod(self._fd, 0o600)
        _lock(self._fd, path)
        self._size = os.fstat(self._fd).st_size

    def begin(self, header: Header) -> None:
        """Write the first line of a new file."""
        self._append(self._encode(header))

    def write(self, world_id: str, word: Word) -> None:
        """Append one line; it is written when this returns."""
        self._append(self._encode((world_id, word)))

    def read(self) -> tuple[Header | None, Iterator[tuple[str, Word]]]:
        """The header, None in an empty file, and the lines after it; Unreadable on the way. A torn last line is cut."""
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._fd, whole)
            self._size = whole
        lines = content[:whole].split(b"\n")[:-1]
        if not lines:
            return None, iter(())
        return self._header(lines[0]), self._words(lines)

    def close(self) -> None:
        """Close the file; what has been written stays."""
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
            raise Unreadable(f"{self.path}:1: this is no journal of giftsim") from None
        if (header.format, header.number) != (FORMAT, NUMBER):
            raise Unreadable(f"{self.path}:1: the format is {header.format} {header.number}, not {FORMAT} {NUMBER}")
        return header

    def _words(self, lines: list[bytes]) -> Iterator[tuple[str, Word]]:
        decode = msgspec.json.Decoder(tuple[str, Word]).decode
        for number, line in enumerate(lines[1:], 2):
            try:
                yield decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise Unreadable(f"{self.path}:{number}: this line is damaged: {error}") from None


def _lock(fd: int, path: Path) -> None:
    """Keep other processes from writing to the same file, where the system has such locks."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(fd)
            raise Unreadable(f"{path} is in use by another simulator") from None
