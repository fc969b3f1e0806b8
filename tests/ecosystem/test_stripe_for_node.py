"""The public library `stripe` for Node accepts and refuses the test vectors as the package's verifier does."""

from __future__ import annotations

import json
from pathlib import Path

from giftsim import verify
from tests.support.node_packages import TREE, node_project, run_node
from tests.support.stripe_verdicts import expected_verdicts

LIBRARY = "stripe-node"


def test_stripe_for_node_decides_as_every_vector_says(tmp_path: Path) -> None:
    folder = node_project(tmp_path, TREE / "stripe_verdicts.mjs")
    verdicts = json.loads(run_node(folder, "node", "stripe_verdicts.mjs", str(verify.vectors_path())))
    assert verdicts == expected_verdicts(LIBRARY)


def test_the_version_in_the_vectors_is_the_one_that_is_pinned() -> None:
    pinned = json.loads((TREE / "package.json").read_text(encoding="utf-8"))["dependencies"]["stripe"]
    named = json.loads(verify.vectors_path().read_text(encoding="utf-8"))["libraries"][LIBRARY]
    assert named.startswith(f"stripe {pinned.rpartition('.')[0]} for Node")
