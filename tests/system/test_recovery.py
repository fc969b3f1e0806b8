"""Recovery of a simulator from the journal file of another (G3, G5)."""

from __future__ import annotations

import resource
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.event_log.journal_file import Unreadable
from tests.support.orders import RENO, order_body

CONTROL = "/_sim/v1/worlds"
Call = Callable[..., Any]


class RandomActions:
    """A simulator with a journal file, and numbered actions on its worlds."""

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


@settings(max_examples=12)
@given(
    deeds=st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 3)), min_size=30, max_size=100),
    then=st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 3)), max_size=40),
)
def test_recovery_gives_the_same_worlds_after_any_actions(deeds: Any, then: Any) -> None:
    with TemporaryDirectory() as folder:
        story = RandomActions(Path(folder, "journal"))
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


@pytest.fixture
def story(tmp_path: Path) -> Iterator[RandomActions]:
    """A workload of an order, a claim and two days."""
    story = RandomActions(tmp_path / "journal")
    story.order("default")
    story.claim("default")
    story.advance("default")
    yield story
    story.simulator.close()


def test_only_the_owner_can_read_the_file(story: RandomActions) -> None:
    assert stat.S_IMODE(story.journal.stat().st_mode) == 0o600


def test_an_incomplete_last_line_is_cut_off(story: RandomActions) -> None:
    before = story.looks
    story.simulator.close()
    with story.journal.open("ab") as file:
        file.write(b'["default",{"t":"call","n":')
    story.again()
    assert story.looks == before
    story.order("default")
    after = story.looks
    story.again()
    assert story.looks == after


def refused(journal: Path, **choices: Any) -> str:
    """The error for a file that cannot be recovered."""
    with pytest.raises(Unreadable) as caught:
        Simulator(**{"fixture": "empty", "journal": journal, **choices})
    return str(caught.value).replace(str(journal), "FILE")


def test_a_damaged_line_is_reported_by_number(story: RandomActions) -> None:
    story.simulator.close()
    lines = story.journal.read_bytes().split(b"\n")
    lines[2] = lines[2][:-9]
    story.journal.write_bytes(b"\n".join(lines))
    assert refused(story.journal).startswith("FILE:3: this line is damaged: ")


def test_a_missing_line_is_reported(story: RandomActions) -> None:
    story.simulator.close()
    lines = story.journal.read_bytes().split(b"\n")
    del lines[2]
    story.journal.write_bytes(b"\n".join(lines))
    assert refused(story.journal) == (
        "FILE:3: this line does not follow from the lines before it: event 2 of world default comes where 1 is due"
    )


def test_a_file_started_with_other_options_is_refused(story: RandomActions) -> None:
    story.simulator.close()
    assert refused(story.journal, seed=2) == (
        "FILE:1: this file was started with seed 1, and this start has 2; start with the same options and version, "
        "or with a new file"
    )
    assert "started with fixture " in refused(story.journal, fixture="bare")
    assert refused(story.journal, forward={"hooks.example": "http://127.0.0.1:1"}) == (
        "FILE:1: this file was started with options {'forward': []}, and this start has "
        "{'forward': ['hooks.example=http://127.0.0.1:1']}; start with the same options and version, or with a new file"
    )


def test_a_file_that_is_not_a_journal_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "notes"
    journal.write_text("buy milk\n")
    assert refused(journal) == "FILE:1: this file is not a journal of giftsim"
    assert journal.read_text() == "buy milk\n"


def test_a_file_is_locked_by_one_simulator(story: RandomActions) -> None:
    assert refused(story.journal) == "FILE is in use by another simulator"


def test_a_call_that_cannot_be_written_has_no_effect(story: RandomActions) -> None:
    before, limits = story.looks, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (story.journal.stat().st_size + 20, limits[1]))
    try:
        answer = story.simulator.client.call(
            "POST", "/api/external/team-orders", body=order_body(idempotency_key="unwritten"),
            headers={"Authorization": "Bearer pk_live_default_prepaid"},
        )  # fmt: skip
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert answer.status == 503
    assert answer.json()["error"]["message"] == "the journal journal cannot be written: File too large"
    assert story.looks == before
    story.again()
    assert story.looks == before


def test_the_server_reports_an_invalid_file_in_one_line(tmp_path: Path) -> None:
    journal = tmp_path / "notes"
    journal.write_text("buy milk\n")
    shown = CliRunner().invoke(main, ["--port", "0", "--journal", str(journal)])
    assert (shown.exit_code, shown.stdout, shown.stderr) == (
        2,
        "",
        f"{journal}:1: this file is not a journal of giftsim\n",
    )
    shown = CliRunner().invoke(main, ["--port", "0", "--journal", str(tmp_path / "no" / "folder")])
    assert (shown.exit_code, shown.stderr) == (2, f"{tmp_path}/no/folder: No such file or directory\n")
