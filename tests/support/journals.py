"""Journal files whose lines are changed, with checksums as if they had been written so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from giftsim.event_log.journal_contents import make_line, payloads, verify


def rewrite(journal: Path, change: Callable[[list[bytes]], Iterable[bytes]]) -> None:
    """Write a journal file again with other payloads of its lines."""
    content = journal.read_bytes()
    lines, checksum = [], 0
    for payload in change(list(payloads(content, verify(content)[0]))):
        line, checksum = make_line(payload, checksum)
        lines.append(line)
    journal.write_bytes(b"".join(lines))
