"""The paths that a run prints lead to its files, wherever pytest was started."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.support.pytest_projects import project, run

__all__ = ["project"]  # a fixture of theirs

TEST = "def test_ships(giftsim):\n    assert False\n"


@pytest.mark.parametrize(
    ("start", "arguments"),
    [
        ("shop", []),
        ("shop/tests", []),
        ("shop/tests/unit", ["test_shop.py"]),
        (".", ["shop"]),
        (".", ["-c", "shop/pytest.ini", "shop/tests"]),
        ("other", ["../shop/tests"]),
        ("other", ["--rootdir", "../shop", "../shop/tests"]),
    ],
)
def test_every_printed_path_leads_to_a_file(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, start: str, arguments: list[str]
) -> None:
    for folder in ("shop/tests/unit", "other"):
        (project.path / folder).mkdir(parents=True)
    (project.path / "shop/pytest.ini").write_text("[pytest]\n")
    (project.path / "shop/tests/unit/test_shop.py").write_text(TEST)
    monkeypatch.chdir(project.path / start)
    output = run(project, "--giftsim-trace", "on", "--giftsim-coverage", *arguments).stdout.str()
    printed = re.findall(r"^(?:trace: |giftsim: .*listed in |giftsim: wrote )(.+)$", output, re.MULTILINE)
    assert len(printed) >= 3, output
    assert [path for path in printed if not place_of(path, project.path / start).is_file()] == []


def place_of(printed: str, start: Path) -> Path:
    """The file of a link, or of a path from the folder in which pytest was started."""
    return Path(unquote(urlsplit(printed).path)) if printed.startswith("file://") else start / printed
