"""A report in a folder: its page, its data, the traces it links to, and their sums."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.workbench.exam.signature import SIGNATURE, SUMS, read_sums, write_sums
from giftsim.workbench.report.report_page import report_page

PAGE, DATA = "report.html", "report.json"
_OWN: Final = (SUMS, SIGNATURE)


class FolderInUse(Exception):
    """The folder has files, and they are not those of a report; the message names it."""


def clear(folder: Path) -> None:
    """Make a folder ready: remove the files of an earlier report. FolderInUse, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        return
    sums = read_sums(folder) if (folder / SUMS).is_file() else {}
    if not {PAGE, DATA} <= sums.keys():
        raise FolderInUse(f"{folder} has files that are not those of a report; name an empty folder, or a new one")
    for name in (*sums, *_OWN):
        (folder / name).unlink(missing_ok=True)


def write(folder: Path, data: dict[str, Any]) -> None:
    """Write the page and the data of a report, and the sums of all its files. OSError."""
    (folder / DATA).write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n")
    (folder / PAGE).write_bytes(report_page(data))
    traces = [each["trace"] for each in (data["readiness"] or {}).get("scenarios", ()) if each["trace"]]
    write_sums(folder, [PAGE, DATA, *traces])
