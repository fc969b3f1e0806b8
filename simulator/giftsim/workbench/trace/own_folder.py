"""The folder `.giftsim` of a project, in which runs leave what they found. Version control ignores it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

NAME: Final = ".giftsim"
IGNORE: Final = "# Written by giftsim: what test runs leave.\n*\n"


def begin_folder(folder: Path) -> None:
    """Make a folder. If it is `.giftsim` or in it, version control is told to ignore that."""
    folder.mkdir(parents=True, exist_ok=True)
    own = next((each for each in (folder, *folder.parents) if each.name == NAME), None)
    if own is not None and not (own / ".gitignore").exists():
        (own / ".gitignore").write_text(IGNORE, encoding="utf-8", newline="\n")
