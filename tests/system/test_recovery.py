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
from giftsim.engine.log.journal_contents import Unreadable, make_line
from tests.support.journals import end_of, rewrite
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

    def restart(self) -> None:
        """Stop the simulator and start another with the same file."""
        self.simulator.close()
        self.simulator = self._started()

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        response = self.simulator.client.call(method, path, body=body, headers=headers)
        return response.json() if response.body else None

    @property
    def worlds(self) -> list[str]:
        return [world["id"] for world in self.call("GET", CONTROL)["worlds"]]

    @property
    def summary(self) -> dict[str, Any]:
        """What is compared: the fingerprint, snapshots and description of every world."""
        return {
            world: [self.call("GET", f"{CONTROL}/{world}{part}") for part in ("/fingerprint", "/snapshots", "")]
            for world in self.worlds
        }

    def order(self, world: str) -> None:
        self.orders += 1
        body = order_body(idempotency_key=f"k{self.orders}")
        self.call("POST", "/api/external/team-orders", body, Authorization=f"Bearer pk_live_{world}_prepaid")

    def order_invalid(self, world: str) -> None:
        self.call("POST", "/api/external/team-orders", {}, Authorization=f"Bearer pk_live_{world}_prepaid")

    def claim(self, world: str) -> None:
        orders = self.call("GET", f"{CONTROL}/{world}/orders")["orders"]
        if orders:
            self.call(
                "POST", f"{CONTROL}/{world}/simulate/claim",
                {"team_order_id": orders[-1]["id"], "recipient": 0, "address": RENO},
            )  # fmt: skip

    def claim_by_page(self, world: str) -> None:
        for mail in self.call("GET", f"{CONTROL}/{world}/mail")["mail"][-1:]:
            self.call("POST", "/" + mail["links"][0].split("/", 3)[3], {"address": RENO})

    def advance(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/clock/advance", {"by": "40h"})

    def change_setting(self, world: str) -> None:
        self.call("PATCH", f"{CONTROL}/{world}/settings", {"partner.lead_times.production": "1d"})

    def snapshot(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/snapshots", {"name": "kept"})

    def restore(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/snapshots/kept/restore")

    def delete_snapshot(self, world: str) -> None:
        self.call("DELETE", f"{CONTROL}/{world}/snapshots/kept")

    def undo(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/undo")

    def reset(self, world: str) -> None:
        self.call("POST", f"{CONTROL}/{world}/reset")

    def fork(self, world: str) -> None:
        if len(self.worlds) < 4:
            self.call("POST", f"{CONTROL}/{world}/fork")

    def create_world(self, _: str) -> None:
        if len(self.worlds) < 4:
            self.call("POST", CONTROL, {"fixture": "bare", "seed": 3})

    def delete_world(self, world: str) -> None:
        self.call("DELETE", f"{CONTROL}/{world}")


ACTIONS = ("order",) * 6 + (
    "order_invalid", "claim", "claim_by_page", "advance", "change_setting", "snapshot", "restore", "delete_snapshot",
    "undo", "reset", "fork", "create_world", "delete_world",
)  # fmt: skip


@settings(max_examples=12)
@given(
    before_restart=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 3)), min_size=30, max_size=100),
    after_restart=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 3)), max_size=40),
)
def test_recovery_gives_the_same_worlds_after_any_actions(before_restart: Any, after_restart: Any) -> None:
    with TemporaryDirectory() as folder:
        actions = RandomActions(Path(folder, "journal"))
        try:
            for part in (before_restart, after_restart):
                for action, number in part:
                    worlds = actions.worlds
                    getattr(actions, action)(worlds[number % len(worlds)])
                before = actions.summary
                actions.restart()
                assert actions.summary == before
        finally:
            actions.simulator.close()


@pytest.fixture
def actions(tmp_path: Path) -> Iterator[RandomActions]:
    """A simulator after an order, a claim and an advance."""
    actions = RandomActions(tmp_path / "journal")
    actions.order("default")
    actions.claim("default")
    actions.advance("default")
    yield actions
    actions.simulator.close()


def test_only_the_owner_can_read_the_file(actions: RandomActions) -> None:
    assert stat.S_IMODE(actions.journal.stat().st_mode) == 0o600


def test_an_incomplete_last_line_is_cut_off(actions: RandomActions) -> None:
    before = actions.summary
    actions.simulator.close()
    content = actions.journal.read_bytes()
    line, _ = make_line(b'["default",{"t":"call","n":7}]', end_of(content)[1])
    actions.journal.write_bytes(content + line[:-9])
    actions.restart()
    assert actions.summary == before
    actions.order("default")
    after = actions.summary
    actions.restart()
    assert actions.summary == after


def recovery_error(journal: Path, **options: Any) -> str:
    """The error for a file that cannot be recovered."""
    with pytest.raises(Unreadable) as caught:
        Simulator(**{"fixture": "empty", "journal": journal, **options})
    return str(caught.value).replace(str(journal), "FILE")


def test_a_damaged_line_is_reported_by_number(actions: RandomActions) -> None:
    actions.simulator.close()
    actions.journal.write_bytes(actions.journal.read_bytes().replace(b'"method":"POST"', b'"method":"POSt"', 1))
    error = recovery_error(actions.journal)
    assert error.startswith("FILE:3: this line is damaged (it begins at byte ")
    result = CliRunner().invoke(main, ["--port", "0", "--fixture", "empty", "--journal", str(actions.journal)])
    assert (result.exit_code, result.stdout, result.stderr.replace(str(actions.journal), "FILE")) == (
        2,
        "",
        f"{error}\n",
    )


def test_a_line_that_does_not_follow_is_reported(actions: RandomActions) -> None:
    actions.simulator.close()
    rewrite(actions.journal, lambda payloads: payloads[:2] + payloads[3:])
    assert recovery_error(actions.journal) == (
        "FILE:3: this line does not follow from the lines before it: event 2 of world default comes where 1 is due"
        ". Start with the version of giftsim that wrote the file, or with a new file"
    )


def test_a_file_started_with_other_options_is_refused(actions: RandomActions) -> None:
    actions.simulator.close()
    assert recovery_error(actions.journal, seed=2) == (
        "FILE:1: this file was started with seed 1, and this start has 2; start with the same options and version, "
        "or with a new file"
    )
    assert "started with fixture " in recovery_error(actions.journal, fixture="bare")
    assert recovery_error(actions.journal, forward={"hooks.example": "http://127.0.0.1:1"}) == (
        "FILE:1: this file was started with --forward none, and this start has hooks.example=http://127.0.0.1:1; start "
        "with the same options and version, or with a new file"
    )


def test_a_file_that_is_not_a_journal_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "notes"
    journal.write_text("buy milk\n")
    assert recovery_error(journal) == "FILE:1: this file is not a journal of giftsim; it stays as it is"
    assert journal.read_text() == "buy milk\n"


def test_a_file_is_locked_by_one_simulator(actions: RandomActions) -> None:
    assert recovery_error(actions.journal) == "FILE is in use by another simulator"


def test_a_call_that_cannot_be_written_has_no_effect(actions: RandomActions) -> None:
    before, limits = actions.summary, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (actions.journal.stat().st_size + 20, limits[1]))
    try:
        response = actions.simulator.client.call(
            "POST", "/api/external/team-orders", body=order_body(idempotency_key="unwritten"),
            headers={"Authorization": "Bearer pk_live_default_prepaid"},
        )  # fmt: skip
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert response.status == 503
    assert response.json()["error"]["message"] == "the journal journal cannot be written: File too large"
    assert actions.summary == before
    actions.restart()
    assert actions.summary == before


def test_calls_after_one_that_could_not_be_written_are_recovered(actions: RandomActions) -> None:
    def create(key: str) -> int:
        body, headers = order_body(idempotency_key=key), {"Authorization": "Bearer pk_live_default_prepaid"}
        return actions.simulator.client.call("POST", "/api/external/team-orders", body=body, headers=headers).status

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (actions.journal.stat().st_size + 20, limits[1]))
    try:
        assert create("on a full disk") == 503
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert create("with room again") == 201
    before = actions.summary
    actions.restart()
    assert actions.summary == before


def test_the_id_of_a_deleted_world_is_not_given_again_after_a_restart(actions: RandomActions) -> None:
    def create() -> str:
        return str(actions.simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": "bare"}).json()["id"])

    first = create()
    actions.simulator.client.call("DELETE", f"/_sim/v1/worlds/{first}")
    actions.restart()
    assert create() != first


def test_the_server_reports_an_invalid_file_in_one_line(tmp_path: Path) -> None:
    journal = tmp_path / "notes"
    journal.write_text("buy milk\n")
    result = CliRunner().invoke(main, ["--port", "0", "--journal", str(journal)])
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        f"{journal}:1: this file is not a journal of giftsim; it stays as it is\n",
    )
    result = CliRunner().invoke(main, ["--port", "0", "--journal", str(tmp_path / "no" / "folder")])
    assert (result.exit_code, result.stderr) == (2, f"{tmp_path}/no/folder: No such file or directory\n")


def test_targets_that_an_earlier_start_allowed_are_not_called_without_the_allowance(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    first = Simulator(fixture="empty", journal=journal, forward_allow=("app.internal", "10.0.0.0/8"))
    to = {"mode": "forward", "to": "http://app.internal:9000"}
    assert first.client.call("PUT", f"{CONTROL}/default/receivers/hooks.example", body=to).status == 200
    first.close()
    assert recovery_error(journal) == (
        "FILE:1: this file was started with --forward-allow 10.0.0.0/8, app.internal, and this start has none; start "
        "with the same options and version, or with a new file"
    )
    Simulator(fixture="empty", journal=journal, forward_allow=("10.0.0.0/8", "app.internal")).close()
