"""The journal file of `--journal`: a header, then one line for each event, written before the event acts (G5).

The file holds secrets, because calls are in it unredacted: only its owner may read it. A written line survives the end
of the process, and after a clean stop a power failure too (G200). A torn last line is cut off, and anything else that
is not as it was written is refused (G70). A file that is refused stays as it is.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from giftsim.engine.log.inputs import JournalRecord
from giftsim.engine.log.journal_contents import Contents, Header, Unreadable, make_line, read_contents
from giftsim.engine.problem import Problem
from giftsim.engine.system import SYSTEM, Locked, NotRegular, System


class NotWritten(Problem, status=503, code="journal_not_written"):
    """The file cannot be written (a full disk). The call does not act, because its record could be lost."""


class JournalFile:
    """An open journal file. One process at a time may have it open. `lines` counts those that were written or replayed.

    Call `read` first, then either `begin` or `go_on`. Until then nothing in the file is changed.
    """

    def __init__(self, path: Path, system: System = SYSTEM) -> None:
        self.path = path
        self._lock = system.lock()
        self._encode = msgspec.json.Encoder().encode
        self._size = self._checksum = self.lines = 0
        self._is_closed = self._is_torn = False
        try:
            self._file = system.open_file(path)
        except NotRegular:
            raise Unreadable(f"{path} is not a regular file; a journal is kept in one") from None
        except Locked:
            raise Unreadable(f"{path} is in use by another simulator") from None

    def read(self) -> Contents:
        """Read and verify what the file holds. Unreadable."""
        return read_contents(self.path, self._file)

    def read_until(self, end: int) -> Contents:
        """The contents of the file before byte `end`, which starts a line that this process has verified."""
        return Contents(self.path, self._file, None, end, 0)

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
        """Wait until the disk has everything, so that a power failure loses nothing, then close the file."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            try:
                self._file.sync()
            except OSError as error:
                _warn(f"the journal {self.path.name} may not survive a power failure: {error.strerror}")
            self._file.close()

    def _continue_at(self, end: int, checksum: int) -> None:
        self._file.keep_private()
        if self._file.size() != end:
            self._file.truncate(end)
        self._size, self._checksum = end, checksum

    def _append(self, payload: bytes) -> int:
        with self._lock:
            if self._is_closed:
                raise NotWritten(f"the journal {self.path.name} is closed: the simulator has ended")
            line, checksum = make_line(payload, self._checksum)
            try:
                self._write_whole(line)
            except OSError as error:
                raise NotWritten(f"the journal {self.path.name} cannot be written: {error.strerror}") from None
            at = self._size
            self._size, self._checksum, self.lines = at + len(line), checksum, self.lines + 1
            return at

    def _write_whole(self, line: bytes) -> None:
        """Append a line, or take back what was written of it: now, or else before the next one. OSError."""
        if self._is_torn:
            self._take_back()
        self._is_torn, rest = True, line
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            self._take_back()
            raise
        self._is_torn = False

    def _take_back(self) -> None:
        self._file.truncate(self._size)
        self._is_torn = False


def _warn(message: str) -> None:
    import logging  # a file that is kept well has nothing to log

    logging.getLogger("giftsim").warning("%s", message)
