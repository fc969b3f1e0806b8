"""The workflows run no action that can change, and start no job with rights that it does not need."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest
import yaml

from tests.docs.pages import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
USES = re.compile(r"^ *-? *uses: (\S+)(.*)$", re.MULTILINE)
PINNED = re.compile(r"([\w.-]+/[\w.-]+)@([0-9a-f]{40})")


def uses() -> list[tuple[str, str]]:
    """What every step that uses an action says: the action, and the rest of the line."""
    texts = [path.read_text(encoding="utf-8") for path in (*WORKFLOWS, ROOT / "action.yml")]
    return [(match[1], match[2]) for text in texts for match in USES.finditer(text)]


def test_every_action_is_pinned_by_its_commit_with_its_version_beside_it() -> None:
    assert len(uses()) > 10
    assert [
        use for use, rest in uses() if not PINNED.fullmatch(use) or not re.fullmatch(r" # v\d+\.\d+\.\d+", rest)
    ] == []


def test_an_action_has_one_version_everywhere() -> None:
    versions = defaultdict(set)
    for use, rest in uses():
        name, _, commit = use.partition("@")
        versions[name].add((commit, rest))
    assert [name for name, found in versions.items() if len(found) > 1] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_rights_are_given_to_jobs_and_every_job_has_an_end(path: Any) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] in ({}, {"contents": "read"})
    assert [name for name, job in workflow["jobs"].items() if "timeout-minutes" not in job] == []


def test_the_base_of_the_image_is_pinned_by_its_digest() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert re.search(r"^ARG BASE=\S+:\S+@sha256:[0-9a-f]{64}$", text, re.MULTILINE)


def test_the_checks_run_with_every_python_that_the_package_names() -> None:
    checks = yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8"))
    named = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert checks["jobs"]["linux"]["strategy"]["matrix"]["python"][: len(named)] == named
