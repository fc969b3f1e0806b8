"""Failed tests of Vitest: their first verdicts name the mistakes, and their mends make them pass.

All cases run together, in one run of Vitest, and then once more with the mend of each first verdict.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from giftsim.workbench.trace.file import read_trace_file
from tests.ecosystem.test_typescript_client import CLIENT, PATIENT, client, packed
from tests.support.node_packages import node_packages, run_node
from tests.support.served_simulator import serve_simulator

__all__ = ["client", "packed"]  # fixtures of theirs

HERE = Path(__file__).parent
TEXT = (HERE / "cases.test.ts").read_text(encoding="utf-8")
TSCONFIG = """\
{"compilerOptions": {"strict": true, "module": "NodeNext", "target": "ES2022", "noEmit": true, "skipLibCheck": true,
 "types": ["node"]}, "include": ["*.ts"]}
"""
CASE = re.compile(r"// first: (\w+)\n// says: ([^\n]*)\n\w+\('(\w+)'(.*?)^}\)$", re.MULTILINE | re.DOTALL)
MEND = re.compile(r"^( *)// mend$", re.MULTILINE)


class Case(NamedTuple):
    """A case: the kind of its first verdict, the words that this must have, and whether a line mends it."""

    name: str
    first: str
    says: Sequence[str]
    is_mended: bool


class Run(NamedTuple):
    """The verdicts of each case by its name, and what Vitest printed, first and with the mends."""

    verdicts: Mapping[str, Sequence[Any]]
    printed: str
    mended: str


CASES = [
    Case(name, first, says.split("; "), MEND.search(body) is not None) for first, says, name, body in CASE.findall(TEXT)
]


@pytest.fixture(scope="module")
def run(packed: tuple[Path, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The two runs."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(TSCONFIG)
    shutil.copy(HERE / "shop.ts", folder)
    modules = folder / "node_modules"
    modules.mkdir()
    for name in ("vitest", "@types", "typescript", ".bin"):
        (modules / name).symlink_to(node_packages(CLIENT) / name)
    shutil.unpack_archive(packed[0], folder)
    (folder / "package").rename(modules / "giftsim")
    with serve_simulator() as served:
        url = served.banner["origin"]
        printed = _vitest(folder, TEXT, url)
        verdicts = {case.name: _verdicts(folder, case.name) for case in CASES}
        mended = _vitest(folder, _mended(verdicts), url)
    return Run(verdicts, printed, mended)


def _vitest(folder: Path, text: str, url: str) -> str:
    (folder / "cases.test.ts").write_text(text, encoding="utf-8")
    run_node(folder, "tsc", "-p", ".")
    path = os.pathsep.join([str(folder / "node_modules" / ".bin"), os.environ["PATH"]])
    command = ["vitest", "run", PATIENT, "--reporter=verbose"]
    env = {**os.environ, "PATH": path, "GIFTSIM_URL": url, "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=500, check=False)
    return done.stdout + done.stderr


def _verdicts(folder: Path, name: str) -> Sequence[Any]:
    found = sorted((folder / ".giftsim" / "traces").glob(f"{name}-w*.html"))
    return list(read_trace_file(found[0].read_bytes())["verdicts"]) if found else []


def _mended(verdicts: Mapping[str, Sequence[Any]]) -> str:
    def mend(case: re.Match[str]) -> str:
        line = verdicts[case[3]][0]["mend"]["vitest"] or ""
        return MEND.sub(lambda place: "\n".join(place[1] + each for each in line.splitlines()), case[0])

    return CASE.sub(mend, TEXT)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_first_verdict_tells_the_mistake(run: Run, case: Case) -> None:
    assert run.verdicts[case.name], run.printed
    first = run.verdicts[case.name][0]
    assert first["kind"] == case.first, run.verdicts[case.name]
    assert [words for words in case.says if words not in first["sentence"]] == [], first["sentence"]
    assert f"\nwhy: {first['sentence']}\n" in run.printed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_mend_makes_it_pass_or_the_verdict_says_why_no_line_could(run: Run, case: Case) -> None:
    verdict = run.verdicts[case.name][0]
    if not case.is_mended:
        assert verdict["why_not"], verdict
        return
    assert re.search(rf"✓ .*{case.name}\b", run.mended), run.mended


def test_there_are_twenty_cases() -> None:
    assert len(CASES) >= 20
    assert len({case.first for case in CASES}) >= 15
