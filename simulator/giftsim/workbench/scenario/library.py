"""The scenario library: the scenarios that come with the simulator, and those of a folder of the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from giftsim.engine.data_folders import data_folders
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.problem import Problem
from giftsim.workbench.scenario.scenario_files import STEPS, read_beginning, read_title, yaml_files

SHIPPED = data_folders("scenarios")
FOLDERS = ("partner", "team", "museum", "together", "rehearsals")
OWN = "own"
QUESTION, SANDBOX, MODELINE = "question: ", "sandbox: ", "# yaml-language-server:"


class ScenarioNotFound(Problem, status=404, code="scenario_not_found"):
    """The library has no scenario of this name."""


class LibraryEntry(NamedTuple):
    """A scenario of the library: its name, its folder, its path for people, whether it is the user's own, its file."""

    name: str
    folder: str
    path: str
    own: bool
    file: Path


class ScenarioHead(NamedTuple):
    """What a scenario's file says of it; `question` is the one that it answers, None if it names none.

    `steps` are those at its top level, with loops and includes not expanded.
    """

    title: str
    question: str | None
    purpose: str
    sandbox: str | None
    steps: int


class Library:
    """The scenarios that come with the simulator, and those in `own`, if that is a folder.

    A name is the path below the folder, with dots: `partner.declined_card`. The user's own begin with `own.`.
    """

    def __init__(self, own: Path | None = None) -> None:
        self._own = own
        self._heads: dict[Path, tuple[int, ScenarioHead | None]] = {}

    def entries(self) -> list[LibraryEntry]:
        """All scenarios: those of the simulator by folder, question and name, then the user's own."""
        shipped = [entry for folder in SHIPPED for entry in self._in_folder(folder, own=False)]
        shipped.sort(key=lambda entry: (folder_rank(entry.folder), self.head(entry).question or "", entry.name))
        return shipped if self._own is None else [*shipped, *self._in_folder(self._own, own=True)]

    def _in_folder(self, folder: Path, *, own: bool) -> Iterator[LibraryEntry]:
        files = sorted(yaml_files(folder)) if folder.is_dir() else []
        return (_entry(folder, file, own=own) for file in files if self._head(file) is not None)

    def head(self, entry: LibraryEntry) -> ScenarioHead:
        """The description in the file of a scenario."""
        return self._head(entry.file) or ScenarioHead(entry.name, None, "", None, 0)

    def _head(self, file: Path) -> ScenarioHead | None:
        """What a file says, read again once it has changed; None if it is not a scenario."""
        changed_ns, (known_ns, head) = file.stat().st_mtime_ns, self._heads.get(file, (-1, None))
        if known_ns != changed_ns:
            head = read_head(file)
            self._heads[file] = changed_ns, head
        return head

    def find(self, name: str) -> LibraryEntry:
        """The scenario of this name. ScenarioNotFound suggests the nearest one."""
        entries = self.entries()
        found = next((entry for entry in entries if entry.name == name), None)
        if found is None:
            hint = suggest_name(name, [entry.name for entry in entries], f"there are {len(entries)}")
            raise ScenarioNotFound(f"the library has no scenario {name[:80]!r}; {hint}")
        return found


def read_head(file: Path) -> ScenarioHead | None:
    """What a file says: its first comments, its title, and its mark for a sandbox; None if it is not a scenario."""
    title, raw = read_title(file), read_beginning(file)
    if title is None:
        return None
    lines = raw.decode(errors="replace").splitlines()
    comments = list(leading_comments(lines[1:] if lines and lines[0].startswith(MODELINE) else lines))
    question = next((text.removeprefix(QUESTION) for text in comments if text.startswith(QUESTION)), None)
    purpose = " ".join(text for text in comments if not text.startswith(QUESTION))
    sandbox = next((text.removeprefix(SANDBOX) for text in lines if text.startswith(SANDBOX)), None)
    return ScenarioHead(title, question, purpose, sandbox, count_steps(raw))


def leading_comments(lines: list[str]) -> Iterator[str]:
    """The comments that a file begins with, without their `#`."""
    for line in lines:
        if not line.startswith("# "):
            return
        yield line[2:]


def count_steps(raw: bytes) -> int:
    """How many steps a scenario has at its top level, with its loops and includes not expanded; 0 if it is not YAML."""
    count, depth, name, in_steps = 0, 0, None, False
    try:
        for event in yaml.parse(raw, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.NodeEvent) and depth == 1:
                in_steps = name == STEPS and isinstance(event, yaml.SequenceStartEvent)
                name = getattr(event, "value", "") if name is None else None
            elif isinstance(event, yaml.NodeEvent) and depth == 2:
                count += in_steps
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
    except yaml.YAMLError:
        return 0
    return count


def _entry(root: Path, file: Path, *, own: bool = False) -> LibraryEntry:
    parts = ((OWN,) if own else ()) + file.relative_to(root).parts
    return LibraryEntry(".".join(parts).removesuffix(file.suffix), parts[0], "/".join(parts), own, file)


def library_files(name: str) -> list[Path]:
    """The scenarios of the simulator in a folder of the library, or the one of this name; none if there is neither."""
    entries = Library().entries()
    return [entry.file for entry in entries if name.replace("/", ".") in (entry.folder, entry.name)]


def folder_rank(folder: str) -> int:
    """Where a folder of the library is listed."""
    return FOLDERS.index(folder) if folder in FOLDERS else len(FOLDERS)
