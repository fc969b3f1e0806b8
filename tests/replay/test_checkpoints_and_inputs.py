"""A start from checkpoints gives the same worlds as a start that applies every input, wherever the process ended."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.replay.test_undo import ACTIONS, Actor
from tests.support.journals import rewrite
from tests.support.orders import order_body
from tests.support.waiting import wait_until

PATIENCE_S = 20
MADE_FROM_INPUTS = (b'{"t":"checkpoint",', b'{"t":"whole",', b'["",{"t":"complete",')
HOLD_AND_RELEASE = [
    *[("order", 0)] * 3, ("hold", 0), *[("order", 0), ("read", 0)] * 8, ("wait", 0), ("release", 0), ("order", 0),
    ("hold", 0), *[("read", 0)] * 16, ("wait", 0), ("undo", 0), ("order", 0), ("fork", 0), ("wait", 0), ("order", 1),
]  # fmt: skip
HOLD_TWO = [
    ("hold", 0), ("hold", 0), *[("order", 0)] * 8, ("wait", 0), ("release", 0), ("reset", 0), ("hold", 0),
    *[("claim", 0)] * 9, ("snapshot", 0), ("wait", 0), ("undo of three", 0), ("release", 0), ("restore", 0),
]  # fmt: skip
HOLD_AGAIN = [("hold", 0), ("release", 0), ("fork", 0), ("undo", 0), ("hold", 0)]  # both calls have one number


class HoldingActor(Actor):
    """An actor whose orders can be held; a world's held orders are released together."""

    def __init__(self, journal: Path | None = None) -> None:
        super().__init__(journal)
        self.callers: list[threading.Thread] = []

    def act(self, world: str, action: str) -> None:
        """One action."""
        match action:
            case "hold":
                self._hold(world)
            case "release":
                self.release(world)
            case _:
                super().act(world, action)

    def _hold(self, world: str) -> None:
        self.orders += 1
        body, calls = order_body(idempotency_key=f"k{self.orders}"), self.simulator.registry.worlds[world].calls
        headers = {"Authorization": f"Bearer pk_live_{world}_prepaid", "X-Sim-Fault": "hold"}
        before = list(calls.suspended.values())
        call, order = self.simulator.client.call, ("POST", "/api/external/team-orders")
        caller = threading.Thread(target=lambda: call(*order, body=body, headers=headers), daemon=True)
        caller.start()
        wait_until(lambda: any(each not in before for each in calls.suspended.copy().values()) or not caller.is_alive())
        self.callers.append(caller)

    def release(self, world: str) -> None:
        """Delete the faults that hold calls of a world, and wait for those calls."""
        for fault in self.control(world, "GET", "/faults").json().get("faults", ()):
            if fault["effect"].get("hold"):
                self.control(world, "DELETE", f"/faults/{fault['id']}")
        held = self.simulator.registry.worlds[world].calls
        wait_until(lambda: held.held_count > 0 or not held.suspended)

    def close(self) -> None:
        super().close()
        for caller in self.callers:
            caller.join(PATIENCE_S)


def inputs_of(lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if not any(mark in line[:80] for mark in MADE_FROM_INPUTS)]


def observed_from(journal: Path) -> list[Any]:
    """What a start with a file gives; the calls that are listed are those since the last checkpoint."""
    with closing(Actor(journal)) as actor:
        return [(name, content, *views[:1], *views[2:]) for name, content, *views in actor.observed()]


@settings(max_examples=15)
@given(
    st.lists(st.tuples(st.sampled_from((*ACTIONS, "hold", "hold", "release", "wait")), st.integers(0, 2)), min_size=20),
    st.integers(0, 10**6),
)
@example(HOLD_AND_RELEASE, 0)
@example(HOLD_TWO, 0)
@example(HOLD_AGAIN, 1)
def test_checkpoints_give_what_the_inputs_give(steps: list[tuple[str, int]], place: int) -> None:
    with TemporaryDirectory() as folder:
        journal, cut, inputs = (Path(folder, name) for name in ("journal", "cut", "inputs"))
        actor = HoldingActor(journal)
        try:
            actor.act_all(steps)
            actor.act("default", "wait")
            content = journal.read_bytes()
        finally:
            actor.close()
        lines = content.split(b"\n")[:-1]
        kept = len(lines) - place % (len(lines) // 2)  # the process may end after any line
        for end in {kept, len(lines)}:
            if b'{"t":"resumed",' in lines[end - 1]:
                continue  # it is dropped where there is a checkpoint of it, and acts again where there is none
            cut.write_bytes(b"\n".join([*lines[:end], b""]))
            inputs.write_bytes(cut.read_bytes())
            rewrite(inputs, inputs_of)
            assert observed_from(cut) == observed_from(inputs)
