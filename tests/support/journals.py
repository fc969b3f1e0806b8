"""Journal files whose lines are changed, with checksums as if they had been written so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from giftsim.engine.log.journal_contents import lines_from, make_line, verify_whole_lines


class Held:
    """A file in memory."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def read(self, size: int, at: int) -> bytes:
        """At most `size` bytes from byte `at` on."""
        return self.content[at : at + size]

    def size(self) -> int:
        """The number of bytes."""
        return len(self.content)


def end_of(content: bytes) -> tuple[int, int]:
    """Where the whole lines of a file end, and the checksum there. Damaged."""
    return verify_whole_lines(Held(content), len(content))


def payloads(content: bytes) -> list[bytes]:
    """The payloads of its lines."""
    return [payload for _, payload in lines_from(Held(content), 0, end_of(content)[0])]


def rewrite(journal: Path, change: Callable[[list[bytes]], Iterable[bytes]]) -> None:
    """Write a journal file again with other payloads of its lines."""
    lines, checksum = [], 0
    for payload in change(payloads(journal.read_bytes())):
        line, checksum = make_line(payload, checksum)
        lines.append(line)
    journal.write_bytes(b"".join(lines))
