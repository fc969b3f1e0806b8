"""The script of continuous integration: it gets the tools that tests use, and then their tests must run."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.figure import Figure
from benchmarks.plot import Line, Plot
from benchmarks.report import keep

CREATE = Figure("create", "9,000/s", "12,000/s", False, "that at 100 orders", 0.9712)
FORK = Figure("fork", "0.5 ms", "1 ms or less", True)


def test_figures_of_some_groups_are_kept_beside_those_of_others(tmp_path: Path) -> None:
    results, page = tmp_path / "bench.json", tmp_path / "speed.md"
    page.write_text("Before\n<!-- measured: bench -->\nold\n<!-- end of measured -->\nAfter\n")
    keep("calls", [[CREATE]], results, page)
    for group in ("copies", "console"):
        keep(
            group, [[FORK], [replace(FORK, value="0.6 ms", met=False)], [replace(FORK, value="0.4 ms")]], results, page
        )
    kept = json.loads(results.read_text())
    assert kept["machine"]["processors"] >= 1
    assert {group: [row["name"] for row in rows] for group, rows in kept["groups"].items()} == {
        "calls": ["create"], "copies": ["fork"], "console": ["fork"],
    }  # fmt: skip
    assert page.read_text().splitlines()[4:-2] == [
        "| create | 9,000/s |  | 12,000/s | 0.97 of that at 100 orders, not met |",
        "| fork | 0.5 ms | 0.4 ms to 0.6 ms | 1 ms or less |  |",  # once: not what the console takes
    ]
    assert page.read_text().startswith("Before\n")
    assert page.read_text().endswith("<!-- end of measured -->\nAfter\n")


def test_a_plot_has_a_mark_for_each_point_inside_its_picture() -> None:
    lines = [Line("a", [(1, 5), (100, 50)]), Line("b < c", [(1, 0.5), (10_000, 7)])]
    for logarithmic in (False, True):
        root = ElementTree.fromstring(Plot("Title & more", "orders", "us", lines, logarithmic).svg())
        marks = [each for each in root.iter() if each.tag.endswith("circle") and each.get("r") == "3"]
        assert len(marks) == 4
        assert all(0 <= float(mark.get("cx", -1)) <= 640 and 0 <= float(mark.get("cy", -1)) <= 300 for mark in marks)
        assert {"Title & more", "b < c", "orders"} <= {each.text for each in root.iter()}


ROOT = Path(__file__).parent.parent.parent
APT = '#!/bin/sh\n[ "$1" != install ] || {install}\n'
INSTALLS = 'printf "#!/bin/sh\\n" > "$BIN/chromium"; chmod +x "$BIN/chromium"'
MAKE = '#!/bin/sh\necho "make $2, browser: ${GIFTSIM_BROWSER_REQUIRED:-no}, tools: $GIFTSIM_TOOLS_REQUIRED"\n'
TOOLS = '#!/bin/sh\nshift 2\nexec make - "$@"\n'
STEPS = ("docs", "ecosystem", "mutants", "3.13", "check")  # without git, the second environment


def run_script(tmp_path: Path, **programs: str) -> str:
    """What `.ci/run` prints on a machine with these programs, whose `make` says which tools are required."""
    for name in ("bash", "dirname", "chmod", "env", "sh", "timeout"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    for name, text in {"make": MAKE, "python3": TOOLS, "id": "#!/bin/sh\necho 0\n", **programs}.items():
        (tmp_path / name.replace("_", "-")).write_text(text)
        (tmp_path / name.replace("_", "-")).chmod(0o755)
    environment = {"PATH": str(tmp_path), "BIN": str(tmp_path)}
    script = [str(ROOT / ".ci" / "run")]
    return subprocess.check_output(script, env=environment, stderr=subprocess.STDOUT, text=True, timeout=120)


def required(said: str) -> list[str]:
    """The lines of `make`."""
    return [line for line in said.splitlines() if line.startswith("make ")]


def test_tools_that_are_there_have_to_be_used(tmp_path: Path) -> None:
    said = run_script(tmp_path, chromium="#!/bin/sh\n", node="#!/bin/sh\n")
    assert required(said) == [f"make {step}, browser: 1, tools: chromium,node" for step in STEPS]


@pytest.mark.parametrize("user", ["0", "1000"])
def test_a_missing_tool_is_installed(tmp_path: Path, user: str) -> None:
    said = run_script(
        tmp_path, apt_get=APT.format(install=f"{{ {INSTALLS}; }}"), id=f"#!/bin/sh\necho {user}\n",
        sudo='#!/bin/sh\nshift\nexec "$@"\n',
    )  # fmt: skip
    assert required(said)[-1] == "make check, browser: 1, tools: chromium"


@pytest.mark.parametrize("programs", [{}, {"apt_get": APT.format(install="exit 100")}])
def test_where_none_can_be_had_the_script_says_so_and_goes_on(tmp_path: Path, programs: dict[str, str]) -> None:
    said = run_script(tmp_path, **programs)
    assert "chromium cannot be installed here: the tests that use it will be skipped" in said
    assert "npm cannot be installed here: the tests that use it will be skipped" in said
    assert required(said)[-1] == "make check, browser: no, tools: "


FAILS_AT_FIRST = '#!/bin/sh\necho "make $*"\n[ "$2" != ecosystem ] || [ -n "$3" ] || exit 1\n'
FAILS_AGAIN = '#!/bin/sh\necho "make $*"\n[ "$2" != ecosystem ] || exit 2\n'


def test_what_failed_runs_once_more_by_itself(tmp_path: Path) -> None:
    said = required(run_script(tmp_path, make=FAILS_AT_FIRST))
    assert [line.split()[2] for line in said] == ["docs", "ecosystem", *STEPS[1:]]
    assert said[2].endswith("ARGS=--last-failed --last-failed-no-failures none")


def test_what_fails_twice_has_failed(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        run_script(tmp_path, make=FAILS_AGAIN)
    assert refused.value.returncode == 2
    assert [line.split()[2] for line in required(refused.value.output)] == ["docs", "ecosystem", "ecosystem"]
