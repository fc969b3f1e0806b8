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
    "docgen": Program("tools.docgen", "Regenerate what is made from the code: tables of the docs, drawings, types."),
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
    made = subprocess.run(["make", "-s", f".venv/{program.needs}"], cwd=ROOT, stdout=sys.stderr, check=False)
    if made.returncode:
        sys.exit(made.returncode)
    if program.elsewhere:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "simulator"), str(ROOT)])
    os.chdir(ROOT)
    os.execv(PYTHON, [str(PYTHON), "-m", program.module, *program.words, *more])


if __name__ == "__main__":
    main(sys.argv[1:])
