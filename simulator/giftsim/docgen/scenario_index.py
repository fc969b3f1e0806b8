"""The stories of the scenario library: what each is called, why a tester wants it, and the question it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from giftsim.scenario.scenario_folder import stories as files_of

FOLDERS = ("partner", "team", "museum", "together")
MODELINE = re.compile(r"# yaml-language-server: \$schema=((?:\.\./)+)simulator/giftsim/scenario/schema\.json")
QUESTION = "question: "


class Story(NamedTuple):
    """A scenario file by its head; `path` is relative to the folder that holds `scenarios/`."""

    path: str
    folder: str
    question: str
    title: str
    why: str


class BadHead(Exception):
    """A scenario file whose first lines do not say what the library needs; the message names file and line."""


def stories(root: Path) -> list[Story]:
    """Every story under `root/scenarios`, by folder, question and file; BadHead for one without a proper head."""
    told = [story(root, file) for file in files_of(root / "scenarios")]
    return sorted(told, key=lambda one: (_place(one.folder), one.question, one.path))


def story(root: Path, file: Path) -> Story:
    """The head of one file: its modeline, a comment that says why, `# question: ...`, then its title."""
    path = file.relative_to(root)
    lines = file.read_text(encoding="utf-8").splitlines()
    modeline = MODELINE.fullmatch(lines[0])
    if modeline is None or modeline[1] != "../" * (len(path.parts) - 1):
        raise BadHead(f"{path}:1: the first line is the modeline that names the schema")
    comments = list(_comments(lines))
    questions = [text.removeprefix(QUESTION) for text in comments if text.startswith(QUESTION)]
    why = " ".join(text for text in comments if not text.startswith(QUESTION))
    if not why.endswith("."):
        raise BadHead(f"{path}:2: the second line is a comment that says in a sentence why one wants this story")
    if len(questions) != 1 or not questions[0].endswith("?"):
        raise BadHead(f"{path}:3: one comment names the question that the story belongs to, as `# question: ...?`")
    title = lines[len(comments) + 1].removeprefix("scenario: ")
    return Story(path.as_posix(), path.parts[1], questions[0], title.strip("\"'"), why)


def index(root: Path) -> str:
    """All stories as Markdown, by folder and question."""
    parts: list[str] = []
    for folder, shelf in groupby(stories(root), lambda one: one.folder):
        told = list(shelf)
        parts.append(f"<details>\n<summary><b>{folder}</b>: {len(told)} stories</summary>")
        for question, group in groupby(told, lambda one: one.question):
            lines = [f"- [{one.title}]({one.path}): {one.why}" for one in group]
            parts.append("\n".join([f"**{question}**", "", *lines]))
        parts.append("</details>")
    return "\n\n".join(parts)


def _comments(lines: list[str]) -> Iterator[str]:
    for line in lines[1:]:
        if not line.startswith("# "):
            return
        yield line[2:]


def _place(folder: str) -> int:
    return FOLDERS.index(folder) if folder in FOLDERS else len(FOLDERS)
