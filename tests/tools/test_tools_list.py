"""`python -m tools`: one list of what there is beside the targets of the Makefile."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tools.__main__ import PROGRAMS

TARGETS = ["run", "test", "check", "fmt", "ecosystem", "docs", "dist", "clean"]
MAKE = '#!/bin/sh\necho "make $*" >&2\nexit ${MAKE_ENDS:-0}\n'
PYTHON = '#!/bin/sh\necho "$@; in ${PWD##*/}; ${PYTHONPATH:-no path}"\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which `make` and the Python of the environment say what they are asked for."""
    root = tmp_path / "checkout"
    for name, text in {"bin/make": MAKE, ".venv/bin/python": PYTHON}.items():
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
        (root / name).chmod(0o755)
    (root / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "__main__.py", root / "tools")
    return root


def run_tools(checkout: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """`python -m tools` there, with a Python that has no packages."""
    environment = {"PATH": f"{checkout / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin", **environ}
    command = [sys.executable, "-S", "-B", "-m", "tools", *words]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def test_the_makefile_has_eight_targets_and_the_page_for_contributors_explains_each() -> None:
    assert re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE) == TARGETS
    page = (ROOT / "CONTRIBUTING.md").read_text()
    assert [name for name in TARGETS if f"\n| `make {name}` |" not in page] == []


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_the_list_names_every_program_in_a_line_of_a_terminal(checkout: Path, words: tuple[str, ...]) -> None:
    said = run_tools(checkout, *words)
    assert said.returncode == 0
    assert [line.split()[0] for line in said.stdout.splitlines()[1:]] == list(PROGRAMS)
    assert max(map(len, said.stdout.splitlines())) <= 100


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_can_be_run(name: str) -> None:
    found = find_spec(PROGRAMS[name].module)
    assert found is not None
    assert found.submodule_search_locations is None or find_spec(f"{PROGRAMS[name].module}.__main__")


def test_a_program_runs_in_the_environment_once_make_has_brought_it_up_to_date(checkout: Path) -> None:
    lowest = run_tools(checkout, "lowest", "tests/gateway", "-x")
    assert lowest.stderr == "make -s .venv/.ready\n"
    assert lowest.stdout == "-m tools.environments lowest tests/gateway -x; in checkout; no path\n"
    audit = run_tools(checkout, "audit")
    assert audit.stderr == "make -s .venv/.audit-ready\n"
    simulate = run_tools(checkout, "simulate", "--seed", "7")
    assert simulate.stdout == f"-m tests.simulation --seed 7; in checkout; {checkout / 'simulator'}:{checkout}\n"


def test_the_first_environment_is_made_with_the_python_that_was_asked(checkout: Path) -> None:
    shutil.rmtree(checkout / ".venv")
    said = run_tools(checkout, "fuzz", MAKE_ENDS="2")
    assert (said.returncode, said.stderr) == (2, f"make -s PYTHON={sys.executable} .venv/.ready\n")


def test_another_name_is_refused_with_the_list(checkout: Path) -> None:
    said = run_tools(checkout, "benchmarks")
    assert said.returncode == 1
    assert said.stderr.startswith("benchmarks is not one of the programs.\npython -m tools NAME")
