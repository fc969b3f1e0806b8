"""A copy of the product, to be changed as somebody would who adds something, and then used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

ROOT = Path(__file__).parents[2]
FOLDERS = ("simulator", "scenarios", "fixtures", "docs/explanation", "tools")
PACKAGE = "simulator/giftsim"
GENERATED = (
    f"{PACKAGE}/engine/control/contract.yaml",
    f"{PACKAGE}/workbench/scenario/schema.json",
    f"{PACKAGE}/services/gifting/domain/webhook_kinds.py",
)


class CopiedTree:
    """The product in a folder of its own. `touched` are the files that were changed by hand, in order."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.touched = folder, list[str]()
        for name in FOLDERS:
            copytree(ROOT / name, folder / name, ignore=ignore_patterns("node_modules"))

    def insert(self, place: str, after: str, text: str) -> None:
        """Put text behind the only occurrence of another in a file of the package or of the scenarios."""
        path = self._path(place)
        known = path.read_text(encoding="utf-8")
        assert known.count(after) == 1, (place, known.count(after))
        path.write_text(known.replace(after, after + text), encoding="utf-8")
        self._touch(place)

    def add(self, place: str, text: str) -> None:
        """Put text at the end of a file, which is made if it is not there."""
        path = self._path(place)
        known = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(known + text, encoding="utf-8")
        self._touch(place)

    def generate(self) -> None:
        """Write what is generated, as `python -m tools docgen` does."""
        self.execute("-m", "tools.docgen", *GENERATED)

    def run(self, program: str) -> str:
        """What a program prints that uses the copy."""
        return self.execute("-c", program)

    def execute(self, *arguments: str) -> str:
        """What Python prints, run with some arguments in the folder of the copy."""
        paths = [str(self.folder / "simulator"), str(self.folder)]
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder, capture_output=True, text=True, timeout=300, check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _path(self, place: str) -> Path:
        return self.folder / (place if place.startswith("scenarios/") else f"{PACKAGE}/{place}")

    def _touch(self, place: str) -> None:
        if place not in self.touched:
            self.touched.append(place)
