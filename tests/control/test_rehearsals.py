"""Rehearsals: situations that users fear, each by one word."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.rehearsal import Rehearsal
from giftsim.services.gifting.rehearsals.parcel_rehearsals import PARCEL
from giftsim.services.gifting.rehearsals.rehearsal_table import REHEARSALS
from tests.support.api_clients import CONTROL_CONTRACT, PartnerClient
from tests.support.library import SCENARIOS
from tests.support.orders import address_recipients
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


def test_it_is_one_action_that_is_replayed_and_undone(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(1)))["team_order"]["id"]
    rehearse(world, "card-closed", key="partner.prepaid")
    rehearse(world, "parcel-rejected", team_order_id=order)
    assert "rehearse: parcel-rejected" in world.recording
