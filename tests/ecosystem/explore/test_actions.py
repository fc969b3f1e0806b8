"""Explorations of the Flask shop, which its command starts: the right one, and one with a mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from giftsim.cli.main import main
from tests.explore.test_actions import SHOP
from tests.support.free_ports import free_ports


def explore_shop(bug: str | None, folder: Path, *limit: str) -> dict[str, Any]:
    """The report of exploring the Flask shop with a bug, up to a limit."""
    url = f"http://127.0.0.1:{free_ports(1)}"
    command = SHOP + (f" --bug {bug}" if bug else "")
    options = ["--app-command", command, "--app", url, *limit, "--out", str(folder), "--json"]
    done = CliRunner().invoke(main, ["explore", *options])
    assert done.exit_code in (0, 1), done.output
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_the_right_flask_shop_passes(tmp_path: Path) -> None:
    assert explore_shop(None, tmp_path, "--seeds", "40")["findings"] == []


def test_a_bug_is_found_and_its_file_ends_where_it_was_wrong_first(tmp_path: Path) -> None:
    report = explore_shop("new-key", tmp_path, "--budget", "30")  # a search begins with what goes wrong most often
    [finding] = report["findings"]
    assert finding["wrong_after"] == "order-1 is requested"
    assert "answer lost, retried with the same key" in report["missing"]["faults"]
    steps = yaml.safe_load(Path(finding["file"]).read_text(encoding="utf-8"))["steps"]
    assert (finding["steps"], finding["repeats"]) == (len(steps), True)
    assert len(steps) <= 10
    assert steps[-1]["control"] == "GET /recipients?q=order-1@example.com"
