"""The command `compare`: its options, and its exit status. How it compares is in tests/compare."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main

FILE = "scenarios/museum/whole_visit.yaml"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the service with --target, or a snapshot of it with --snapshot"),
        (["--target", "http://127.0.0.1:1", "--operation", "getHours"], "there is no such operation; did you mean"),
        (["--target", "http://127.0.0.1:1", "--patience", "long"], "--patience or --now: "),
        (["--target", "http://127.0.0.1:1", "--var", "x"], "--var takes NAME=VALUE, not 'x'"),
        (["--target", "http://127.0.0.1:1"], "there is nothing to compare"),
        (["--target", "museum=http://127.0.0.1:1", "scenarios/partner/lookups.yaml"], "which has no --target"),
        (["--snapshot", "README.md", "--target", "http://127.0.0.1:1"], "a snapshot is compared without the service"),
        (["--snapshot", "README.md", FILE], "a snapshot names its own"),
        (["--target", "http://127.0.0.1:1", "tests/compare"], "tests/compare has no scenario"),
        (["--target", "http://127.0.0.1:1", "README.md"], "not YAML: mapping values are not allowed"),
    ],
)
def test_a_command_line_that_cannot_be_carried_out_ends_with_2(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["compare", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr
