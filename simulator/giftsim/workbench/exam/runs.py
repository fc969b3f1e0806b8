"""How often an app was examined: a count on this machine, so that a result says which attempt it was."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

import msgspec

from giftsim.engine.system import NoHome, state_folder

FILE: Final = "exams.json"


def count_run(app: str, key: str = "") -> int | None:
    """Count one more exam of an app by its URL and the fingerprint of the key that signs; None if none can be kept."""
    try:
        folder = state_folder()
        folder.mkdir(parents=True, exist_ok=True)
        counted = _read(folder / FILE)
        name = sha256(f"{app}\n{key}".encode()).hexdigest()
        counted[name] = counted.get(name, 0) + 1
        _write(folder / FILE, counted)
    except (NoHome, OSError):
        return None
    return counted[name]


def _read(path: Path) -> dict[str, int]:
    """The counts so far; none if there is no such file, or it is damaged."""
    with suppress(FileNotFoundError, msgspec.DecodeError):
        return msgspec.json.decode(path.read_bytes(), type=dict[str, int])
    return {}


def _write(path: Path, counted: dict[str, int]) -> None:
    """Replace the file at once, so that it is never half written."""
    with NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
        file.write(msgspec.json.encode(counted))
    try:
        Path(file.name).replace(path)
    except OSError:
        Path(file.name).unlink(missing_ok=True)
        raise
