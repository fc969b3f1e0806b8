"""The disk: what a process has written, what of that a power failure leaves, and the ways in which it refuses."""

from __future__ import annotations

import errno
from pathlib import Path

from giftsim.engine.system import Locked
from tests.simulation.network import Network
from tests.simulation.scheduler import Owner, Scheduler

SHORT = 0.05  # how often a write takes a part only


class Trouble:
    """What the disk refuses now. `room` bytes are left; None is enough of them."""

    def __init__(self) -> None:
        self.room: int | None = None
        self.fails_to_sync = self.fails_to_truncate = False


class Content:
    """The bytes of a file. A power failure leaves the first `synced` of them, and perhaps more."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.synced = 0
        self.holder: Owner | None = None

    def read(self, size: int, at: int) -> bytes:
        """At most so many bytes from byte `at` on."""
        return bytes(self.data[at : at + size])

    def size(self) -> int:
        """The number of bytes."""
        return len(self.data)


class Disk:
    """The files of the simulated machine."""

    def __init__(self, scheduler: Scheduler, network: Network) -> None:
        self.scheduler, self.network = scheduler, network
        self.files: dict[str, Content] = {}
        self.trouble = Trouble()
        self.failed_syncs = 0

    def open(self, path: Path, owner: Owner) -> SimulatedFile:
        """Open a file of a process, or make it. Locked while another process has it."""
        self.scheduler.point()
        content = self.files.setdefault(str(path), Content())
        if content.holder is not None and content.holder.is_alive:
            raise Locked
        file = SimulatedFile(self, content, owner)
        content.holder = owner
        return file


class SimulatedFile:
    """An open file, with the members of `giftsim.engine.system.File`."""

    def __init__(self, disk: Disk, content: Content, owner: Owner) -> None:
        self._disk, self._content, self._owner = disk, content, owner
        self._number = disk.network.descriptors_of(owner).take(self)

    def write(self, data: bytes) -> int:
        """Append bytes, or the first of them."""
        self._enter()
        trouble, random = self._disk.trouble, self._disk.scheduler.random
        size = len(data)
        if trouble.room is not None:
            if not trouble.room:
                raise OSError(errno.ENOSPC, "No space left on device")
            size = min(size, trouble.room)
            trouble.room -= size
        if size > 1 and random.random() < SHORT:
            size = 1 + int(random.random() * (size - 1))
        self._content.data += data[:size]
        self._disk.scheduler.point()
        return size

    def read(self, size: int, at: int) -> bytes:
        """At most so many bytes from byte `at` on."""
        self._enter()
        return self._content.read(size, at)

    def size(self) -> int:
        """The number of bytes."""
        return self._content.size()

    def truncate(self, size: int) -> None:
        """Cut off what follows the first bytes."""
        self._enter()
        if self._disk.trouble.fails_to_truncate:
            raise OSError(errno.EIO, "Input/output error")
        del self._content.data[size:]
        self._content.synced = min(self._content.synced, size)

    def keep_private(self) -> None:
        """Nothing: there are no other users."""

    def sync(self) -> None:
        """Have a power failure leave what was written."""
        self._enter()
        if self._disk.trouble.fails_to_sync:
            self._disk.failed_syncs += 1
            raise OSError(errno.EIO, "Input/output error")
        self._content.synced = len(self._content.data)

    def close(self) -> None:
        """Close the file."""
        self._enter()
        self._content.holder = None
        self._disk.network.descriptors_of(self._owner).give_back(self._number)

    def _enter(self) -> None:
        self._disk.scheduler.point()
