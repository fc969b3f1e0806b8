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

GENERATE = """
from pathlib import Path
from tools.docgen.__main__ import needed_files
for path, text in needed_files(Path()).items():
    path.write_text(text, encoding="utf-8")
"""


class CopiedTree:
    """The product in a folder of its own. `touched` are the files that were changed by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.touched = folder, set[str]()
        self._before: dict[Path, str | None] = {}
        for name in FOLDERS:
            copytree(ROOT / name, folder / name, ignore=ignore_patterns("node_modules"))

    def insert(self, place: str, after: str, text: str) -> None:
        """Put text behind the only occurrence of another in a file of the package or of the scenarios."""
        known = self._known(place) or ""
        assert known.count(after) == 1, (place, known.count(after))
        self._path(place).write_text(known.replace(after, after + text), encoding="utf-8")

    def add(self, place: str, text: str) -> None:
        """Put text at the end of a file, which is made if it is not there."""
        self._path(place).write_text((self._known(place) or "") + text, encoding="utf-8")

    def generate(self) -> None:
        """Write what is generated and the product needs, as `python -m tools docgen` does among other things."""
        for name in GENERATED:
            self._keep(self.folder / name)
        self.run(GENERATE)

    def restore(self) -> None:
        """Take all changes back."""
        for path, text in self._before.items():
            if text is None:
                path.unlink()
            else:
                path.write_text(text, encoding="utf-8")
        self._before.clear()
        self.touched.clear()

    def run(self, program: str) -> str:
        """What a program prints that uses the copy."""
        return self.execute("-c", program)

    def execute(self, *arguments: str) -> str:
        """What Python prints, run with some arguments in the folder of the copy; pytest loads no plugin by itself."""
        paths = [str(self.folder / "simulator"), str(self.folder)]
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder, capture_output=True, text=True, timeout=300, check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1",
                 "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _path(self, place: str) -> Path:
        return self.folder / (place if place.startswith("scenarios/") else f"{PACKAGE}/{place}")

    def _known(self, place: str) -> str | None:
        """The text of a file that is to be changed by hand; None if it is not there."""
        self.touched.add(place)
        path = self._path(place)
        self._keep(path)
        return path.read_text(encoding="utf-8") if path.exists() else None

    def _keep(self, path: Path) -> None:
        self._before.setdefault(path, path.read_text(encoding="utf-8") if path.exists() else None)
