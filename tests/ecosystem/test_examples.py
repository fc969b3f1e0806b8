"""The examples in other languages: their suites pass by the commands of their pages, and notice a wrong app."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, page
from tests.support.served_simulator import ROOT
from tests.support.tools import require_tool

EXAMPLES = ROOT / "examples"
TIMEOUT_S = 240
PAGE = page(DOCS / "how-to" / "test-in-any-language.md")


def go_command(_folder: Path) -> list[str]:
    require_tool("go", "golang-go")
    return commands("go")


def java_command(_folder: Path) -> list[str]:
    for program in ("java", "javac"):
        require_tool(program, "default-jdk-headless")
    return commands("java")


def ruby_command(_folder: Path) -> list[str]:
    require_tool("ruby", "ruby")
    return commands("ruby")


def commands(language: str) -> list[str]:
    """The commands of the page for a language, as lines of a shell."""
    return [block.code for block in PAGE.blocks("sh example") if f"examples/{language}" in block.code]


def run(folder: Path, lines: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a page's commands in a folder like a checkout."""
    (folder / ".venv").symlink_to(sys.prefix)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIFTSIM_")}
    path = os.pathsep.join([str(Path(sys.prefix) / "bin"), environment["PATH"]])
    more = {"PATH": path, "PYTHONPATH": str(ROOT / "simulator"), "GOCACHE": str(folder / "go"), "GOTOOLCHAIN": "local"}
    return subprocess.run(
        ["bash"], input="\n".join(["set -eu", *lines]), cwd=folder, env={**environment, **more},
        capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip


SUITES: dict[str, Callable[[Path], list[str]]] = {"go": go_command, "java": java_command, "ruby": ruby_command}
# What a suite prints at its end if all passes.
PASSED = {"go": "ok  \texample.com/shop", "java": "5 passed, 0 failed", "ruby": "0 failures, 0 errors, 0 skips"}
AGAIN = '"/api/external/team-orders", order)'
# In each example: the file of the app, and how its second attempt gets another idempotency key.
FAULTS = {
    "go": ("shop.go", '"/api/external/team-orders", bytes.Replace(order, []byte("mug-"), []byte("cup-"), 1))'),
    "java": ("Shop.java", '"/api/external/team-orders", order.replace("mug-", "cup-"))'),
    "ruby": ("shop.rb", '"/api/external/team-orders", order.sub("mug-", "cup-"))'),
}


@pytest.mark.parametrize("language", SUITES)
def test_the_suite_of_an_example_passes_by_the_commands_of_its_page(language: str, tmp_path: Path) -> None:
    lines = SUITES[language](tmp_path)
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    done = run(tmp_path, lines)
    assert done.returncode == 0, done.stdout + done.stderr
    assert PASSED[language] in done.stdout


@pytest.mark.parametrize("language", SUITES)
def test_the_suite_of_an_example_notices_an_app_that_orders_twice(language: str, tmp_path: Path) -> None:
    lines = SUITES[language](tmp_path)
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    name, wrong = FAULTS[language]
    file = tmp_path / "examples" / language / name
    before, right, after = file.read_text(encoding="utf-8").rpartition(AGAIN)
    assert right
    file.write_text(before + wrong + after, encoding="utf-8")
    done = run(tmp_path, lines)
    assert done.returncode != 0
    assert "lostanswerordersonce" in (done.stdout + done.stderr).replace("_", "").lower()


def test_the_pages_show_the_examples_as_they_are() -> None:
    for language in SUITES:
        for block in PAGE.blocks(f"{language} example"):
            shown = block.code.strip()
            files = [file.read_text(encoding="utf-8") for file in sorted((EXAMPLES / language).rglob("*.*"))]
            assert any(shown in text for text in files), shown
