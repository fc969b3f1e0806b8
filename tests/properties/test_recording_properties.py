"""Whatever is done to a world, its recording gives the same answers and the same state in another simulator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.recording import record
from giftsim.scenario import load, play
from tests.harness import HOOKS, RENO, World

ACTS = st.sampled_from(
    ("order", "again", "refused", "read", "claim", "wait", "keep", "back", "undo", "fault", "receiver", "subscribe")
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


def do(world: World, act: str, text: str) -> None:
    """One thing that a client or a tester does; what is refused is part of the story."""
    partner, control, here = world.partner(), world.control, f"/worlds/{world.id}"
    calls: Mapping[str, Any] = {
        "order": lambda: partner.order(idempotency_key=text, gift_sender=text),
        "again": lambda: partner.order(idempotency_key="same"),
        "refused": lambda: partner.post("/team-orders", text),
        "read": lambda: partner.get("/team-orders/1001?include=claim_links"),
        "subscribe": lambda: partner.post("/webhooks", {"url": f"https://{HOOKS}/a", "events": ["team_order.claimed"]}),
        "claim": lambda: control.post(
            f"{here}/simulate/claim", {"team_order_id": 1001, "recipient": 0, "address": RENO}
        ),
        "wait": lambda: control.post(f"{here}/clock/advance", {"by": "1537m"}),
        "keep": lambda: control.post(f"{here}/snapshots", {"name": "k"}),
        "back": lambda: control.post(f"{here}/snapshots/k/restore"),
        "undo": lambda: control.post(f"{here}/undo", {}),
        "fault": lambda: control.post(f"{here}/faults", {"effect": {"status": 503, "undocumented": True}}),
        "receiver": lambda: control.call("PUT", f"{here}/receivers/{HOOKS}", {"script": [{"status": 500}]}),
    }
    calls[act]()


@settings(max_examples=30)
@given(st.lists(st.tuples(ACTS, TEXTS), max_size=12))
def test_a_recording_of_any_short_story_gives_the_same_bytes_again(story: list[tuple[str, str]]) -> None:
    simulator = Simulator(fixture="bare")
    try:
        world = World(simulator, fixture="empty", id=f"w{len(story)}-there")
        do(world, "order", "same")
        for act, text in story:
            do(world, act, text)
        alive = simulator.registry.worlds[world.id]
        report = play(load(record(alive, alive.state, {})), simulator.client)
        assert report.outcome == "passed", report.timeline
    finally:
        simulator.close()
