"""The coverage of what commands run: `play` and `serve` with --coverage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.cli.serve import SimulatorServer
from giftsim.cli.serve_command import serve
from tests.support.worlds import ExistingWorld, World

ORDERED = """\
scenario: An order that is undone
fixture: empty
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      {idempotency_key: k, gift_sender: Ada, items: [{sku_code: MUG-01}], recipients: [{name: Bo, email: b@o.example}]}
  - undo: 1
"""
LISTED = """\
scenario: A list
fixture: empty
steps:
  - {call: GET /api/external/team-orders, as: partner.prepaid}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(*arguments: str) -> Result:
    """Run the command `play`."""
    return CliRunner().invoke(main, ["play", *arguments])


def areas(folder: Path) -> Any:
    """The areas of the coverage in a folder."""
    return json.loads((folder / "coverage.json").read_bytes())["areas"]


def test_played_files_are_one_report(folder: Path) -> None:
    (folder / "a.yaml").write_text(ORDERED, encoding="utf-8")
    (folder / "b.yaml").write_text(LISTED, encoding="utf-8")
    result = play("a.yaml", "b.yaml", "--coverage", "out")
    assert result.exit_code == 0, result.output
    assert areas(folder / "out")["operations"]["met"] == ["createTeamOrder", "listTeamOrders"]
    assert result.output.splitlines()[-2:] == ["out/coverage.json", "out/coverage.html"]
    assert b"createTeamOrder" in (folder / "out" / "coverage.html").read_bytes()


def test_json_of_play_stays_json(folder: Path) -> None:
    (folder / "b.yaml").write_text(LISTED, encoding="utf-8")
    result = play("b.yaml", "--coverage", "out", "--json")
    assert [report["outcome"] for report in json.loads(result.stdout)] == ["passed"]


def test_settings_are_checked_before_anything_is_played(folder: Path) -> None:
    (folder / "giftsim.toml").write_text('[coverage]\nevents = ["gifts.sent"]\n', encoding="utf-8")
    (folder / "b.yaml").write_text(LISTED, encoding="utf-8")
    result = play("b.yaml", "--coverage", "out")
    assert (result.exit_code, "did you mean gift.sent?" in result.output) == (2, True)


def test_serve_keeps_coverage_from_the_beginning_of_each_world() -> None:
    options = serve.make_context("serve", ["--port", "0", "--coverage"]).params
    del options["control_token_file"]
    server = SimulatorServer(**options)
    try:
        world = World(server.simulator, fixture="empty")
        world.partner().create_order()
        server.simulator.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")
        default = ExistingWorld(server.simulator, "default")
        whole = default.json_of(default.control.get("/coverage"))
        assert whole["areas"]["operations"]["met"] == ["createTeamOrder"]
    finally:
        server.close()
