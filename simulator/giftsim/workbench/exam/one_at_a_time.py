"""One exam of an app at a time: two at once would each let it begin anew in the middle of the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from giftsim.engine.system import File, Locked, NoHome, NotRegular, open_file, state_folder
from giftsim.workbench.app.process import address_of

_HERE = ("localhost", "127.0.0.1", "::1")


class Occupied(Exception):
    """Another exam of this app is held now; the message says so."""


@contextmanager
def alone_with(app: str) -> Iterator[None]:
    """Keep this user's other exams from the app at a URL while the block runs. Occupied.

    A lock of the system does it, which ends with the process. Where no lock can be made, there is none.
    """
    host, port = address_of(app)
    name = sha256(f"{'localhost' if host in _HERE else host}:{port}".encode()).hexdigest()[:16]
    try:
        lock = _lock(f"exam-{name}.lock")
    except Locked:
        raise Occupied(f"another exam of {app} is held now; wait for its end, or examine a second app") from None
    try:
        yield
    finally:
        if lock is not None:
            lock.close()


def _lock(name: str) -> File | None:
    """A locked file in the state folder, None where there can be none. Locked."""
    try:
        folder: Path = state_folder()
        folder.mkdir(parents=True, exist_ok=True)
        return open_file(folder / name)
    except (NoHome, NotRegular, OSError):
        return None
