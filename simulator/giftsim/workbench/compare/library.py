"""The scenarios of the library, and the names by which snapshots and reports refer to files."""

from __future__ import annotations

import os
import re
from pathlib import Path

from giftsim.workbench.compare.target import CannotCompare
from giftsim.workbench.scenario import find_scenarios
from giftsim.workbench.scenario.library import SHIPPED


def check_not_in_the_way(path: Path, option: str, first: str) -> None:
    """CannotCompare if the file exists and does not begin with `first`, as files of this command do."""
    try:
        present = path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError):
        present = "?"
    if present and not present.startswith(first):
        raise CannotCompare(f"{option} {path}: the file is not one that `compare` wrote, and stays as it is")
    if not path.parent.is_dir():
        raise CannotCompare(f"{option} {path}: there is no folder {path.parent}")


def write(path: Path, option: str, text: str) -> None:
    """Write a file; CannotCompare if that fails."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CannotCompare(f"{option} {path} cannot be written: {error.strerror}") from None


_MARK = re.compile(rb"^sandbox:", re.MULTILINE)
NAME, LIBRARY = "scenarios", "library:"


def marked_files() -> list[Path]:
    """The scenario files of the library that have a mark. The others need not be compiled to know that."""
    return [file for file in find_scenarios(SHIPPED[0]) if _MARK.search(file.read_bytes())]


def shown_name(path: Path) -> str:
    """The name of a file in reports: for one of the library, its path from `scenarios` on."""
    if path.resolve().is_relative_to(SHIPPED[0]):
        return str(Path(NAME) / path.resolve().relative_to(SHIPPED[0]))
    return str(path)


def name_in_snapshot(shown: Path, folder: Path) -> str:
    """The name by which a snapshot in `folder` refers to a file that reports show as `shown`."""
    if shown.parts[0] == NAME and (SHIPPED[0].parent / shown).is_file():
        return f"{LIBRARY}{shown.relative_to(NAME).as_posix()}"
    return Path(os.path.relpath(shown, folder)).as_posix()


def file_of_snapshot(name: str, folder: Path) -> Path:
    """The file of a name in a snapshot in `folder`."""
    if name.startswith(LIBRARY):
        return SHIPPED[0] / name.removeprefix(LIBRARY)
    return folder / name
