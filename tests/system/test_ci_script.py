"""The script of continuous integration: it gets a browser where it can, and then the browser tests must run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
APT = '#!/bin/sh\necho "apt-get $*"\n[ "$1" != install ] || {install}\n'
INSTALLS = 'printf "#!/bin/sh\\n" > "$BIN/chromium"; chmod +x "$BIN/chromium"'


def run_script(tmp_path: Path, **programs: str) -> str:
    """What `.ci/run` prints on a machine with these programs, whose `make` says whether a browser is required."""
    for name in ("bash", "dirname", "chmod", "env", "sh"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    make = '#!/bin/sh\necho "make $2, required: ${GIFTSIM_BROWSER_REQUIRED:-no}"\n'
    for name, text in {"make": make, "id": "#!/bin/sh\necho 0\n", **programs}.items():
        (tmp_path / name.replace("_", "-")).write_text(text)
        (tmp_path / name.replace("_", "-")).chmod(0o755)
    environment = {"PATH": str(tmp_path), "BIN": str(tmp_path)}
    script = [str(ROOT / ".ci" / "run")]
    return subprocess.check_output(script, env=environment, stderr=subprocess.STDOUT, text=True, timeout=30)


def test_a_browser_that_is_there_has_to_be_used(tmp_path: Path) -> None:
    said = run_script(tmp_path, chromium="#!/bin/sh\n", apt_get=APT.format(install="true"))
    assert said == "make docs, required: 1\nmake check, required: 1\n"


@pytest.mark.parametrize("user", ["0", "1000"])
def test_a_missing_browser_is_installed(tmp_path: Path, user: str) -> None:
    said = run_script(
        tmp_path, apt_get=APT.format(install=f"{{ {INSTALLS}; }}"), id=f"#!/bin/sh\necho {user}\n",
        sudo='#!/bin/sh\nshift\nexec "$@"\n',
    )  # fmt: skip
    assert "apt-get install" in said
    assert said.endswith("make check, required: 1\n")


@pytest.mark.parametrize("programs", [{}, {"apt_get": APT.format(install="exit 100")}])
def test_where_none_can_be_had_the_script_says_so_and_goes_on(tmp_path: Path, programs: dict[str, str]) -> None:
    said = run_script(tmp_path, **programs)
    assert "Chromium cannot be installed here: the browser tests will be skipped" in said
    assert said.endswith("make check, required: no\n")
