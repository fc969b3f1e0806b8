"""The index of the scenario library: each scenario with its title, what it is for, and the question it answers."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from giftsim.scenario.library import FOLDERS, QUESTION, SANDBOX, leading_comments
from giftsim.scenario.scenario_files import find_scenarios

MODELINE = re.compile(r"# yaml-language-server: \$schema=((?:\.\./)+)simulator/giftsim/scenario/schema\.json")


class ScenarioHead(NamedTuple):
    """What the first lines of a scenario file say; `path` is relative to the folder that holds `scenarios/`."""

    path: str
    folder: str
    question: str
    title: str
    purpose: str
    sandbox: str


class InvalidHead(Exception):
    """A scenario file whose first lines lack what the index needs; the message names file and line."""


def scenario_heads(root: Path) -> list[ScenarioHead]:
    """The heads of all files in `root/scenarios`, by folder, question and path; InvalidHead if one is incomplete."""
    heads = [read_head(root, file) for file in find_scenarios(root / "scenarios")]
    return sorted(heads, key=lambda head: (_folder_rank(head.folder), head.question, head.path))


def read_head(root: Path, file: Path) -> ScenarioHead:
    """The head of one file: its modeline, a comment with its purpose, `# question: ...`, then its title."""
    path = file.relative_to(root)
    lines = file.read_text(encoding="utf-8").splitlines()
    modeline = MODELINE.fullmatch(lines[0])
    if modeline is None or modeline[1] != "../" * (len(path.parts) - 1):
        raise InvalidHead(f"{path}:1: the first line must be the modeline with the path of the schema")
    comments = list(leading_comments(lines[1:]))
    questions = [text.removeprefix(QUESTION) for text in comments if text.startswith(QUESTION)]
    purpose = " ".join(text for text in comments if not text.startswith(QUESTION))
    if not purpose.endswith("."):
        raise InvalidHead(f"{path}:2: the second line must be a comment: a sentence that says what the scenario is for")
    if len(questions) != 1 or not questions[0].endswith("?"):
        raise InvalidHead(f"{path}:3: one comment must be the question that the scenario answers, `# question: ...?`")
    title = lines[len(comments) + 1].removeprefix("scenario: ")
    mark = next((text.removeprefix(SANDBOX) for text in lines if text.startswith(SANDBOX)), "")
    return ScenarioHead(path.as_posix(), path.parts[1], questions[0], title.strip("\"'"), purpose, mark)


def scenario_index(root: Path) -> str:
    """All scenarios as Markdown, by folder and question."""
    parts: list[str] = []
    for folder, in_folder in groupby(scenario_heads(root), lambda head: head.folder):
        parts.append(f"## {folder}")
        for question, group in groupby(in_folder, lambda head: head.question):
            lines = [f"- [{head.title}]({head.path}): {head.purpose}{_mark(head)}" for head in group]
            parts.append("\n".join([f"### {question}", "", *lines]))
    return "\n\n".join(parts)


def _mark(head: ScenarioHead) -> str:
    return f" (sandbox: {head.sandbox})" if head.sandbox else ""


def _folder_rank(folder: str) -> int:
    return FOLDERS.index(folder) if folder in FOLDERS else len(FOLDERS)
