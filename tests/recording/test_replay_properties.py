"""Any short sequence of calls replays to the same responses and the same state in another world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.workbench.scenario import load_scenario, play
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.orders import RENO
from tests.support.secret_scanner import findings
from tests.support.worlds import World

ACTIONS = st.sampled_from(
    ("order", "same order", "invalid order", "read", "claim", "advance", "snapshot", "restore", "undo", "fault",
     "receiver", "subscribe", "page", "enter", "token", "key", "use keys", "reset")
)  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


def run(world: World, action: str, text: str) -> None:
    """One action of a client or of a tester, which may be refused."""
    partner, control, path = world.partner(), world.control, f"/worlds/{world.id}"
    subscription = {"url": f"https://{WEBHOOK_HOST}/a", "events": ["team_order.claimed"]}
    claim = {"team_order_id": 1001, "recipient": 0, "address": RENO}
    calls: Mapping[str, Any] = {
        "order": lambda: partner.create_order(idempotency_key=text, gift_sender=text),
        "same order": lambda: partner.create_order(idempotency_key="same"),
        "invalid order": lambda: partner.post("/team-orders", text),
        "read": lambda: partner.get("/team-orders/1001?include=claim_links"),
        "subscribe": lambda: partner.post("/webhooks", subscription),
        "claim": lambda: control.post(f"{path}/simulate/claim", claim),
        "advance": lambda: control.post(f"{path}/clock/advance", {"by": "1537m"}),
        "snapshot": lambda: control.post(f"{path}/snapshots", {"name": "k"}),
        "restore": lambda: control.post(f"{path}/snapshots/k/restore"),
        "undo": lambda: control.post(f"{path}/undo", {}),
        "fault": lambda: control.post(f"{path}/faults", {"effect": {"status": 503, "undocumented": True}}),
        "page": lambda: world.client.call("GET", claim_path(world, 0)),
        "enter": lambda: world.client.call("POST", claim_path(world), body={"address": RENO}),
        "token": lambda: control.post(f"{path}/simulate/claim", {"token": claim_path(world).rpartition("/")[2]}),
        "key": lambda: control.post(f"{path}/keys", {"interface": "partner"}),
        "use keys": lambda: use_keys(world),
        "reset": lambda: control.post(f"{path}/reset"),
        "receiver": lambda: control.call("PUT", f"{path}/receivers/{WEBHOOK_HOST}", {"script": [{"status": 500}]}),
    }
    calls[action]()


def claim_path(world: World, index: int = -1) -> str:
    """The path of the claim link in a mail."""
    mails = world.control.get(f"/worlds/{world.id}/mail").json()["mail"]
    return f"/claim/{world.id}/{mails[index]['links'][0].rpartition('/')[2]}" if mails else "/claim/none"


def use_keys(world: World) -> None:
    """Make a call with each key."""
    for credential in world.control.get(f"/worlds/{world.id}").json()["credentials"].values():
        world.client.call("GET", "/api/external/team-orders", headers=credential["headers"])


@settings(max_examples=40)
@given(st.lists(st.tuples(ACTIONS, TEXTS), max_size=12))
def test_a_recording_of_any_actions_gets_the_same_bytes_again(actions: list[tuple[str, str]]) -> None:
    simulator = Simulator(fixture="bare")
    try:
        world = World(simulator, fixture="empty", id=f"w{len(actions)}-there")
        run(world, "order", "same")
        for action, text in actions:
            run(world, action, text)
        text = world.recording
        assert findings(text) == []
        report = play(load_scenario(text), simulator.client)
        assert report.outcome == "passed", report.timeline
    finally:
        simulator.close()
