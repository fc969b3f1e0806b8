"""The official client of the Model Context Protocol for Node speaks with `/mcp`, in each of its modes."""

from __future__ import annotations

import json
from pathlib import Path

from giftsim.services.gifting.interfaces.team.mcp_tools import make_tools
from tests.support.node_packages import TREE, node_project, run_node
from tests.support.served_simulator import serve_simulator
from tests.support.team.clients import TEAM_CONTRACT

KEY = "Bearer ptk_live_default_approver"


def test_the_client_lists_and_calls_tools_in_the_older_and_the_current_revision(tmp_path: Path) -> None:
    folder = node_project(tmp_path, TREE / "assistant.mjs")
    with serve_simulator() as served:
        url = f"{served.banner['origin']}/mcp"
        found = json.loads(run_node(folder, "node", "assistant.mjs", url, KEY))
    tools, team = len(make_tools(TEAM_CONTRACT)), found["older"][2]
    assert found == {
        "older": ["2025-11-25", tools, team],
        "pinned": ["2026-07-28", tools, team],
        "automatic": ["2026-07-28", tools, team],
    }
