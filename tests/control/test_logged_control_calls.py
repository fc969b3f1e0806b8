"""Whatever changes a world on the control plane is an input of it, or a word of its life, and comes again (G3, G5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.event_log import events as word
from tests.support.api_clients import CONTROL_CONTRACT
from tests.support.orders import email_recipients, order_body
from tests.support.team import webhooks as team_webhooks
from tests.support.team.artwork import create_preview
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.team.payments import fund, kit_order_body
from tests.support.worlds import World

Body = Callable[[Any], Any]
HOUSE = {
    "deleteWorld": word.WorldDeleted,
    "forkWorld": word.WorldForked,
    "undoWorld": word.EventsUndone,
}  # words of the file alone
WORDS = {  # inputs of kinds of their own; all other operations are control calls
    "resetWorld": word.WorldReset, "saveSnapshot": word.SnapshotSaved, "deleteSnapshot": word.SnapshotDeleted,
    "restoreSnapshot": word.SnapshotRestored, "setClock": word.ClockRateSet, "advanceClock": word.TimePassed, "answerDelivery": word.AttemptCompleted,
}  # fmt: skip

EXAMPLES: dict[str, tuple[str, Body]] = {
    "changeSettings": ("/settings", lambda _: {"partner.lead_times.production": "9d"}),
    "createKey": ("/keys", lambda _: {"interface": "partner", "name": "mine"}),
    "changeKey": ("/keys/partner.net_terms", lambda _: {"plan": "growth"}),
    "revokeKey": ("/keys/partner.no_funds", lambda _: None),
    "createSession": ("/sessions", lambda _: {"user": "owner"}),
    "putReceiver": ("/receivers/other.partner.example", lambda _: {"mode": "capture", "script": [{"status": 500}]}),
    "deleteReceiver": ("/receivers/other.partner.example", lambda _: None),
    "resendDelivery": ("/deliveries/1/resend", lambda _: None),
    "createFault": ("/faults", lambda _: {"id": "slow", "effect": {"delay_s": 1}}),
    "deleteFault": ("/faults/slow", lambda _: None),
    "deleteFaults": ("/faults", lambda _: None),
    "createActor": ("/actors", lambda _: {"id": "bo", "recipient": "person2@example.com", "claims": "3d"}),
    "deleteActor": ("/actors/bo", lambda _: None),
    "deleteActors": ("/actors", lambda _: None),
    "simulateClaimLink": ("/simulate/claim_link", lambda _: {"team_order_id": 1001, "recipient": 1}),
    "simulateClaim": ("/simulate/claim", lambda _: {"team_order_id": 1001, "recipient": 1}),
    "simulateShipment": ("/simulate/shipment", lambda _: {"team_order_id": 1001, "recipient": 1, "to": "shipped"}),
    "simulateApproval": ("/simulate/approval", lambda made: {"gift_id": made["gift"], "decision": "approve"}),
    "simulateSingleOrder": ("/simulate/single_order", lambda _: {"to": "shipped"}),
    "simulateAccount": ("/simulate/account", lambda _: {"key": "partner.prepaid", "add_cents": 500}),
    "simulateTeam": ("/simulate/team", lambda _: {"balance_cents": 77}),
    "simulateCrm": ("/simulate/crm", lambda _: {"provider": "hubspot", "outage": True}),
    "simulatePayment": ("/simulate/payment", lambda made: {"payment_id": made["payment"], "outcome": "failed"}),
    "simulateInvoice": ("/simulate/invoice", lambda made: {"invoice_id": made["invoice"]}),
    "simulateCertificate": (
        "/simulate/certificate", lambda made: {"certificate_id": made["certificate"], "outcome": "accepted"},
    ),
    "simulateOutcome": ("/simulate/outcome", lambda _: {"idempotency_key": "lost", "outcome": "paid"}),
    "simulatePrice": ("/simulate/price", lambda _: {"product": "MUG-01", "price_cents": 9900}),
    "simulatePersonalization": ("/simulate/personalization", lambda _: {"product": "ENGR-01"}),
    "simulatePreview": ("/simulate/preview", lambda made: {"preview_id": made["preview"], "outcome": "failed"}),
    "simulateFile": ("/simulate/file", lambda _: {"url": "https://cdn.example.com/a.png", "content_type": "image/png"}),
    "answerDelivery": ("/deliveries/{held}/answer", lambda _: {"status": 204}),
    "setClock": ("/clock", lambda _: {"mode": "manual"}),
    "advanceClock": ("/clock/advance", lambda _: {"by": "40d"}),
    "saveSnapshot": ("/snapshots", lambda _: {"name": "kept"}),
    "restoreSnapshot": ("/snapshots/kept/restore", lambda _: None),
    "deleteSnapshot": ("/snapshots/kept", lambda _: None),
    "undoWorld": ("/undo", lambda _: {"count": 1}),
    "forkWorld": ("/fork", lambda _: {"id": "copy"}),
    "resetWorld": ("/reset", lambda _: None),
    "deleteWorld": ("", lambda _: None),
}  # fmt: skip
CHANGING = {
    op.id: op for op in CONTROL_CONTRACT.operations.values() if op.method != "GET" and "/worlds/{w}" in op.template
}


class Told:
    """A world whose simulator keeps a journal, and what stands in that."""

    def __init__(self, journal: Path) -> None:
        self.journal = journal
        self.simulator = Simulator(fixture="bare", journal=journal)
        self.world = World(self.simulator, fixture="empty", id="told")
        journal_file = self.simulator.registry.runtime.journal_file
        assert journal_file is not None
        self._ledger = journal_file

    @property
    def words(self) -> list[word.JournalRecord]:
        """The lines of the file."""
        _, lines = self._ledger.read()
        return [told for _, told in lines]

    def looks(self, simulator: Simulator) -> dict[str, str]:
        """Every world's fingerprint."""
        paths = {world: f"/_sim/v1/worlds/{world}/fingerprint" for world in simulator.registry.worlds}
        return {world: simulator.client.call("GET", path).json()["sha256"] for world, path in paths.items()}


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    told = Told(tmp_path / "journal")
    yield told
    told.simulator.close()


def test_there_is_an_example_of_every_call_that_changes_a_world() -> None:
    assert sorted(EXAMPLES) == sorted(CHANGING)


def test_every_control_call_that_changes_a_world_is_written_and_comes_again(told: Told) -> None:
    made = prepared(told.world)
    for name, (path, body) in EXAMPLES.items():
        before = len(told.words)
        path = path.format(held=made["held"])
        told.world.call_control(CHANGING[name].method, path, body(made))
        kind = HOUSE.get(name) or WORDS.get(name, word.ControlCall)
        assert kind in [type(each) for each in told.words[before:]], name
        if name in ("advanceClock", "undoWorld", "resetWorld"):
            check(told, name)
    check(told, "deleteWorld")


def check(told: Told, name: str) -> None:
    """A simulator that begins with the file as it is now is the same."""
    copy = told.journal.with_name(name)
    copy.write_bytes(told.journal.read_bytes())
    other = Simulator(fixture="bare", journal=copy)
    try:
        assert told.looks(other) == told.looks(told.simulator), name
    finally:
        other.close()


def prepared(world: World) -> dict[str, Any]:
    """What the examples are about."""
    team, partner = TeamClients(world), world.partner()
    partner.subscribe("team_order.claimed")
    partner.create_order(recipients=email_recipients(3))
    with pytest.raises(ConnectionError):
        partner.call("POST", "/team-orders", order_body(idempotency_key="lost"), X_Sim_Fault="crash=after_charge")
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance("1h")
    made = team.live.post_json("/team-orders", kit_order_body())
    invoice = team.live.post_json("/deposit-invoices", {"amount_cents": 500})
    certificate = team.live.post_json("/tax-certificates", {"url": "https://cdn.example.com/tax.pdf"})
    world.set_receiver(team_webhooks.HOST, mode="hold")
    team_webhooks.subscribe(team.live, "approval.requested")
    gift = create_gift(team.live)
    (held,) = world.call_control("GET", "/deliveries/held?wait=true")["held"]
    return {
        "payment": fund(team.live, made, "us_bank_account")["payment_id"], "invoice": invoice["id"],
        "certificate": certificate["id"], "preview": create_preview(team.live)["id"], "gift": gift["id"],
        "held": held["seq"],
    }  # fmt: skip
