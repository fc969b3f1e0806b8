"""The index of the scenario library: the files that answer each question, and the heads that it is made from."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from giftsim.workbench.scenario import find_scenarios
from giftsim.workbench.scenario.library import ScenarioHead, folder_rank, read_head

MODELINE = re.compile(
    r"# yaml-language-server: \$schema=((?:\.\./)+)simulator/giftsim/workbench/scenario/schema\.json$", re.MULTILINE
)


class IndexedScenario(NamedTuple):
    """A scenario file by its path, relative to the folder that holds `scenarios/`, and what its first lines say."""

    path: str
    folder: str
    head: ScenarioHead


class InvalidHead(Exception):
    """A scenario file whose first lines lack what the index needs; the message names file and line."""


def indexed_scenarios(root: Path) -> list[IndexedScenario]:
    """All files in `root/scenarios`, by folder, question and path; InvalidHead if the head of one is incomplete."""
    found = [_indexed(root, file) for file in find_scenarios(root / "scenarios")]
    return sorted(found, key=lambda each: (folder_rank(each.folder), each.head.question, each.path))


def _indexed(root: Path, file: Path) -> IndexedScenario:
    """One file, whose head is its modeline, a comment with its purpose, `# question: ...`, then its title."""
    path, head = file.relative_to(root), read_head(file)
    modeline = MODELINE.match(file.read_text(encoding="utf-8"))
    if modeline is None or modeline[1] != "../" * (len(path.parts) - 1):
        raise InvalidHead(f"{path}:1: the first line must be the modeline with the path of the schema")
    if head is None or not head.purpose.endswith("."):
        raise InvalidHead(f"{path}:2: the second line must be a comment: a sentence that says what the scenario is for")
    if head.question is None or not head.question.endswith("?"):
        raise InvalidHead(f"{path}:3: one comment must be the question that the scenario answers, `# question: ...?`")
    return IndexedScenario(path.as_posix(), path.parts[1], head)


def scenario_index(root: Path) -> str:
    """All scenarios as Markdown, by folder and question."""
    parts: list[str] = []
    for folder, in_folder in groupby(indexed_scenarios(root), lambda each: each.folder):
        lines = []
        for question, group in groupby(in_folder, lambda each: each.head.question):
            files = ", ".join(f"[{Path(path).stem}]({path})" for path, _, _ in group)
            lines.append(f"- **{question}** {files}")
        parts += [f"## {folder}", "\n".join(lines)]
    return "\n\n".join(parts)
