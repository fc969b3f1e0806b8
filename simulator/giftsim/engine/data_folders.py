"""The folders of the data that comes with the simulator: fixtures, scenarios, pages."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def data_folders(name: str) -> tuple[Path, ...]:
    """Where the folder `name` is, such as `fixtures`: in the installed package, or in a checkout beside it."""
    folders = (_PACKAGE / "_data" / name, _PACKAGE.parents[1] / name)
    return tuple(folder for folder in folders if folder.is_dir())
