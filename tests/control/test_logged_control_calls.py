"""Control calls that change a world are written to the journal file and recovered from it (G3, G5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.log import inputs
from tests.support.api_clients import CONTROL_CONTRACT
from tests.support.orders import RENO, email_recipients, order_body
from tests.support.team import webhooks as team_webhooks
from tests.support.team.artwork import create_preview
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.team.payments import fund, kit_order_body
from tests.support.team.proofs import add_version, create_branded_order, first_proof
from tests.support.worlds import World

Body = Callable[[Any], Any]
RECORDS = {  # what these calls write to the journal file; all others write a ControlCall
    "deleteWorld": inputs.WorldDeleted, "forkWorld": inputs.WorldForked, "undoWorld": inputs.InputsUndone,
    "redoWorld": inputs.InputsRedone,
    "resetWorld": inputs.WorldReset, "saveSnapshot": inputs.SnapshotSaved, "deleteSnapshot": inputs.SnapshotDeleted,
    "restoreSnapshot": inputs.SnapshotRestored, "setClock": inputs.ClockRateSet, "advanceClock": inputs.TimePassed,
    "answerDelivery": inputs.AttemptCompleted,
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
    "testEndpoint": ("/endpoints/1/test", lambda _: None),
    "createFault": ("/faults", lambda _: {"id": "slow", "effect": {"delay_s": 1}}),
    "deleteFault": ("/faults/slow", lambda _: None),
    "deleteFaults": ("/faults", lambda _: None),
    "endAttention": ("/attention/end", lambda _: {"resend": True}),
    "createActor": ("/actors", lambda _: {"id": "bo", "recipient": "person2@example.com", "claims": "3d"}),
    "deleteActor": ("/actors/bo", lambda _: None),
    "deleteActors": ("/actors", lambda _: None),
    "simulateClaimLink": ("/simulate/claim_link", lambda _: {"team_order_id": 1001, "recipient": 1}),
    "simulateClaim": ("/simulate/claim", lambda _: {"team_order_id": 1001, "recipient": 1}),
    "simulateAddress": (
        "/simulate/address",
        lambda _: {"team_order_id": 1001, "recipient": 1, "address": RENO},
    ),
    "simulateMail": ("/simulate/mail", lambda _: {"team_order_id": 1001, "recipient": 1, "event": "bounced"}),
    "simulateShipment": ("/simulate/shipment", lambda _: {"team_order_id": 1001, "recipient": 1, "to": "shipped"}),
    "simulateParcel": ("/simulate/parcel", lambda _: {"team_order_id": 1001, "recipient": 1, "event": "exception"}),
    "rehearse": ("/rehearse", lambda _: {"name": "parcel-lost", "team_order_id": 1001, "recipient": 1}),
    "simulateApproval": ("/simulate/approval", lambda ids: {"gift_id": ids["gift"], "decision": "approve"}),
    "simulateSingleOrder": ("/simulate/single_order", lambda _: {"to": "shipped"}),
    "simulateAccount": ("/simulate/account", lambda _: {"key": "partner.prepaid", "add_cents": 500}),
    "simulateTeam": ("/simulate/team", lambda _: {"balance_cents": 77}),
    "simulateCrm": ("/simulate/crm", lambda _: {"provider": "hubspot", "outage": True}),
    "simulatePayment": ("/simulate/payment", lambda ids: {"payment_id": ids["payment"], "outcome": "failed"}),
    "simulateInvoice": ("/simulate/invoice", lambda ids: {"invoice_id": ids["invoice"]}),
    "simulateBank": ("/simulate/bank", lambda ids: {"invoice_id": ids["invoice"], "event": "paid_twice"}),
    "simulateRefund": ("/simulate/refund", lambda _: {"team_order_id": 1001, "outcome": "done"}),
    "simulateCertificate": (
        "/simulate/certificate", lambda ids: {"certificate_id": ids["certificate"], "outcome": "accepted"},
    ),
    "simulateProof": ("/simulate/proof", lambda ids: {"proof_id": ids["proof"], "decision": "sign"}),
    "simulateOutcome": ("/simulate/outcome", lambda _: {"idempotency_key": "lost", "outcome": "paid"}),
    "simulatePrice": ("/simulate/price", lambda _: {"product": "MUG-01", "price_cents": 9900}),
    "simulateStock": ("/simulate/stock", lambda _: {"product": "TEE-01", "option": "M", "on_sale": False}),
    "simulatePersonalization": ("/simulate/personalization", lambda _: {"product": "ENGR-01"}),
    "simulatePreview": ("/simulate/preview", lambda ids: {"preview_id": ids["preview"], "outcome": "failed"}),
    "simulateFile": ("/simulate/file", lambda _: {"url": "https://cdn.example.com/a.png", "content_type": "image/png"}),
    "answerDelivery": ("/deliveries/{held}/answer", lambda _: {"status": 204}),
    "setClock": ("/clock", lambda _: {"mode": "manual"}),
    "advanceClock": ("/clock/advance", lambda _: {"by": "40d"}),
    "saveSnapshot": ("/snapshots", lambda _: {"name": "kept"}),
    "restoreSnapshot": ("/snapshots/kept/restore", lambda _: None),
    "deleteSnapshot": ("/snapshots/kept", lambda _: None),
    "undoWorld": ("/undo", lambda _: {"count": 1}),
    "redoWorld": ("/redo", lambda _: None),
    "forkWorld": ("/fork", lambda _: {"id": "copy"}),
    "resetWorld": ("/reset", lambda _: None),
    "deleteWorld": ("", lambda _: None),
}  # fmt: skip
# The advance writes how far it came. A verification only reads, by POST because a secret does not belong in a URL.
# Names of worlds, which mail is read and what an app answered are not part of the world, and what explains only reads.
WITHOUT_RECORD = (
    "cancelAdvance",
    "verifyDelivery",
    "noteAppAnswer",
    "makeTrace",
    "explainTest",
    "readMail",
    "renameWorld",
)
CHANGING = {
    op.id: op
    for op in CONTROL_CONTRACT.operations.values()
    if op.method != "GET" and "/worlds/{w}" in op.template and op.id not in WITHOUT_RECORD
}


class JournaledWorld:
    """A world of a simulator with a journal file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.simulator = Simulator(fixture="bare", journal=path)
        self.world = World(self.simulator, fixture="empty", id="journaled")
        journal_file = self.simulator.registry.runtime.journal_file
        assert journal_file is not None
        self._journal_file = journal_file

    @property
    def records(self) -> list[inputs.JournalRecord]:
        """The records in the file."""
        return [record for _, record in self._journal_file.read().records()]


@pytest.fixture
def journaled(tmp_path: Path) -> Iterator[JournaledWorld]:
    """A world of a simulator with a journal file."""
    journaled = JournaledWorld(tmp_path / "journal")
    yield journaled
    journaled.simulator.close()


def test_every_call_that_changes_a_world_has_an_example() -> None:
    assert sorted(EXAMPLES) == sorted(CHANGING)


def test_every_call_that_changes_a_world_is_written_to_the_journal_file_and_recovered(
    journaled: JournaledWorld,
) -> None:
    ids = set_up(journaled.world)
    for name, (path, body) in EXAMPLES.items():
        count_before = len(journaled.records)
        journaled.world.call_control(CHANGING[name].method, path.format(held=ids["held"]), body(ids))
        written = [type(record) for record in journaled.records[count_before:]]
        assert RECORDS.get(name, inputs.ControlCall) in written, name
        if name == "undoWorld":  # the delivery that was under way then is sent again, and held again
            journaled.world.call_control("POST", f"/deliveries/{ids['held']}/answer", {"status": 204})
        if name in ("advanceClock", "undoWorld", "redoWorld", "resetWorld"):
            check_recovery(journaled, name)
    check_recovery(journaled, "deleteWorld")


def check_recovery(journaled: JournaledWorld, name: str) -> None:
    """Check that a simulator started with a copy of the journal file has the same worlds."""
    copy = journaled.path.with_name(name)
    copy.write_bytes(journaled.path.read_bytes())
    recovered = Simulator(fixture="bare", journal=copy)
    try:
        assert fingerprints(recovered) == fingerprints(journaled.simulator), name
    finally:
        recovered.close()


def fingerprints(simulator: Simulator) -> dict[str, str]:
    """The fingerprint of each world."""
    paths = {world: f"/_sim/v1/worlds/{world}/fingerprint" for world in simulator.registry.worlds}
    return {world: simulator.client.call("GET", path).json()["sha256"] for world, path in paths.items()}


def set_up(world: World) -> dict[str, Any]:
    """Create the records that the examples change; their ids."""
    team, partner = TeamClients(world), world.partner()
    partner.subscribe("team_order.claimed")
    partner.create_order(recipients=email_recipients(3))
    with pytest.raises(ConnectionError):
        partner.call("POST", "/team-orders", order_body(idempotency_key="lost"), X_Sim_Fault="crash=after_charge")
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.change_settings(refunds__settle_after="5d")
    partner.call("POST", "/team-orders/1001/cancel", {"recipient_ids": [200_003]})
    world.advance("1h")
    order = team.live.post_json("/team-orders", kit_order_body())
    invoice = team.live.post_json("/deposit-invoices", {"amount_cents": 500})
    certificate = team.live.post_json("/tax-certificates", {"url": "https://cdn.example.com/tax.pdf"})
    world.set_receiver(team_webhooks.HOST, mode="hold")
    team_webhooks.subscribe(team.live, "approval.requested")
    gift = create_gift(team.live)
    (held,) = world.call_control("GET", "/deliveries/held?wait=true")["held"]
    proof = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, proof)
    return {
        "payment": fund(team.live, order, "us_bank_account")["payment_id"], "invoice": invoice["id"],
        "certificate": certificate["id"], "preview": create_preview(team.live)["id"], "gift": gift["id"],
        "held": held["seq"], "proof": proof,
    }  # fmt: skip
