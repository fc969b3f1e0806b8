"""The control plane: its contract, its handlers and its ways of judging a call, put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from giftsim.control.access import Access
from giftsim.control.body_check import examine
from giftsim.control.handlers import (
    actors,
    approvals,
    call_log,
    clock,
    crm,
    faults,
    held_deliveries,
    keys,
    money,
    previews,
    records,
    simulate,
    teams,
    webhooks,
    worlds,
)
from giftsim.control.problem import Starting
from giftsim.event_log.events import Called
from giftsim.gateway.call import Call, Reply
from giftsim.gateway.contract import Contract
from giftsim.gateway.interface import Handler, Interface
from giftsim.gateway.problem import InvalidJson
from giftsim.kernel.problem import Problem
from giftsim.kernel.state import Definitions, State
from giftsim.worlds.registry import DEFAULT
from giftsim.worlds.world import World

CONTRACT = Path(__file__).parent / "contract.yaml"
Play = Callable[[str, bool], dict[str, Any]]
TakeBack = Callable[[World, int], Sequence[Called]]
Record = Callable[[World, State], str]


class Acts(NamedTuple):
    """What rooms above this one do for it.

    `play(text, keep)` plays a scenario and gives its report; `undo(world, count)` takes client writes back;
    `record(world, state)` writes all that was done to a world as a scenario.
    """

    play: Play
    undo: TakeBack
    record: Record


HANDLERS: dict[str, Handler] = {
    "listWorlds": worlds.list_worlds,
    "getWorld": worlds.get_world,
    "deleteWorld": worlds.delete_world,
    "resetWorld": worlds.reset_world,
    "forkWorld": worlds.fork_world,
    "getFingerprint": worlds.get_fingerprint,
    "listSnapshots": worlds.list_snapshots,
    "saveSnapshot": worlds.save_snapshot,
    "restoreSnapshot": worlds.restore_snapshot,
    "deleteSnapshot": worlds.delete_snapshot,
    "getSettings": worlds.get_settings,
    "changeSettings": worlds.change_settings,
    "createKey": keys.create_key,
    "changeKey": keys.change_key,
    "revokeKey": keys.revoke_key,
    "createSession": teams.create_session,
    "getClock": clock.get_clock,
    "setClock": clock.set_clock,
    "advanceClock": clock.advance_clock,
    "listTimers": clock.list_timers,
    "listReceivers": webhooks.list_receivers,
    "putReceiver": webhooks.put_receiver,
    "deleteReceiver": webhooks.delete_receiver,
    "listDeliveries": webhooks.list_deliveries,
    "listHeld": held_deliveries.list_held,
    "answerDelivery": held_deliveries.answer_delivery,
    "resendDelivery": webhooks.resend_delivery,
    "getDeliveryRequest": webhooks.get_delivery_request,
    "listMail": call_log.list_mail,
    "listCalls": call_log.list_calls,
    "listFaults": faults.list_faults,
    "deleteFault": faults.delete_fault,
    "deleteFaults": faults.delete_faults,
    "listActors": actors.list_actors,
    "createActor": actors.create_actor,
    "deleteActor": actors.delete_actor,
    "deleteActors": actors.delete_actors,
    "listVerbs": simulate.list_verbs,
    "simulateClaim": simulate.simulate_claim,
    "simulateClaimLink": simulate.simulate_claim_link,
    "simulateApproval": approvals.simulate_approval,
    "simulateShipment": simulate.simulate_shipment,
    "simulateSingleOrder": simulate.simulate_single_order,
    "simulateAccount": simulate.simulate_account,
    "simulateTeam": teams.simulate_team,
    "simulateCrm": crm.simulate_crm,
    "simulatePayment": money.simulate_payment,
    "simulateInvoice": money.simulate_invoice,
    "simulateCertificate": money.simulate_certificate,
    "simulateOutcome": simulate.simulate_outcome,
    "simulatePrice": simulate.simulate_price,
    "simulatePersonalization": simulate.simulate_personalization,
    "simulatePreview": previews.simulate_preview,
    "simulateFile": previews.simulate_file,
    "listEvents": records.list_events,
    "listPayments": records.list_payments,
    "listLedger": records.list_ledger,
    "listParcels": records.list_parcels,
    "listApprovals": approvals.list_approvals,
    "listOrders": records.list_orders,
    "listCatalogue": records.list_catalogue,
    "listAccounts": records.list_accounts,
    "listTeams": teams.list_teams,
    "listEndpoints": records.list_endpoints,
}


def control(
    definitions: Definitions, access: Access, acts: Acts, modelled: Sequence[Interface], *, version: str
) -> Interface:  # fmt: skip
    """The interface under `/_sim/v1`; `modelled` are those whose operations faults may match and usage counts."""
    handlers = {
        **HANDLERS,
        "getHealth": make_health(version),
        "playScenario": make_player(acts.play),
        "createWorld": worlds.make_world(definitions.settings),
        "undoWorld": worlds.make_undo(acts.undo),
        "createFault": faults.make_fault(modelled),
        "getScenario": call_log.make_scenario(acts.record),
        "getUsage": call_log.make_usage(modelled),
    }
    return Interface(
        name="control", contract=Contract.load(CONTRACT), handlers=handlers, world_tag=lambda _: None,
        authenticate=access.check, locate=locate, examine=examine, envelope=envelope, modelled=False,
    )  # fmt: skip


def locate(call: Call) -> None:
    """The world that the path names; what a call leaves for the courier goes out behind its answer."""
    if "w" in call.params:
        call.world = call.registry.find(call.params["w"])


def envelope(call: Call, problem: Problem) -> Reply:
    """`{error: {code, message, request_id, details?}}`."""
    error: dict[str, Any] = {"code": problem.code, "message": problem.message, "request_id": call.request_id}
    if problem.details:
        error["details"] = problem.details
    return Reply(problem.status, {"error": error})


def make_health(version: str) -> Handler:
    """The handler that says whether the default world stands."""

    def get_health(call: Call) -> Reply:
        if DEFAULT not in call.registry.worlds:
            raise Starting("the default world does not stand yet")
        return Reply(200, {"status": "ready", "version": version, "worlds": len(call.registry.worlds)})

    return get_health


def make_player(play: Play) -> Handler:
    """The handler that plays a scenario; its thread is lent to the server meanwhile."""

    def play_scenario(call: Call) -> Reply:
        try:
            text = call.raw.decode()
        except UnicodeDecodeError:
            raise InvalidJson("the scenario is not UTF-8") from None
        with call.registry.lend():
            return Reply(200, play(text, call.query["keep"]))

    return play_scenario
