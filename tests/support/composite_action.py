"""Runs a composite GitHub Action as the runner does: its conditions, its shell lines in bash, its files."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.docs.pages import ROOT

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
STATUS = re.compile(r"\b(always|failure|success)\(\)")
WORDS = re.compile(r"'[^']*'|[a-zA-Z_][\w.-]*(?:\(\))?|&&|\|\||==|!=|[()]|!")
OPERATORS = {"&&": "and", "||": "or", "!": "not"}


@dataclass
class Job:
    """A job of a workflow: its folder, its variables and PATH, which steps add to, and its status."""

    folder: Path
    temp: Path
    env: dict[str, str]
    status: str = "success"
    output: str = ""
    uploads: dict[str, list[str]] = field(default_factory=dict)

    def run(self, script: str, env: Mapping[str, str] | None = None, cwd: str = ".", **files: Path) -> bool:
        """Run a script in bash as a step; whether it succeeded. What it prints is added to `output`."""
        names = {name: str(path) for name, path in files.items()}
        path = self.temp / "step.sh"
        path.write_text(script)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(path)], cwd=self.folder / cwd,
            env={**self.env, **names, "RUNNER_TEMP": str(self.temp), **(env or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=500, check=False,
        )  # fmt: skip
        self.output += done.stdout
        return done.returncode == 0


class CompositeAction:
    """The action of this repository. `without` names steps that are left out."""

    def __init__(self, *, source: Path = ROOT, without: tuple[str, ...] = ()) -> None:
        self.source, self.without = source, without
        self.document: dict[str, Any] = yaml.safe_load((source / "action.yml").read_text(encoding="utf-8"))

    def use(self, job: Job, inputs: Mapping[str, str]) -> dict[str, str]:
        """A step of a job that uses the action; its outputs. The job's status says whether it failed."""
        unknown = inputs.keys() - self.document["inputs"].keys()
        assert not unknown, f"the action has no input {unknown}"
        defaults = {name: each["default"] for name, each in self.document["inputs"].items()}
        values = {f"inputs.{name}": value for name, value in {**defaults, **inputs}.items()}
        values |= {"runner.temp": str(job.temp), "job.status": job.status}
        failed = False
        for step in self.document["runs"]["steps"]:
            if step["name"] in self.without or not runs(step.get("if", "success()"), values, failed=failed):
                continue
            good = self._run(job, step, values)
            failed = failed or not good
            if "id" in step:
                values[f"steps.{step['id']}.outcome"] = "success" if good else "failure"
        job.status = "failure" if failed else job.status
        outputs = self.document["outputs"]
        return {name: filled(each["value"], values) for name, each in outputs.items()}

    def _run(self, job: Job, step: Mapping[str, Any], values: dict[str, str]) -> bool:
        if "uses" in step:
            given = {name: filled(value, values) for name, value in step["with"].items()}
            job.uploads[given["name"]] = sorted(
                path.name for path in Path(given["path"]).rglob("*.*") if path.is_file()
            )
            return True
        assert step["shell"] == "bash"
        files = {
            name: job.temp / name for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
        }
        for path in files.values():
            path.write_text("")
        env = {name: filled(text, values) for name, text in step.get("env", {}).items()}
        folder = filled(step.get("working-directory", "."), values)
        good = job.run(step["run"], {**env, "GITHUB_ACTION_PATH": str(self.source)}, folder, **files)
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, value = line.partition("=")
            values[f"steps.{step['id']}.outputs.{name}"] = value
        job.env |= dict(line.split("=", 1) for line in files["GITHUB_ENV"].read_text().splitlines())
        for line in files["GITHUB_PATH"].read_text().splitlines():
            job.env["PATH"] = f"{line}{os.pathsep}{job.env['PATH']}"
        return good


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with the values of its expressions, each of which is a name."""
    return EXPRESSION.sub(lambda match: values.get(match[1].strip(), ""), str(text))


def runs(condition: str, values: Mapping[str, str], *, failed: bool) -> bool:
    """Whether a step with this condition runs; without a word about the status, it runs after success only."""
    functions = {"always()": "True", "failure()": str(failed), "success()": str(not failed)}

    def word(match: re.Match[str]) -> str:
        text = match[0]
        if text[0].isalpha() and not text.endswith("()"):
            return repr(values.get(text, ""))
        return functions.get(text) or OPERATORS.get(text, text)

    if not STATUS.search(condition):
        condition = f"success() && ({condition})"
    words = [word(match) for match in WORDS.finditer(condition)]
    return bool(eval(" ".join(words), {"__builtins__": {}}))  # of the words above alone
