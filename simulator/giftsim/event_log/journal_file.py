"""The journal file of `--journal`: a header, then one line for each event, written before the event acts (G5).

The file holds secrets, because calls are in it unredacted: only its owner may read it. A written line survives the end
of the process, though not a power failure. A torn last line is cut off, and anything else that is not as it was written
is refused (G70). A file that is refused stays as it is.
"""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress
from pathlib import Path

import msgspec

from giftsim.event_log.inputs import JournalRecord
from giftsim.event_log.journal_contents import Contents, Header, Unreadable, make_line, read_contents
from giftsim.problem import Problem


class NotWritten(Problem, status=503, code="journal_not_written"):
    """The file cannot be written (a full disk). The call does not act, because its record could be lost."""


class JournalFile:
    """An open journal file. One process at a time may have it open. `lines` counts those that were written or replayed.

    `read` it first; then either `begin` or `go_on`, before which nothing in the file is changed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._encode = msgspec.json.Encoder().encode
        self._size = self._checksum = self.lines = 0
        try:
            if not stat.S_ISREG(os.fstat(self._fd).st_mode):
                raise Unreadable(f"{path} is not a regular file; a journal is kept in one")
            _lock_file(self._fd, path)
        except BaseException:
            self.close()
            raise

    def read(self) -> Contents:
        """Read and verify what the file holds. Unreadable."""
        return read_contents(self.path, self._fd)

    def read_until(self, end: int) -> Contents:
        """What the file holds before byte `end`, where a line begins that this process has read and verified."""
        parts: list[bytes] = []
        size = 0
        while size < end and (part := os.pread(self._fd, end - size, size)):
            parts.append(part)
            size += len(part)
        return Contents(self.path, b"".join(parts), None, size, 0)

    def begin(self, header: Header) -> None:
        """Write the first line of a new file."""
        self._continue_at(0, 0)
        self._append(self._encode(header))

    def go_on(self, contents: Contents) -> None:
        """Append from now on to what was read. A torn last line is cut off."""
        self._continue_at(contents.end, contents.checksum)

    def write(self, world_id: str, record: JournalRecord) -> int:
        """Append one line; the byte at which it begins. It is in the file when this returns. NotWritten."""
        return self._append(self._encode((world_id, record)))

    @property
    def size(self) -> int:
        """The byte at which the next line begins."""
        return self._size

    def close(self) -> None:
        """Close the file. What has been written stays."""
        with self._lock:
            if self._fd >= 0:
                os.close(self._fd)
            self._fd = -1

    def _continue_at(self, end: int, checksum: int) -> None:
        os.fchmod(self._fd, 0o600)
        if os.fstat(self._fd).st_size != end:
            os.ftruncate(self._fd, end)
        self._size, self._checksum = end, checksum

    def _append(self, payload: bytes) -> int:
        with self._lock:
            if self._fd < 0:
                raise NotWritten(f"the journal {self.path.name} is closed: the simulator has ended")
            line, checksum = make_line(payload, self._checksum)
            rest = line
            try:
                while rest:
                    rest = rest[os.write(self._fd, rest) :]
            except OSError as error:
                os.ftruncate(self._fd, self._size)
                raise NotWritten(f"the journal {self.path.name} cannot be written: {error.strerror}") from None
            at = self._size
            self._size, self._checksum, self.lines = at + len(line), checksum, self.lines + 1
            return at


def _lock_file(fd: int, path: Path) -> None:
    """Keep other processes from opening the same file, where the system has such locks."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unreadable(f"{path} is in use by another simulator") from None
