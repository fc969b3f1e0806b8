"""The wheel works where nothing else of this project is installed."""

from __future__ import annotations

import os
import site
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = """
import pathlib
import pytest
import giftsim

HOME = pathlib.Path(giftsim.__file__).parent
ORDER = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
         "recipients": [{"name": "Bo", "email": "bo@example.com"}]}


def test_the_wheel_is_imported():
    assert HOME.is_relative_to(pathlib.Path(__import__("sys").prefix))
    assert (HOME / "py.typed").is_file()


@pytest.mark.parametrize("name", ["bare", "empty", "default", "roster"])
def test_the_wheel_contains_every_fixture(giftsim, name):
    assert giftsim.control("GET")["fixture"] == "empty"
    giftsim.transport.call("POST", "/_sim/v1/worlds", body={"fixture": name, "id": f"of-{name}"})
    assert giftsim.transport.world(f"of-{name}") is not None


def test_a_world_in_process(giftsim):
    giftsim.subscribe("team_order.shipped")
    giftsim.claim(giftsim.call("POST", "/api/external/team-orders", ORDER, credential="partner.prepaid"))
    giftsim.advance("3d")
    giftsim.assert_webhook("team_order.shipped", times=1)


def test_a_world_on_the_server(giftsim_server):
    giftsim_server.advance("3d")
    assert giftsim_server.play("partner/declined_card").outcome == "passed"
    assert giftsim_server.call("GET", "/openapi/team.json").status == 200
"""


def run_command(*command: str | Path, cwd: Path) -> str:
    """Run a command without variables of pytest and Python; its output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    result = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=180, check=False)
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    return result.stdout


def lend_dependencies(to: Path, folder: Path) -> None:
    """Link the installed packages except this project, so that no package index is needed."""
    folder.mkdir()
    for home in site.getsitepackages():
        for path in Path(home).iterdir():
            if "giftsim" not in path.name.lower() and path.suffix != ".pth" and not (folder / path.name).exists():
                (folder / path.name).symlink_to(path)
    (to / "lent.pth").write_text(f"{folder}\n")


def test_the_wheel_contains_everything_a_test_suite_needs(tmp_path: Path) -> None:
    run_command(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist", cwd=ROOT)
    run_command(sys.executable, "-m", "venv", "--without-pip", tmp_path / "env", cwd=tmp_path)
    python = tmp_path / "env" / "bin" / "python"
    home = Path(run_command(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=tmp_path).strip())
    [wheel] = (tmp_path / "dist").glob("giftsim-*.whl")
    run_command(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index",
        "--no-compile",
        "--disable-pip-version-check", wheel, cwd=tmp_path)  # fmt: skip
    lend_dependencies(home, tmp_path / "lent")
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "test_theirs.py").write_text(TESTS)
    scenario = home / "giftsim" / "_data" / "scenarios" / "partner" / "declined_card.yaml"
    output = run_command(
        python, "-m", "pytest", "-W", "error", "-p", "no:cacheprovider", "-q", ".", scenario, cwd=empty
    )
    assert "8 passed" in output
