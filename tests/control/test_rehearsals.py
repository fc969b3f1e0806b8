"""Rehearsals: situations that users fear, each by one word."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.rehearsal import Rehearsal
from giftsim.services.gifting.domain.fulfilment.working_time import holidays_in
from giftsim.services.gifting.rehearsals.parcel_rehearsals import PARCEL
from giftsim.services.gifting.rehearsals.rehearsal_table import REHEARSALS
from giftsim.workbench.scenario import load_scenario, play
from tests.support.api_clients import CONTROL_CONTRACT, PartnerClient
from tests.support.library import SCENARIOS
from tests.support.orders import address_recipients, email_recipients
from tests.support.responses import created
from tests.support.worlds import World

OPERATIONS = {(each.method, each.template): each for each in CONTROL_CONTRACT.operations.values()}


def rehearse(world: World, name: str, **about: Any) -> Any:
    """Let a situation happen; what was done."""
    return world.call_control("POST", "/rehearse", {"name": name, **about})


def refusal(world: World, name: str, **about: Any) -> tuple[int, str, str]:
    """The status, the code and the message with which a rehearsal is refused."""
    response = world.control.post(f"/worlds/{world.id}/rehearse", {"name": name, **about})
    error = response.json()["error"]
    return response.status, error["code"], error["message"]


@pytest.mark.parametrize("rehearsal", REHEARSALS, ids=lambda each: each.name)
def test_each_step_is_a_call_of_the_contract_with_members_that_it_has(rehearsal: Rehearsal) -> None:
    rehearse_schema = OPERATIONS["POST", "/worlds/{w}/rehearse"].body_schema
    assert rehearse_schema is not None
    assert {*rehearsal.takes} <= {*rehearse_schema.document["properties"]}
    assert {member for group in rehearsal.needs for member in group} <= {*rehearsal.takes}
    for step in rehearsal.steps:
        method, _, path = step.call.partition(" ")
        schema = OPERATIONS[method, f"/worlds/{{w}}{path}"].body_schema
        assert isinstance(schema, Schema)
        members = schema.document.get("properties", {})
        assert {member.partition(".")[0] for member in step.takes.values()} <= {*members}
        wrong = [each for each in schema.violations(dict(step.body)) if each.keyword != "required"]
        assert not wrong, wrong


def test_each_has_a_name_and_sentences_of_its_own() -> None:
    for texts in zip(*((row.name, row.fear, row.happens, row.check) for row in REHEARSALS), strict=True):
        assert len({*texts}) == len(REHEARSALS)
    for row in REHEARSALS:
        assert all(text.endswith(".") and text == " ".join(text.split()) for text in (row.fear, row.happens, row.check))


@pytest.mark.parametrize("rehearsal", REHEARSALS, ids=lambda each: each.name)
def test_each_is_played_by_the_scenario_of_its_name(rehearsal: Rehearsal) -> None:
    [file] = [
        file for file in SCENARIOS if file.parts[-2:] == ("rehearsals", f"{rehearsal.name.replace('-', '_')}.yaml")
    ]
    assert f"- rehearse: {rehearsal.name}\n" in file.read_text(encoding="utf-8")


def test_the_reference_lists_them_with_their_steps(simulator: Simulator) -> None:
    rows = World(simulator).json_of(simulator.client.call("GET", "/_sim/v1/reference/rehearsals?limit=1000"))
    rejected = next(row for row in rows["rehearsals"] if row["name"] == "parcel-rejected")
    assert [row["name"] for row in rows["rehearsals"]] == [row.name for row in REHEARSALS]
    assert rejected["about"] == "parcel"
    assert "team_order_id" in rejected["takes"]
    assert rejected["needs"] == [["order_id", "team_order_id", "gift_id", "campaign_id"]]
    assert [row["needs"] for row in rows["rehearsals"] if row["name"] in ("option-gone", "holiday")] == [
        [], [["product"], ["option"]],
    ]  # fmt: skip
    assert [(step["call"], step["body"]) for step in rejected["steps"]] == [
        ("POST /simulate/shipment", {"to": "rejected"})
    ]
    assert rejected["decisions"]


def test_it_does_what_its_verbs_do(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(2)))["team_order"]["id"]
    done = rehearse(world, "parcel-rejected", team_order_id=order, recipient=1)
    assert [each["body"] for each in done["done"]] == [{"to": "rejected", "team_order_id": order, "recipient": 1}]
    assert done["done"][0]["answer"]["parcels"][0]["status"] == "rejected"
    assert [row["status"] for row in world.rows("parcels")] == ["submitted", "rejected"]
    assert world.events()[-1]["type"] == "team_order.needs_attention"


def test_what_it_cannot_do_is_refused_and_nothing_changes(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(1)))["team_order"]["id"]
    with world.assert_unchanged():
        assert refusal(world, "parcel-rejectd", team_order_id=order)[:2] == (400, "invalid_body")
        assert "did you mean parcel-rejected?" in refusal(world, "parcel-rejectd")[2]
        message = refusal(world, "parcel-rejected", team_order_id=order, product="MUG-01")[2]
        assert message == f"parcel-rejected does not take product; it takes {', '.join(PARCEL)}"
        assert refusal(world, "parcel-rejected")[:2] == (400, "invalid_body")
        assert refusal(world, "parcel-rejected", team_order_id=9)[:2] == (404, "team_order_not_found")
    world.simulate("shipment", team_order_id=order, to="delivered")
    with world.assert_unchanged():
        status, code, message = refusal(world, "parcel-rejected", team_order_id=order)
    assert (status, code) == (409, "invalid_state")
    assert "rejected" in message


def test_what_cannot_happen_leaves_nothing_behind(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(1)))["team_order"]["id"]
    rehearse(world, "delivered-elsewhere", team_order_id=order)
    with world.assert_unchanged():
        status, code, message = refusal(world, "parcel-lost", team_order_id=order)
    assert (status, code) == (409, "invalid_state")
    assert message == ("shipment 500001 is delivered: lost happens to a parcel that is shipped or delayed; order anew")
    with world.assert_unchanged():
        assert refusal(world, "parcel-lost", order_id=7)[:2] == (404, "shipment_not_found")


def test_what_it_needs_is_named_before_anything_happens(world: World) -> None:
    with world.assert_unchanged():
        for rehearsal in REHEARSALS:
            for group in rehearsal.needs:
                others = {each[0]: 1 if "id" in each[0] else "x" for each in rehearsal.needs if each is not group}
                *first, last = group
                listed = f"{', '.join(first)} or {last}" if first else last
                assert refusal(world, rehearsal.name, **others) == (
                    400, "invalid_body", f"{rehearsal.name} needs {listed}",
                )  # fmt: skip
        assert refusal(world, "option-gone", product="TEE-01")[2] == "option-gone needs option"


@pytest.mark.parametrize(
    ("name", "about", "message"),
    [
        ("parcel-found", {"team_order_id": 9}, "there is no team order 9"),
        ("parcel-lost", {"team_order_id": "1001"},
         "there is no team order '1001': write its id as a number, without quotes"),
        ("parcel-lost", {"team_orderid": 1001}, "parcel-lost does not take team_orderid; did you mean team_order_id?"),
        ("file-gone", {"uri": "https://a.example"}, "file-gone does not take uri; did you mean url?"),
        ("product-gone", {"product": "MUGG-01"}, "there is no product MUGG-01; did you mean MUG-01?"),
        ("contact-merged", {"contact": "7", "into": "8"},
         "into: the team has no contact 8 at hubspot: upsert adds one"),
        ("contact-deleted", {"contact": "7"}, "contact: the team has no contact 7 at hubspot: upsert adds one"),
        ("ach-returned", {"gift_id": "7"},
         "no team has a gift with the id 7; ids of live records are numbers, not text"),
        ("underpaid", {"payment_id": 7},
         "underpaid does not take payment_id; it takes invoice_id, team_order_id, gift_id, amount_cents"),
        ("provider-down", {"provider": "hubspt"},
         "no team has connected the CRM provider hubspt: did you mean hubspot?"),
        ("provider-half", {"provider": "zoho"},
         "no team has connected the CRM provider zoho: an upsert connects it; connected are hubspot, salesforce"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_once_in_the_words_of_the_rehearsal(
    world: World, name: str, about: dict[str, Any], message: str
) -> None:
    with world.assert_unchanged():
        assert refusal(world, name, **about)[2] == message


def test_what_has_come_to_its_end_needs_a_new_order(world: World, partner: PartnerClient) -> None:
    created(partner.create_order(recipients=address_recipients(2)))
    for trigger, end in (("delivered", "these 2 parcels are delivered"), ("canceled", "all its parcels are canceled")):
        if trigger == "canceled":
            created(partner.create_order(recipients=address_recipients(2), idempotency_key="b"))
            partner.post("/team-orders/1002/cancel", {})
        else:
            world.simulate("shipment", team_order_id=1001, to="delivered")
        order = 1002 if trigger == "canceled" else 1001
        assert refusal(world, "parcel-lost", team_order_id=order)[2] == f"{end}: lost cannot happen to any; order anew"
        assert (
            refusal(world, "parcel-rejected", team_order_id=order)[2] == f"{end}: none can become rejected; order anew"
        )


def test_why_a_step_before_was_refused_is_said_if_that_is_another_reason(world: World) -> None:
    partner = world.partner()
    world.simulate("account", key="partner.prepaid", wallet_cents=0, card="declined")
    partner.create_order(recipients=address_recipients(1))
    message = refusal(world, "parcel-lost", order_id=500_001)[2]
    assert message.endswith(
        "before that, POST /simulate/shipment was refused: shipment 500001 belongs to an order that is not paid"
    )


def test_what_has_happened_before_is_left_out(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(1)))["team_order"]["id"]
    calls = [[each["call"] for each in rehearse(world, name, team_order_id=order)["done"]] for name in THREE_TIMES]
    assert calls == [["POST /simulate/shipment", "POST /simulate/parcel"], ["POST /simulate/parcel"]]


THREE_TIMES = ("parcel-lost", "parcel-found")


def test_a_member_is_put_where_the_call_has_it(world: World) -> None:
    world.simulate("crm", provider="hubspot", upsert=[CONTACT, {**CONTACT, "id": "52"}])
    [done] = rehearse(world, "contact-merged", contact="52", into="51")["done"]
    assert done["body"] == {"provider": "hubspot", "merge": {"from": "52", "into": "51"}}
    assert done["answer"]["contacts"] == 1
    [done] = rehearse(world, "contact-deleted", contact="51", provider="hubspot")["done"]
    assert done["body"] == {"provider": "hubspot", "delete": {"id": "51"}}
    assert refusal(world, "contact-merged", contact="52")[:2] == (400, "invalid_body")


@pytest.mark.parametrize(
    ("name", "about", "missing"),
    [
        ("contact-merged", {}, "contact"),
        ("contact-merged", {"contact": "52"}, "into"),
        ("contact-deleted", {"provider": "hubspot"}, "contact"),
        ("option-gone", {"product": "tee-01"}, "option"),  # that would be the whole product
    ],
)
def test_it_does_not_happen_without_what_it_is_about(
    world: World, name: str, about: dict[str, Any], missing: str
) -> None:
    with world.assert_unchanged():
        assert refusal(world, name, **about) == (400, "invalid_body", f"{name} needs {missing}")


def test_a_holiday_needs_the_package(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    holidays_in.cache_clear()
    monkeypatch.setitem(sys.modules, "holidays", None)
    with world.assert_unchanged():
        status, code, message = refusal(world, "holiday")
    assert (status, code, "pip install holidays" in message) == (400, "invalid_setting", True)


CONTACT = {"id": "51", "name": "Zoe Alder", "email": "zoe@alder.example"}


def test_what_is_gone_is_left_out_of_what_happens_to_each(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(3)))["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=1)
    done = rehearse(world, "more-people-than-seats", team_order_id=order)["done"]
    assert [each["body"]["recipient"] for each in done] == [0, 2]
    assert refusal(world, "more-people-than-seats", team_order_id=order) == (
        409,
        "invalid_state",
        "POST /simulate/claim: none of the 3 is left for it",
    )


def test_it_is_one_action_that_is_recorded_undone_and_redone(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(1)))["team_order"]["id"]
    before = world.fingerprint()
    rehearse(world, "parcel-lost", team_order_id=order)
    after = world.fingerprint()
    recording = world.recording
    assert f"- rehearse: parcel-lost\n    with: {{team_order_id: {order}}}" in recording
    undone, *_ = world.call_control("GET", "/undo?all=true&limit=9")["undo"]
    assert undone["summary"] == "Rehearse parcel-lost"
    world.call_control("POST", "/undo", {"to": undone["to"]})
    assert world.fingerprint() == before
    world.call_control("POST", "/redo", {})
    assert world.fingerprint() == after
    assert play(load_scenario(recording), world.client).outcome == "passed"


def test_a_service_without_rehearsals_has_none() -> None:
    with closing(Simulator(services=["museum"])) as simulator:
        world = World(simulator)
        assert refusal(world, "parcel-lost")[:2] == (404, "rehearsal_not_found")
        assert simulator.client.call("GET", "/_sim/v1/reference/rehearsals").json() == {"rehearsals": [], "next": None}
