"""The page about Node: its commands and programs run as a reader runs them, from an empty folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, page
from tests.support.node_packages import node_packages
from tests.support.tools import require_tool

PAGE = page(DOCS / "how-to" / "test-with-node.md")
CLIENT, SKILL = Path("clients", "typescript"), Path("simulator", "giftsim", ".agents")
ADDRESS = "https://git.example.com/giftsim.git"
INSTALL, RUN, COVER = (block.code for block in PAGE.blocks("sh client"))
FIRST_TEST, FORWARDING_TEST, PROGRAM = (block.code for block in PAGE.blocks("js client"))
[VITEST] = (block.code for block in PAGE.blocks("ts client"))
[JEST] = (block.code for block in PAGE.blocks("js jest"))
FAILURE, COVERED = (block.code for block in PAGE.blocks("text client"))
WITH_GIFTSIM = "npx with-giftsim --from ../giftsim"
VARIABLES = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_VALUE_0": ADDRESS,
    "NO_COLOR": "1",
    "npm_config_audit": "false",
    "npm_config_prefer_offline": "true",
}
# Stands for uv's, which would build the package of the checkout and download what it needs.
UVX = """#!/bin/sh
[ "$1 $3" = "--from giftsim" ] && [ -d "$2/clients" ] || exit 64
shift 3
exec {python} {root}/run_sim.py "$@"
"""


class Reader:
    """A shell in a folder, in which the project's address leads to a repository of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shop = folder / "shop"
        (folder / "bin").mkdir()
        uvx = folder / "bin" / "uvx"
        uvx.write_text(UVX.format(python=sys.executable, root=ROOT))
        uvx.chmod(0o755)
        publish(folder / "giftsim.git")

    def run(self, command: str, folder: Path, *, status: int = 0) -> str:
        """What a command prints."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIFTSIM_", "PYTEST_"))}
        redirected = {"GIT_CONFIG_KEY_0": f"url.file://{self.folder}/giftsim.git.insteadOf"}
        path = os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]])
        done = subprocess.run(
            ["sh", "-euc", command], cwd=folder, env={**kept, **VARIABLES, **redirected, "PATH": path},
            capture_output=True, text=True, timeout=500, check=False,
        )  # fmt: skip
        assert done.returncode == status, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr


def publish(folder: Path) -> None:
    """Make a git repository of the client's files as they are now, and of the skill that it contains."""
    left_out = shutil.ignore_patterns("node_modules", "generated", "dist", "build", "*.tgz")
    for each in (CLIENT, SKILL):
        shutil.copytree(ROOT / each, folder / each, ignore=left_out)
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "All"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """A reader who has followed the page up to the first test."""
    require_tool("node", "nodejs")
    node_packages(ROOT / CLIENT)  # so that npm has them in its own cache, or the tests are skipped
    reader = Reader(tmp_path_factory.mktemp("reader"))
    reader.run(INSTALL, reader.folder)
    (reader.shop / "gifts.test.js").write_text(FIRST_TEST)
    return reader


def test_an_empty_folder_becomes_a_project_whose_first_test_passes(reader: Reader) -> None:
    assert re.search(r"pass 1\n(.*\n)?.*fail 0\n", reader.run(RUN, reader.shop))


def test_a_failed_test_shows_what_the_page_shows(reader: Reader) -> None:
    wrong = FIRST_TEST.replace("advance('3d')", "advance('2d')")
    (reader.shop / "wrong.mjs").write_text(wrong)
    output = reader.run(f"{WITH_GIFTSIM} node --test --test-reporter=spec wrong.mjs", reader.shop, status=1)
    shown = [line.strip() for line in FAILURE.splitlines() if line.strip() != "…"]
    lines = [" *" + re.escape(line).replace("…", ".*") for line in shown]
    assert re.search("\n(.*\n)*?".join(lines), output), output


def test_the_coverage_of_a_run_is_printed_written_and_judged(reader: Reader) -> None:
    lines = [re.escape(line.strip()) for line in COVERED.splitlines() if line.strip() != "…"]
    assert re.search("\n(.*\n)*?".join(lines), output := reader.run(COVER, reader.shop)), output
    assert (reader.shop / ".giftsim" / "coverage.html").read_text().startswith("<!doctype html>")
    gated = f"{WITH_GIFTSIM} --coverage-fail-under errors=90 node --test gifts.test.js"
    assert "coverage of errors is" in reader.run(gated, reader.shop, status=1)
    assert "usage: with-giftsim" in reader.run("npx with-giftsim --coverage", reader.shop, status=2)


def test_webhooks_reach_a_server_of_the_reader(reader: Reader) -> None:
    (reader.shop / "forward.mjs").write_text(FORWARDING_TEST)
    assert "fail 0" in reader.run(f"{WITH_GIFTSIM} node --test forward.mjs", reader.shop)


def test_the_program_starts_a_simulator(reader: Reader) -> None:
    (reader.shop / "program.mjs").write_text(PROGRAM)
    reader.run("GIFTSIM_FROM=../giftsim node program.mjs", reader.shop)


def test_the_typescript_compiles_and_runs_in_vitest(reader: Reader) -> None:
    (reader.shop / "declined.spec.ts").write_text(VITEST)
    modules = node_packages(ROOT / CLIENT)
    (reader.shop / "node_modules" / "vitest").symlink_to(modules / "vitest")
    strict = "--strict --noEmit --module nodenext --target es2022 --skipLibCheck --typeRoots"
    reader.run(f"node {modules}/typescript/bin/tsc {strict} {modules}/@types declined.spec.ts", reader.shop)
    output = reader.run(f"{WITH_GIFTSIM} {modules}/.bin/vitest run --test-timeout=120000 declined", reader.shop)
    assert "1 passed" in output


def test_the_test_for_jest_runs(reader: Reader) -> None:
    project = reader.folder / "jest"  # beside the shop, whose other tests Jest would run
    modules = node_packages(ROOT / "tests" / "ecosystem" / "jest")
    (project / "node_modules").mkdir(parents=True)
    (project / "package.json").write_text('{"type": "module"}')
    (project / "order.test.js").write_text(JEST)
    for package in (reader.shop / "node_modules" / "giftsim", reader.shop / "node_modules" / ".bin"):
        (project / "node_modules" / package.name).symlink_to(package)
    with_modules = "NODE_OPTIONS=--experimental-vm-modules"
    output = reader.run(f"{with_modules} {WITH_GIFTSIM} {modules}/.bin/jest", project)
    assert "1 passed" in output
