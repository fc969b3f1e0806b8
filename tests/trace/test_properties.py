"""Any short sequence of actions has a trace that adds up, holds no secret, and is a place to go on from."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.recording.test_replay_properties import ACTIONS, TEXTS, run
from tests.support.secret_scanner import findings
from tests.support.traces import state_after, trace_of
from tests.support.worlds import ExistingWorld, World


@settings(max_examples=25)
@given(st.lists(st.tuples(ACTIONS, TEXTS), max_size=12), st.integers(0, 40))
@example([("snapshot", "0"), ("receiver", "0"), ("restore", "0"), ("receiver", "0")], 0)
def test_any_actions_have_a_trace_that_adds_up_and_can_be_gone_on_from(
    actions: list[tuple[str, str]], place: int
) -> None:
    simulator = Simulator(fixture="bare")
    try:
        world = World(simulator, fixture="empty", id=f"w{len(actions)}-there")
        run(world, "order", "same")
        for action, text in actions:
            run(world, action, text)
        trace = trace_of(world)
        assert findings(str(trace)) == []
        records, timers = state_after(trace, len(trace["entries"]))
        assert len(timers) == world.call_control("GET", "/clock")["pending"]
        at = place % len(trace["entries"]) + 1
        page = world.control.get(f"/worlds/{world.id}/trace").text
        response = world.control.post("/worlds", {"trace": page, "at": at, "id": "resumed"})
        assert response.status == 201, (trace["entries"][at - 1], response.text)
        begun = trace_of(ExistingWorld(simulator, "resumed"))
        records, timers = state_after(begun, len(begun["entries"]))
        expected, due = state_after(trace, at)
        assert len(timers) == len(due), trace["entries"][at - 1]
        for key in records.keys() & expected.keys():
            if key.startswith(("order/", "parcel/", "account/", "delivery/")):
                assert records[key].get("status") == expected[key].get("status"), (trace["entries"][at - 1], key)
                assert records[key].get("cash_cents") == expected[key].get("cash_cents")
    finally:
        simulator.close()
