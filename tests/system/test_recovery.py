"""A simulator that goes on from the journal file of another, whatever was done before (G3, G5)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Simulator
from tests.harness import RENO, order_body

CONTROL = "/_sim/v1/worlds"
Call = Callable[..., Any]


class Story:
    """A simulator with a journal, and things that may happen to its worlds, by number."""

    def __init__(self, journal: Path) -> None:
        self.journal = journal
        self.simulator = self._started()
        self.orders = 0

    def _started(self) -> Simulator:
        return Simulator(fixture="empty", journal=self.journal, checkpoint_every=12)

    def again(self) -> None:
        """End, and start anew with the same file."""
        self.simulator.close()
        self.simulator = self._started()

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        answer = self.simulator.client.call(method, path, body=body, headers=headers)
        return answer.json() if answer.body else None

    @property
    def worlds(self) -> list[str]:
        return [world["id"] for world in self.call("GET", CONTROL)["worlds"]]

    @property
    def looks(self) -> dict[str, Any]:
        """All that is compared: every world's state, its journal's numbers and its snapshots."""
        return {
            world: [self.call("GET", f"{CONTROL}/{world}{what}") for what in ("/fingerprint", "/snapshots", "")]
            for world in self.worlds
        }

    def order(self, world: str) -> None:
        self.orders += 1
        body = order_body(idempotency_key=f"k{self.orders}")
        self.call("POST", "/api/external/team-orders", body, Authorization=f"Bearer pk_live_{world}_prepaid")

    def refused(self, world: str) -> None:
        self.call("POST", "/api/external/team-orders", {}, Authorization=f"Bearer pk_live_{world}_prepaid")

    def claim(self, world: str) -> None:
        orders = self.call("GET", f"{CONTROL}/{world}/orders")["orders"]
        if orders:
            self.call(
                "POST", f"{CONTROL}/{world}/simulate/claim",
                {"team_order_id": orders[-1]["id"], "recipient": 0, "address": RENO},
            )  # fmt: skip

    def page(self, world: str) -> None:
        for mail in self.call("GET", f"{CONTROL}/{world}/mail")["mail"][-1:]:
            self.call("POST", "/" + mail["links"][0].split("/", 3)[3], {"address": RENO})

    def advance(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/clock/advance", {"by": "40h"})

    def setting(self, world: str) -> None:
        self.call("PATCH", f"{CONTROL}/{world}/settings", {"partner.lead_times.production": "1d"})

    def snapshot(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/snapshots", {"name": "kept"})

    def restore(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/snapshots/kept/restore")

    def forget(self, world: str) -> None:
        self.call("DELETE", f"{CONTROL}/{world}/snapshots/kept")

    def undo(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/undo")

    def reset(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/reset")

    def fork(self, world: str) -> None:
        if len(self.worlds) < 4:
            self.call("POST", f"{CONTROL}/{world}/fork")

    def make(self, _: str) -> None:
        if len(self.worlds) < 4:
            self.call("POST", CONTROL, {"fixture": "bare", "seed": 3})

    def delete(self, world: str) -> None:
        self.call("DELETE", f"{CONTROL}/{world}")


DEEDS = ("order",) * 6 + (
    "refused", "claim", "page", "advance", "setting", "snapshot", "restore", "forget", "undo", "reset", "fork", "make",
    "delete",
)  # fmt: skip


@settings(max_examples=25)
@given(
    deeds=st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 3)), min_size=1, max_size=60),
    then=st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 3)), max_size=8),
)
def test_whatever_was_done_the_next_simulator_is_where_the_last_one_was(deeds: Any, then: Any) -> None:
    with TemporaryDirectory() as folder:
        story = Story(Path(folder, "journal"))
        try:
            for part in (deeds, then):
                for deed, number in part:
                    worlds = story.worlds
                    getattr(story, deed)(worlds[number % len(worlds)])
                before = story.looks
                story.again()
                assert story.looks == before
        finally:
            story.simulator.close()
