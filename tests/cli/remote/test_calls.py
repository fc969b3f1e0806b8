"""The command `calls`: a table of what an app called, and HAR."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.remote.conftest import CommandLine


def test_the_newest_calls_are_listed(command_line: CommandLine) -> None:
    assert "this world got no calls" in command_line.output("calls")
    for key in ("one", "two"):
        command_line.world.partner().create_order(idempotency_key=key)
    command_line.world.partner().get("/team-orders/999999")
    shown = command_line.output("calls", "--limit", "2")
    assert shown.splitlines()[0] == "the newest 2 of 3; --limit shows more"
    assert "POST /api/external/team-orders" in shown
    assert "GET /api/external/team-orders/999999" in shown
    assert " 404 " in shown
    assert [row["seq"] for row in command_line.json("calls")] == [1, 2, 3]


def test_har_goes_to_standard_output_or_to_a_file(command_line: CommandLine, tmp_path: Path) -> None:
    command_line.world.partner().create_order(idempotency_key="one")
    printed = command_line.output("calls", "--har")
    [entry] = json.loads(printed)["log"]["entries"]
    assert entry["request"]["url"] == f"{command_line.url}/api/external/team-orders"
    file = tmp_path / "calls.har"
    assert command_line.output("calls", "--har", str(file)) == ""
    assert file.read_text() == printed


def test_har_is_refused_with_what_cannot_take_effect(command_line: CommandLine, tmp_path: Path) -> None:
    assert "--json cannot take effect: --har writes everything" in command_line.error("calls", "--json", "--har")
    assert "No such file" in command_line.error("calls", "--har", str(tmp_path / "none" / "calls.har"))
