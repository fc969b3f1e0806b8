"""Right receivers in FastAPI and Express, in processes of their own, pass the exam of a receiver without a warning."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.workbench.app.process import AppProcess
from tests.support.free_ports import free_ports
from tests.support.node_packages import TREE, node_project
from tests.support.python_tools import installed_tools
from tests.support.served_simulator import ROOT
from tests.support.tools import require_tool

FASTAPI = ROOT / "tests" / "ecosystem" / "fastapi"
SECRET = "whsec_of_the_receiver"
CHECK = """
import json, os, sys, urllib.request
with urllib.request.urlopen(os.environ["GIFTSIM_APP"].replace("/gifts", "/counted")) as response:
    counted = json.load(response)
expected = json.load(sys.stdin)
wrong = [event["id"] for event in expected["events"] if counted.get(event["id"]) != event["type"]]
wrong += [event["id"] for event in expected["forged"] if event["id"] in counted]
sys.exit(f"wrong: {wrong}" if wrong else 0)
"""


def fastapi_command(_: Path) -> str:
    """The command that starts the receiver in FastAPI."""
    python = installed_tools(FASTAPI / "requirements.lock") / "python"
    return f"PYTHONPATH={shlex.quote(str(ROOT / 'simulator'))} {python} {FASTAPI / 'receiver.py'} {{port}} {SECRET}"


def express_command(folder: Path) -> str:
    """The command that starts the receiver in Express."""
    node_project(folder, TREE / "express_receiver.mjs")
    return f"{require_tool('node', 'nodejs')} {folder / 'express_receiver.mjs'} {{port}} {SECRET}"


@contextmanager
def running(command: str) -> Iterator[str]:
    """The address of the receiver that a command starts."""
    url = f"http://127.0.0.1:{free_ports(1)}"
    app = AppProcess(command, url)
    try:
        app.wait()
        yield f"{url}/gifts"
    finally:
        app.close()


@pytest.mark.parametrize("interface", ["partner", "team"])
@pytest.mark.parametrize("command", [fastapi_command, express_command])
def test_a_right_receiver_passes_without_a_warning(
    command: Callable[[Path], str], interface: str, tmp_path: Path
) -> None:
    check = tmp_path / "check.py"
    check.write_text(CHECK, encoding="utf-8")
    with running(command(tmp_path)) as url:
        options = ("--json", "--interface", interface, "--check", f"{sys.executable} {check}")
        out = ("--out", str(tmp_path / "exam"))
        result = CliRunner().invoke(main, ["exam", "--receiver", url, "--secret", SECRET, *out, *options])
    outcomes = {rule["id"]: (rule["outcome"], rule["reason"]) for rule in json.loads(result.stdout)["rules"]}
    not_asked = {name for name, (outcome, _) in outcomes.items() if outcome == "not_offered"}
    assert not_asked == {"takes_new_secrets", "refuses_old_secrets", "reports_its_failures"}
    assert {each for name, each in outcomes.items() if name not in not_asked} == {("passed", "")}
    assert result.exit_code == 0
