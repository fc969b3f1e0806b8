"""The programs for people who work on giftsim: `python -m tools` lists them, `python -m tools NAME` runs one.

Any Python will do: each runs in the environment of the checkout, which `make` brings up to date first.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / ".venv" / "bin" / "python"


class Program(NamedTuple):
    """A module to run, what the list says of it, and words that come before those that are typed."""

    module: str
    line: str
    words: tuple[str, ...] = ()
    needs: str = ".ready"  # a target of the Makefile, in .venv
    elsewhere: bool = False  # it starts Pythons in other folders, which need the paths of this one


PROGRAMS: Mapping[str, Program] = {
    "docgen": Program(
        "tools.docgen", "Write what is made from the code: tables, drawings, types. --check only names it."
    ),
    "examples": Program("tests.contracts.examples", "Write the examples of the contracts, from a real run."),
    "pictures": Program("tools.pictures", "Take pictures of the console or, with --commands, of the terminal (tmux)."),
    "mutants": Program("tools.mutants", "Break the product in named ways, and print what no test notices."),
    "fuzz": Program("tools.fuzz", "Run random inputs for ten minutes, and keep those that fail."),
    "simulate": Program(
        "tests.simulation", "Run the process under simulated threads, disk and time, seed after seed.", elsewhere=True
    ),
    "soak": Program("tools.soak", "Load a server for ten minutes, kill it again and again, and count what was lost."),
    "conformance": Program("tools.conformance", "Hold HTTP servers against the RFCs, and print where one differs."),
    "bench": Program("benchmarks", "Measure speed and memory."),
    "bench-peers": Program(
        "benchmarks.peers", "Measure other simulators and mock servers too (Node, npm, wrk).", elsewhere=True
    ),
    "explored-apps": Program(
        "tools.explored_apps", "Measure how `giftsim explore` finds the bugs of the example apps."
    ),
    "exams": Program("tools.exams", "Examine the right example apps on many seeds, none of which may fail."),
    "pythons": Program("tools.environments", "Run tests with Python 3.12 and 3.13.", ("3.12", "3.13")),
    "lowest": Program("tools.environments", "Run the tests with the lowest versions that are allowed.", ("lowest",)),
    "locks": Program(
        "tools.locks", "Compile the files in locks again from pyproject.toml; --upgrade takes new versions."
    ),
    "audit": Program("tools.audit", "Check licences and known vulnerabilities.", needs=".audit-ready"),
    "licences": Program("tools.audit.licences", "Write the page of the licences of what users install."),
}


def listed() -> str:
    """The list of all programs."""
    width = max(map(len, PROGRAMS))
    return "\n".join(
        ["python -m tools NAME [ARGUMENTS], where NAME is one of:"]
        + [f"  {name:<{width}}  {program.line}" for name, program in PROGRAMS.items()]
    )


def main(arguments: list[str]) -> None:
    """Become the program that the first argument names."""
    name, *more = arguments or [""]
    if name in ("", "-h", "--help"):
        print(listed())
        return
    if name not in PROGRAMS:
        sys.exit(f"{name} is not one of the programs.\n{listed()}")
    program = PROGRAMS[name]
    make = ["make", "-s", *([] if PYTHON.exists() else [f"PYTHON={sys.executable}"]), f".venv/{program.needs}"]
    made = subprocess.run(make, cwd=ROOT, stdout=sys.stderr, check=False)
    if made.returncode:
        sys.exit(made.returncode)
    if program.elsewhere:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "simulator"), str(ROOT)])
    os.chdir(ROOT)
    os.execv(PYTHON, [str(PYTHON), "-m", program.module, *program.words, *more])


if __name__ == "__main__":
    main(sys.argv[1:])
