"""The shell blocks of every page on one simulator, as a reader leaves it from page to page."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from tests.docs.shell_session import SH, SIMULATOR_PORT, run
from tests.ecosystem.docs.test_sessions import SESSIONS, Server, statuses


def test_every_page_runs_after_all_others_on_one_simulator(tmp_path: Path) -> None:
    """Twice, so that each page comes after every other one. Pages that start a simulator of their own are left out."""
    server, folders = Server(), count()
    shared = [
        session for session in SESSIONS if any(f":{SIMULATOR_PORT}" in block.code for block in session.blocks(SH))
    ]
    try:
        for session in (*shared, *shared):
            folder = tmp_path / str(next(folders))
            folder.mkdir()
            outcome = run(session, folder, server.port)
            assert statuses(outcome) == session.comments("expect-status"), (session.name, outcome.failed)
    finally:
        server.close()
