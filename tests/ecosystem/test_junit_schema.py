"""The JUnit file of `play` is valid by the schema of the most usual consumer."""

from __future__ import annotations

import subprocess
from pathlib import Path

from click.testing import CliRunner

from giftsim.cli.main import main
from tests.docs.pages import ROOT
from tests.scenario.builders import write_files
from tests.support.junit_files import FILES
from tests.support.tools import require_tool

SCHEMA = ROOT / "tests" / "data" / "schemas" / "junit-10.xsd"


def test_a_report_with_all_outcomes_is_valid(tmp_path: Path) -> None:
    xmllint = require_tool("xmllint", "libxml2-utils")
    write_files(tmp_path, **FILES)
    report = tmp_path / "report.xml"
    CliRunner().invoke(main, ["play", str(tmp_path), "--junit", str(report)])
    command = [xmllint, "--noout", "--nonet", "--schema", str(SCHEMA), str(report)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, f"{report} validates\n")
