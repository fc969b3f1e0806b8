"""The command `exam` as a user types it, in a folder of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from giftsim.cli.main import main

JUNIT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest"><properties><property name="random_seed" value="42"/></properties>
<testcase classname="tests.test_shop" name="test_order" time="0.5"/>
<testcase classname="tests.test_shop" name="test_cancel">
<failure message="assert 1 == &lt;b&gt;&#10;more">long</failure></testcase>
<testcase classname="tests.test_shop" name="test_setup"><error message="no shop"/></testcase>
<testcase classname="tests.test_books" name="test_month"><skipped message="later"/></testcase>
</testsuite></testsuites>"""
PASSING = '<testsuite><testcase classname="tests.test_shop" name="test_order"/></testsuite>'


def run(*options: object, command: str = "exam") -> Result:
    """Run the command, or another one; its output and its standard error apart."""
    return CliRunner(env={"GIFTSIM_SECRET": None}).invoke(main, [command, *map(str, options)])


def data_of(folder: Path) -> dict[str, Any]:
    """The data of a result."""
    data: dict[str, Any] = json.loads((folder / "exam.json").read_bytes())
    return data


def content(folder: Path) -> dict[str, bytes]:
    """The files of a result."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
