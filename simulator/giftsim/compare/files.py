"""The files that a comparison writes. A file of somebody else is never replaced."""

from __future__ import annotations

from pathlib import Path

from giftsim.compare.problem import CannotCompare


def check_not_in_the_way(path: Path, option: str, first: str) -> None:
    """CannotCompare if the file has content that does not begin with `first`, as one written before does."""
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
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotCompare(f"{option} {path} cannot be written: {error.strerror}") from None
