"""Each case fails, its first verdict tells its mistake, no verdict says what is not so, and the mend makes it pass.

All cases are run together, in one run of pytest, and then once more with the mend of each first verdict.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from giftsim.testing.tracing import FOLDER, file_name
from giftsim.workbench.trace.file import read_trace_file
from tests.docs.pages import ROOT
from tests.support.pytest_projects import PLUGINS
from tests.support.traces import check_format
from tests.why.case import Case, cases


class Run(NamedTuple):
    """The verdicts of each case by its name, and what pytest printed when they were mended."""

    verdicts: Mapping[str, Sequence[Any]]
    printed: str
    mended: str


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The runs of all cases that are asked for."""
    own = (item for item in request.session.items if isinstance(item, pytest.Function) and item.path == request.path)
    asked = {case.name: case for item in own if isinstance(case := item.callspec.params["case"], Case)}
    failing, mending = tmp_path_factory.mktemp("failing"), tmp_path_factory.mktemp("mended")
    printed = _run(failing, {case.name: case.text for case in asked.values()})
    verdicts = {name: _verdicts(failing, name) for name in asked}
    mends = {case.name: case.mended(line) for case in asked.values() if (line := _mend(verdicts[case.name]))}
    return Run(verdicts, printed, _run(mending, mends) if mends else "")


def _run(folder: Path, texts: Mapping[str, str]) -> str:
    for name, text in texts.items():
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "simulator")}
    env.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, "-m", "pytest", *PLUGINS, "-rA", "--rootdir", str(folder), str(folder)]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False).stdout


def _verdicts(folder: Path, name: str) -> Sequence[Any]:
    """The verdicts in the trace of a case, which has one test: `test_it`."""
    path = folder / FOLDER / file_name(f"test_{name}.py::test_it", "giftsim")
    if not path.exists():
        return []
    trace = read_trace_file(path.read_bytes())
    check_format(trace)
    return list(trace.get("verdicts", ()))


def _mend(verdicts: Sequence[Any]) -> str | None:
    return verdicts[0]["mend"]["pytest"] if verdicts else None


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_first_verdict_tells_the_mistake(run: Run, case: Case) -> None:
    verdicts = run.verdicts[case.name]
    assert verdicts, run.printed
    sentence = verdicts[0]["sentence"]
    assert verdicts[0]["kind"] == case.first, verdicts
    assert [words for words in case.says if words not in sentence] == [], sentence
    said = [each["sentence"] for each in verdicts]
    assert [words for words in case.never if any(words in each for each in said)] == [], said
    assert all(each["marks"] for each in verdicts), verdicts


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_mend_makes_it_pass_or_the_verdict_says_why_no_line_could(run: Run, case: Case) -> None:
    verdict = run.verdicts[case.name][0]
    if not case.is_mended:
        assert verdict["why_not"], verdict
        return
    assert verdict["mend"]["pytest"], verdict
    assert f"PASSED test_{case.name}.py::test_it" in run.mended, run.mended
