"""The folder of an exam: its page, its data, the traces of what failed, and their sums."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.workbench.exam.page.exam_page import about, exam_page, verdict
from giftsim.workbench.exam.signature import SIGNATURE, SUMS, read_sums, write_sums
from giftsim.workbench.trace.own_folder import begin_folder

PAGE, DATA = "exam.html", "exam.json"
_FORMER: Final = "report.json"


class FolderInUse(Exception):
    """The folder has files, and they are not those of an exam; the message names it."""


def clear(folder: Path) -> None:
    """Make a folder ready: remove the files of an earlier exam, or of a report. FolderInUse, OSError."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    sums = read_sums(folder) if (folder / SUMS).is_file() else {}
    if DATA not in sums and _FORMER not in sums:
        raise FolderInUse(f"{folder} has files that are not those of an exam; name an empty folder, or a new one")
    for name in (*sums, SUMS, SIGNATURE):
        (folder / name).unlink(missing_ok=True)


def write(folder: Path, data: dict[str, Any]) -> None:
    """Write the page and the data of an exam, and the sums of all its files. OSError."""
    begin_folder(folder)
    (folder / DATA).write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n")
    (folder / PAGE).write_bytes(exam_page(data))
    write_sums(folder, [PAGE, DATA, *(each["trace"] for each in data["rules"] if each["trace"])])


def describe(folder: Path) -> tuple[str, str]:
    """What was examined and the verdict; of a report of an earlier version its title. ValueError, OSError."""
    path = folder / DATA if (folder / DATA).is_file() else folder / _FORMER
    data = msgspec.json.decode(path.read_bytes())
    try:
        if path.name == _FORMER:
            return ", ".join(filter(None, (data["title"], data["made_at"]))), ""
        stopped = f"The exam was stopped early by {data['stopped']}. " if data["stopped"] else ""
        return about(data), f"{stopped}{verdict(data)}"
    except (AttributeError, LookupError, TypeError) as error:
        raise ValueError(f"{path.name} has another form: {error!r}") from None
