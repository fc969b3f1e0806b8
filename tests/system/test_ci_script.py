"""The script of continuous integration: it gets the tools that tests use, and then their tests must run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
APT = '#!/bin/sh\n[ "$1" != install ] || {install}\n'
INSTALLS = 'printf "#!/bin/sh\\n" > "$BIN/chromium"; chmod +x "$BIN/chromium"'
MAKE = '#!/bin/sh\necho "make $2, browser: ${GIFTSIM_BROWSER_REQUIRED:-no}, tools: $GIFTSIM_TOOLS_REQUIRED"\n'
STEPS = ("docs", "ecosystem", "mutants", "check")


def run_script(tmp_path: Path, **programs: str) -> str:
    """What `.ci/run` prints on a machine with these programs, whose `make` says which tools are required."""
    for name in ("bash", "dirname", "chmod", "env", "sh"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    for name, text in {"make": MAKE, "id": "#!/bin/sh\necho 0\n", **programs}.items():
        (tmp_path / name.replace("_", "-")).write_text(text)
        (tmp_path / name.replace("_", "-")).chmod(0o755)
    environment = {"PATH": str(tmp_path), "BIN": str(tmp_path)}
    script = [str(ROOT / ".ci" / "run")]
    return subprocess.check_output(script, env=environment, stderr=subprocess.STDOUT, text=True, timeout=30)


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
