"""A folder to work in, with what tests have left, and a state folder of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.exam.command_line import JUNIT, PASSING


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("GIFTSIM_STATE", str(tmp_path / "state"))
    (work / "junit.xml").write_text(JUNIT)
    (work / "passing.xml").write_text(PASSING)
    return work


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key of ssh, with its public key beside it."""
    path = tmp_path_factory.mktemp("key") / "ada"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada@example.com", "-f", str(path)], check=True
    )
    return path
