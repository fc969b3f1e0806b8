"""What a record can do now: tried on the world, taken back, and refused in the words of the verbs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from giftsim.build import MACHINES
from giftsim.services.gifting.records.possible_moves import OTHERS, VERBS
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients, order_body
from tests.support.team.artwork import create_preview
from tests.support.team.campaigns import create_campaign, prepared_campaign, process
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift, create_order
from tests.support.team.proofs import add_version, create_branded_order, first_proof
from tests.support.worlds import World

# Machines whose records are not subjects: webhook deliveries have calls of their own.
NO_SUBJECTS = {"delivery"}


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def read_moves(world: World, kind: str, subject_id: object) -> Any:
    return world.call_control("GET", f"/moves?kind={kind}&id={subject_id}")


def by_trigger(world: World, kind: str, subject_id: object, machine: str = "shipment") -> dict[str, Any]:
    moves = read_moves(world, kind, subject_id)["moves"]
    return {move["trigger"]: move for move in moves if move["machine"] == machine}


def test_every_trigger_of_every_machine_has_a_verb_or_somebody_else() -> None:
    triggers = {(machine.name, row.trigger) for machine in MACHINES for row in machine.rows
                if machine.name not in NO_SUBJECTS}  # fmt: skip
    assert triggers == {key for key in (*VERBS, *OTHERS) if key[0] not in NO_SUBJECTS}
    assert not set(VERBS) & set(OTHERS)


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_a_parcel_that_waits_for_its_address_can_be_claimed_or_moved_on(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    moves = by_trigger(world, "parcel", 500_001)
    claim, deliver, expire = moves["claim"], moves["deliver"], moves["expire"]
    assert (claim["verb"], claim["body"]) == ("claim", {"team_order_id": 1001, "recipient_id": 200_001})
    assert (claim["allowed"], claim["why_not"]) == (True, None)
    assert [step["trigger"] for step in deliver["steps"]] == ["claim", "produce", "label", "ship", "deliver"]
    assert (expire["verb"], expire["allowed"]) == (None, False)
    assert "by itself" in expire["why_not"]
    assert (expire["due"], expire["because"]) == ("2027-02-03T09:00:00Z", "the claim link expires")


def test_steps_are_in_the_order_in_which_they_are_passed(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    partner.create_order(idempotency_key="earlier", recipients=address_recipients(1))
    world.simulate("shipment", team_order_id=1002, to="shipped")
    steps = by_trigger(world, "order", 1001)["deliver"]["steps"]
    assert [step["trigger"] for step in steps] == ["claim", "produce", "label", "ship", "deliver"]


def test_a_move_that_is_refused_says_why_in_the_words_of_the_verb(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="shipped")
    moves = by_trigger(world, "order", 1001)
    for trigger in ("claim", "produce", "ship"):
        assert not moves[trigger]["allowed"]
        response = world.control.call("POST", f"/worlds/{world.id}/simulate/{moves[trigger]['verb']}",
                                      moves[trigger]["body"])  # fmt: skip
        assert response.json()["error"]["message"] == moves[trigger]["why_not"]


def test_a_parcel_in_transit_moves_by_the_verb_of_the_carrier(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(2))
    world.simulate("shipment", team_order_id=1001, to="shipped")
    for kind, id_ in (("order", 1001), ("parcel", 500_002)):
        moves = by_trigger(world, kind, id_)
        steps = {trigger: [(step["from"], step["to"]) for step in moves[trigger]["steps"]] for trigger in moves}
        for trigger, event, to in (("delay", "exception", "delayed"), ("reject", "returned", "rejected")):
            assert (moves[trigger]["verb"], moves[trigger]["body"]["event"]) == ("parcel", event)
            assert (moves[trigger]["allowed"], steps[trigger]) == (True, [("shipped", to)])
    world.simulate("parcel", team_order_id=1001, event="lost")
    deliver = by_trigger(world, "order", 1001)["deliver"]
    assert (deliver["allowed"], deliver["due"]) == (True, None)
    assert [(step["from"], step["to"]) for step in deliver["steps"]] == [("rejected", "delivered")]


def test_what_the_machine_does_not_allow_is_refused_in_its_words(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1))
    assert "cancelTeamOrder" in by_trigger(world, "order", 1001)["cancel"]["why_not"]
    world.simulate("shipment", team_order_id=1001, to="delivered")
    assert by_trigger(world, "order", 1001)["cancel"]["why_not"] == (
        "this shipment is delivered: cancel does not fit that state"
    )


def test_an_unpaid_order_moves_no_parcel(world: World) -> None:
    world.partner("partner.no_funds").create_order(recipients=address_recipients(1))
    produce = by_trigger(world, "order", 1001)["produce"]
    assert produce["why_not"] == "shipment 500001 belongs to an order that is not paid"


def test_an_order_of_several_recipients_moves_what_can_move(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(3))
    world.simulate("shipment", team_order_id=1001, recipient=0, to="delivered")
    answer = read_moves(world, "order", 1001)
    assert answer["states"] == [{"machine": "shipment", "states": {"delivered": 1, "awaiting": 2}}]
    moves = by_trigger(world, "order", 1001)
    assert (moves["ship"]["allowed"], moves["ship"]["body"]) == (True, {"team_order_id": 1001, "to": "shipped"})
    assert (moves["claim"]["body"], moves["claim"]["why_not"]) == (
        None, "each parcel makes this move by itself: choose a recipient",
    )  # fmt: skip
    world.simulate("shipment", team_order_id=1001, to="delivered")
    assert by_trigger(world, "order", 1001)["ship"]["why_not"] == (
        "these 3 parcels are delivered: none can become shipped; order anew"
    )


def test_the_last_parcel_that_is_left_is_refused_in_its_own_words(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(2))
    partner.post("/team-orders/1001/cancel", {"recipient_ids": [200_001]})
    world.simulate("shipment", team_order_id=1001, to="shipped")
    moves = by_trigger(world, "order", 1001)
    assert moves["label"]["why_not"] == "shipment 500002 is shipped: it cannot become labeled"
    assert moves["deliver"]["allowed"]


def test_a_charge_whose_outcome_is_unknown_can_be_settled_or_failed(world: World, partner: PartnerClient) -> None:
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    settle = by_trigger(world, "order", 1001, "charge")["settle"]
    assert (settle["verb"], settle["body"]) == ("outcome", {"team_order_id": 1001, "outcome": "paid"})
    assert settle["allowed"]


@pytest.mark.parametrize("create", [create_order, create_gift])
def test_what_a_team_holds_can_be_approved_also_before_anyone_asks(team: TeamClients, create: Any) -> None:
    record = create(team.live)
    kind = "gift" if create is create_gift else "order"
    moves = by_trigger(team.world, kind, record["id"], "approval")
    assert moves["approve"]["allowed"], moves["approve"]["why_not"]
    assert moves["reject"]["allowed"]
    team.world.simulate(moves["approve"]["verb"], **moves["approve"]["body"])
    assert "nothing to approve" in by_trigger(team.world, kind, record["id"], "approval")["approve"]["why_not"]


def test_the_moves_of_a_gift_at_an_outdated_price_show_that_its_approval_pays_nothing(team: TeamClients) -> None:
    gift = create_gift(team.live)
    team.world.simulate("price", product="MUG-01", price_cents=9900)
    with team.world.assert_unchanged():
        approve = by_trigger(team.world, "gift", gift["id"], "approval")["approve"]
    assert [(step["machine"], step["trigger"]) for step in approve["steps"]] == [
        ("approval", "approve"), ("approval", "supersede"),
    ]  # fmt: skip


def test_a_campaign_shows_its_own_moves_those_of_its_batches_and_parcels(team: TeamClients) -> None:
    campaign = create_campaign(team.live, 2)
    pause = by_trigger(team.world, "campaign", campaign["id"], "large_campaign")["pause"]
    assert pause["why_not"] == "no verb makes this move: a key of the team does this, by updateLargeCampaign"
    process(team.live, campaign)
    answer = read_moves(team.world, "campaign", campaign["id"])
    assert {row["machine"]: row["states"] for row in answer["states"]} == {
        "large_campaign": {"awaiting_approval": 1}, "approval": {"pending": 1}, "campaign_batch": {"prepared": 1},
        "shipment": {"awaiting": 2},
    }  # fmt: skip
    assert by_trigger(team.world, "campaign", campaign["id"], "large_campaign")["approve"]["allowed"]


def test_reading_moves_changes_nothing(team: TeamClients) -> None:
    order, gift = create_order(team.live), create_gift(team.live)
    before = team.world.fingerprint()
    read_moves(team.world, "order", order["id"])
    read_moves(team.world, "gift", gift["id"])
    read_moves(team.world, "parcel", 500_001)
    assert team.world.fingerprint() == before
    twin = team.world.call_control("POST", "/fork", {})["id"]
    timers = team.world.call_control("GET", "/timers?limit=1000")
    read_moves(team.world, "gift", gift["id"])
    assert team.world.call_control("GET", "/timers?limit=1000") == timers
    assert team.world.client.call("GET", f"/_sim/v1/worlds/{twin}/fingerprint").json()["sha256"] == before


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("order", "team_order_not_found"), ("gift", "gift_not_found"), ("campaign", "campaign_not_found"),
        ("parcel", "shipment_not_found"), ("approval", "approval_not_found"), ("payment", "payment_not_found"),
        ("invoice", "invoice_not_found"), ("proof", "proof_not_found"), ("preview", "preview_not_found"),
        ("certificate", "certificate_not_found"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("subject_id", ["77", "no-such-record"])
def test_a_record_that_is_not_there_is_named(world: World, kind: str, code: str, subject_id: str) -> None:
    response = world.control.call("GET", f"/worlds/{world.id}/moves?kind={kind}&id={subject_id}")
    assert (response.status, response.json()["error"]["code"]) == (404, code)


def subjects(world: World) -> Iterator[tuple[str, object]]:
    """One record of each kind and status that the world has."""
    seen: dict[tuple[str, str], object] = {}
    for kind, view, member in (
        ("order", "orders", "id"), ("gift", "gifts", "id"), ("campaign", "campaigns", "id"),
        ("parcel", "parcels", "order_id"), ("approval", "approvals", "id"),
    ):  # fmt: skip
        for row in world.rows(view):
            seen.setdefault((kind, row["status"]), row[member])
    yield from ((kind, subject_id) for (kind, _), subject_id in seen.items())


def assert_holds(world: World, kind: str, subject_id: object) -> int:
    """Send each listed verb, from the same state; how many were sent."""
    moves = [move for move in read(world, kind, subject_id) if move["body"] is not None]
    for move in moves:
        response = world.control.call("POST", f"/worlds/{world.id}/simulate/{move['verb']}", move["body"])
        assert (response.status == 200) is move["allowed"], (kind, subject_id, move, response.text)
        if move["allowed"]:
            world.call_control("POST", "/snapshots/before/restore")
        else:
            assert response.json()["error"]["message"] == move["why_not"]
    return len(moves)


def read(world: World, kind: str, subject_id: object) -> Any:
    return world.call_control("GET", f"/moves?kind={kind}&id={subject_id}")["moves"]


def test_every_move_of_the_showcase_is_as_it_is_listed(new_world: Any) -> None:
    world = new_world(fixture="default")
    world.call_control("POST", "/snapshots", {"name": "before"})
    sent = sum([assert_holds(world, kind, subject_id) for kind, subject_id in subjects(world)])
    assert sent > 200


def test_moves_of_a_team_that_is_at_work_are_as_they_are_listed(team: TeamClients) -> None:
    world = team.world
    order, gift, campaign = create_order(team.live), create_gift(team.live, 2), prepared_campaign(team.live, 2)
    sandbox_order, branded = create_order(team.test), create_branded_order(team.live)
    preview = create_preview(team.live)
    proof = first_proof(team.live, branded)
    add_version(team.live, proof["id"])
    invoice = team.live.post_json("/deposit-invoices", {"amount_cents": 100_000})
    certificate = team.live.post_json("/tax-certificates", {"url": "https://files.example.com/a.pdf", "region": "NV"})
    world.call_control("POST", "/snapshots", {"name": "before"})
    for kind, record in (
        ("order", order), ("order", sandbox_order), ("order", branded), ("gift", gift), ("campaign", campaign),
        ("preview", preview), ("proof", proof), ("invoice", invoice), ("certificate", certificate),
    ):  # fmt: skip
        assert assert_holds(world, kind, record["id"]) > 0


def test_a_payment_without_an_outcome_is_settled_failed_or_lost_as_listed(team: TeamClients) -> None:
    world = team.world
    order = create_order(team.live)
    world.change_settings(payments__settle_after="1h")
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    [payment] = world.call_control("GET", f"/orders/{order['id']}")["money"]["payments"]
    world.call_control("POST", "/snapshots", {"name": "before"})
    assert assert_holds(world, "payment", payment["payment_id"]) == 4
    assert {move["trigger"]: move["due"] for move in read(world, "payment", payment["payment_id"])}["settle"]


def rehearsals_of(world: World, kind: str, subject_id: object) -> dict[str, Any]:
    return {row["name"]: row for row in read_moves(world, kind, subject_id)["rehearsals"]}


def test_rehearsals_are_tried_and_taken_back(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(recipients=address_recipients(2)).json()["team_order"]["id"]
    with world.assert_unchanged():
        rows = rehearsals_of(world, "order", order)
    assert rows["parcel-lost"]["bodies"] == [{"name": "parcel-lost", "team_order_id": order}]
    corrected = [{"name": "address-corrected", "team_order_id": order, "recipient": place} for place in (0, 1)]
    assert (rows["address-corrected"]["bodies"], rows["address-corrected"]["why_not"]) == (corrected, None)
    assert (rows["underpaid"]["bodies"], rows["underpaid"]["allowed"]) == ([], False)
    for row in rows.values():
        for body in row["bodies"]:
            world.call_control("POST", "/rehearse", body)
            last = world.call_control("GET", "/undo?all=true&limit=1")["undo"][0]
            world.call_control("POST", "/undo", {"to": last["to"]})
        if not row["allowed"]:
            named = {"name": row["name"], "team_order_id": order}
            refused = world.control.post(f"/worlds/{world.id}/rehearse", named).json()["error"]["message"]
            assert refused in row["why_not"] or row["why_not"].startswith("no recipient fits")


def test_a_rehearsal_that_one_of_many_parcels_can_take_is_possible(world: World, partner: PartnerClient) -> None:
    order = partner.create_order(recipients=address_recipients(3)).json()["team_order"]["id"]
    world.simulate("shipment", team_order_id=order, to="delivered")
    gone = rehearsals_of(world, "order", order)
    assert "parcel-lost" not in [name for name, row in gone.items() if row["allowed"]]
    assert "is delivered" in gone["address-corrected"]["why_not"]
    second = partner.create_order(recipients=address_recipients(3), idempotency_key="b").json()["team_order"]["id"]
    world.simulate("shipment", team_order_id=second, recipient=0, to="delivered")
    assert rehearsals_of(world, "order", second)["parcel-lost"]["allowed"]
    waiting = partner.create_order(recipients=email_recipients(3), idempotency_key="c").json()["team_order"]["id"]
    with world.assert_unchanged():
        assert rehearsals_of(world, "order", waiting)["more-people-than-seats"]["allowed"]


@pytest.mark.parametrize("kind", ["gift", "parcel", "payment", "invoice"])
def test_what_is_rehearsed_names_the_record_as_its_verbs_do(world: World, team: TeamClients, kind: str) -> None:
    record = _record_of(world, team, kind)
    rows = rehearsals_of(world, kind, record)
    member = "recipient_id" if kind == "parcel" else f"{kind}_id"
    assert all(member in body for row in rows.values() for body in row["bodies"])
    name = {"payment": "payment-uncertain", "invoice": "underpaid"}.get(kind, "parcel-rejected")
    assert rows[name]["allowed"], rows[name]
    assert ("refund-failed" in rows) == (kind == "gift")


def _record_of(world: World, team: TeamClients, kind: str) -> Any:
    if kind in ("gift", "parcel"):
        gift = create_gift(team.live)["id"]
        world.simulate("approval", gift_id=gift, decision="approve")
        return gift if kind == "gift" else world.rows("parcels")[0]["order_id"]
    method = "us_bank_account" if kind == "payment" else "bank_transfer"
    body = {"method": method, "campaign_id": create_order(team.live)["id"]}
    return team.live.post_json("/funding", body)[f"{kind}_id"]


def test_nothing_is_rehearsed_with_an_approval(world: World, team: TeamClients) -> None:
    approval = world.simulate("approval", gift_id=create_gift(team.live)["id"], decision="approve")["id"]
    assert rehearsals_of(world, "approval", approval) == {}
