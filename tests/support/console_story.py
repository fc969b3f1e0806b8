"""A world in which everything has happened that a page of the console shows."""

from __future__ import annotations

from pathlib import Path

from giftsim import Simulator
from giftsim.paths import CONTROL

STORY = Path(__file__).parents[2] / "scenarios" / "together" / "every_event.yaml"


def play_story(simulator: Simulator) -> str:
    """Play every kind of event in a world of its own and keep it; the world's id."""
    path, headers = f"{CONTROL}/scenarios/play?keep=true", {"Content-Type": "application/yaml"}
    report = simulator.client.call("POST", path, body=STORY.read_bytes(), headers=headers).json()
    assert report["outcome"] == "passed", report
    world: str = report["world"]
    for method, target, body in (
        ("POST", f"/worlds/{world}/snapshots", {"name": "before"}),
        ("POST", f"/worlds/{world}/fork", {}),
        ("POST", f"/worlds/{world}/faults", {"effect": {"delay_s": 1}, "match": {"operation": "sendGift"}}),
    ):
        assert simulator.client.call(method, CONTROL + target, body=body).status == 201, target
    return world
