"""A process that is killed again and again keeps orders and events, while its clock stands and while it runs."""

from __future__ import annotations

from pathlib import Path

from tests.support.kill_loop import KillLoop, uneven_receiver


def test_orders_and_events_stay_through_kills_under_stopped_and_running_clocks(tmp_path: Path) -> None:
    with uneven_receiver() as receiver:
        loop = KillLoop(tmp_path, receiver)
        for _ in range(4):
            loop.kill_once()
        first, second = loop.final_fingerprints()
    assert first == second
    assert receiver.requests
