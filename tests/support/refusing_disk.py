"""A disk that refuses what a journal file asks of it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from giftsim.engine.system import File


class RefusingDisk:
    """A disk that has no room while `is_full`, and lets nothing be taken back while it is `is_stuck`."""

    def __init__(self) -> None:
        self.is_full = self.is_stuck = False
        self.done: list[str] = []

    def open(self, path: Path) -> File:
        """Open a file of this disk."""
        disk = self

        class RefusingFile(File):
            def write(self, data: bytes) -> int:
                if disk.is_full and len(data) <= 10:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return super().write(data[:10] if disk.is_full else data)

            def truncate(self, size: int) -> None:
                if disk.is_stuck:
                    raise OSError(errno.EIO, "Input/output error")
                super().truncate(size)

            def sync(self) -> None:
                disk.done.append("sync")
                if disk.is_stuck:
                    raise OSError(errno.EIO, "Input/output error")

            def close(self) -> None:
                disk.done.append("close")
                super().close()

        return RefusingFile(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600))
