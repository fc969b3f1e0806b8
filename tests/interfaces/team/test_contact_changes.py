"""Contacts that a CRM merges, converts, deletes, withholds or has without an email (G450 to G454, G456)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.rules import rule_run
from giftsim.services.gifting.domain.team.rules.rule import Rule
from giftsim.services.gifting.domain.team.rules.rule_run import RuleGift
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import approve, gift_body
from tests.support.team.rules import create_rule, due_names, evaluate_rules, list_gifts, preview_rule, skip_reasons
from tests.support.worlds import World

CY: dict[str, Any] = {"id": "c1", "name": "Cy Cole", "email": "cy@example.com"}
DI: dict[str, Any] = {"id": "c2", "name": "Di Dahl", "email": "di@example.com", "company": "Dahl"}


def crm(world: World, **members: Any) -> Any:
    """Change the first team's contacts at hubspot."""
    return world.simulate("crm", provider="hubspot", **members)


def refused(world: World, status: int, code: str, **members: Any) -> str:
    """Changes at hubspot that are refused, and change nothing; the message."""
    before = world.fingerprint()
    response = world.control.call("POST", f"/worlds/{world.id}/simulate/crm", {"provider": "hubspot", **members})
    assert (response.status, response.json()["error"]["code"]) == (status, code), response.text
    assert world.fingerprint() == before
    return str(response.json()["error"]["message"])


def win(world: World, contact_id: str = "c1", **members: Any) -> None:
    """Let a contact win a deal today."""
    crm(world, deals=[{"id": contact_id, "trigger_type": "deal_won", **members}])


def names(client: TeamClient, **query: str) -> list[str]:
    """The contacts that a search finds."""
    text = "&".join(f"{name}={value}" for name, value in query.items())
    return [row["display_name"] for row in client.get_json(f"/contacts?{text}")["data"]]


def send(client: TeamClient, contact_id: str, object_type: str = "contact") -> Any:
    """The response to a gift send to one contact."""
    recipient = {"crm": {"provider": "hubspot", "id": contact_id, "object_type": object_type}}
    return client.post("/gifts", {**gift_body(), "recipients": [recipient]})


def sent(client: TeamClient, contact_id: str, object_type: str = "contact") -> Any:
    """The gift that is sent to one contact."""
    made = expect_status(send(client, contact_id, object_type), 201).json()
    return client.get_json(f"/gifts/{made['id']}")


def unknown(client: TeamClient, contact_id: str, object_type: str = "contact") -> bool:
    """Whether a gift send to one contact is refused because there is no such contact."""
    response = send(client, contact_id, object_type)
    return response.status == 422 and invalid_fields(response) == ["recipients[0].crm"]


def gifts_of(client: TeamClient) -> list[str]:
    """The recipients of all gifts of rules, oldest first."""
    return [gift["recipients"][0]["name"] for gift in list_gifts(client) if gift["rule_id"] is not None]


# ---- Merged


def test_a_merged_contact_ends_and_the_other_one_gets_its_deals_and_what_it_lacks(team: TeamClients) -> None:
    create_rule(team.live, "deal_won")
    crm(team.world, upsert=[{**CY, "company": "Cole", "title": "Buyer"}, DI])
    win(team.world)
    assert crm(team.world, merge={"from": "c1", "into": "c2"})["contacts"] == 1
    [contact] = team.live.get_json("/contacts")["data"]
    assert {name: contact[name] for name in ("id", "display_name", "company", "title")} == {
        "id": "c2", "display_name": "Di Dahl", "company": "Dahl", "title": "Buyer",
    }  # fmt: skip
    assert unknown(team.live, "c1")
    evaluate_rules(team.live, "crm")
    assert gifts_of(team.live) == ["Di Dahl"]


def test_whoever_was_merged_gets_no_second_gift_of_the_year(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    crm(team.world, upsert=[CY, DI, {**DI, "id": "c3", "name": "Ed"}])
    win(team.world)
    assert len(evaluate_rules(team.live, "crm")["gifts"]) == 1
    crm(team.world, merge=[{"from": "c1", "into": "c2"}, {"from": "c2", "into": "c3"}])
    win(team.world, "c3")
    assert skip_reasons(preview_rule(team.live, rule)) == [("Ed", "already_sent")] * 2
    team.world.advance("366d")
    win(team.world, "c3")
    team.world.advance("1d")
    assert gifts_of(team.live) == ["Cy Cole", "Ed"]


def test_two_contacts_who_both_got_a_gift_can_be_merged(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    crm(team.world, upsert=[CY, DI], deals=[{"id": each, "trigger_type": "deal_won"} for each in ("c1", "c2")])
    assert len(evaluate_rules(team.live, "crm")["gifts"]) == 2
    crm(team.world, merge={"from": "c1", "into": "c2"})
    assert skip_reasons(preview_rule(team.live, rule)) == [("Di Dahl", "already_sent")] * 2


def test_a_gift_keeps_the_contact_that_it_was_made_for(team: TeamClients) -> None:
    crm(team.world, upsert=[CY, DI])
    gift = sent(team.live, "c1")
    crm(team.world, merge={"from": "c1", "into": "c2"}, delete={"id": "c2"})
    approve(team.world, gift)
    assert [mail["to"] for mail in team.world.mail()] == ["cy@example.com"]
    [recipient] = team.live.get_json(f"/gifts/{gift['id']}")["recipients"]
    assert (recipient["name"], recipient["crm"]["id"]) == ("Cy Cole", "c1")


def test_with_the_setting_a_former_id_leads_to_the_contact_that_it_became(team: TeamClients) -> None:
    team.world.change_settings(crm__former_ids="follow")
    crm(team.world, upsert=[CY, DI, {**CY, "id": "l1", "object_type": "lead", "name": "Lu"}])
    crm(team.world, merge={"from": "c1", "into": "c2"}, convert={"id": "l1", "new_id": "c9"})
    gift = sent(team.live, "c1")
    approve(team.world, gift)
    assert [mail["to"] for mail in team.world.mail()] == ["di@example.com"]
    assert sent(team.live, "l1", "lead")["recipients"][0]["name"] == "Lu"
    crm(team.world, delete={"id": "c2"})
    assert unknown(team.live, "c1")
    crm(team.world, upsert={**CY, "name": "Another Cy"})
    assert sent(team.live, "c1")["recipients"][0]["name"] == "Another Cy"


@pytest.mark.parametrize(
    ("members", "status", "code", "message"),
    [
        ({"merge": {"from": "c1", "into": "c1"}}, 400, "invalid_body", "merge: from and into are the same contact"),
        ({"merge": {"from": "c7", "into": "c1"}}, 404, "contact_not_found", "merge.from: "),
        ({"merge": {"from": "c1", "into": "c7"}}, 404, "contact_not_found", "merge.into: "),
        ({"merge": {"from": "c1"}}, 400, "invalid_body", "merge.into: is required"),
        ({"convert": {"id": "c1"}}, 404, "contact_not_found", "convert: "),
        ({"convert": {"id": "c1", "object_type": "contact", "new_id": "c2"}}, 409, "invalid_state",
         "convert: hubspot has the contact c2 already; merge "),
        ({"delete": [{"id": "c1"}, {"id": "c1"}]}, 404, "contact_not_found", "delete.id: "),
        ({"upsert": {**CY, "name": "New"}, "delete": {"id": "c7"}}, 404, "contact_not_found", "delete.id: "),
    ],
)  # fmt: skip
def test_what_cannot_be_changed_is_named_and_nothing_changes(
    team: TeamClients, members: dict[str, Any], status: int, code: str, message: str
) -> None:
    crm(team.world, upsert=[CY, DI])
    assert refused(team.world, status, code, **members).startswith(message)


def test_a_deal_of_a_merged_contact_says_which_contact_to_name(team: TeamClients) -> None:
    crm(team.world, upsert=[CY, DI], merge={"from": "c1", "into": "c2"})
    message = refused(team.world, 404, "contact_not_found", deals=[{"id": "c1", "trigger_type": "deal_won"}])
    assert message.endswith("at hubspot: it is the contact c2 now")


# ---- Deleted and converted


def test_a_deleted_contact_takes_its_deals_along(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    crm(team.world, upsert=CY)
    win(team.world)
    assert due_names(preview_rule(team.live, rule)) == ["Cy Cole"]
    assert crm(team.world, delete={"id": "c1"})["contacts"] == 0
    assert (names(team.live), due_names(preview_rule(team.live, rule))) == ([], [])
    assert unknown(team.live, "c1")
    team.world.advance("2d")
    assert gifts_of(team.live) == []


def test_a_contact_that_was_deleted_and_made_again_is_the_same_for_a_rule(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    for _ in range(2):
        crm(team.world, upsert=CY)
        win(team.world)
        team.world.advance("1d")
        crm(team.world, delete={"id": "c1"})
    assert gifts_of(team.live) == ["Cy Cole"]
    crm(team.world, upsert={**CY, "id": "c5"})
    win(team.world, "c5")
    assert due_names(preview_rule(team.live, rule)) == ["Cy Cole"], "another id is somebody else"


@pytest.mark.parametrize(
    ("members", "contact_id"),
    [
        ({"convert": {"id": "c1", "new_id": "c8"}}, "c8"),
        ({"merge": {"from_type": "lead", "from": "c1", "into": "c2"}}, "c2"),
    ],
)
def test_a_lead_that_was_made_again_brings_its_gift_along(
    team: TeamClients, members: dict[str, Any], contact_id: str
) -> None:
    lead = {**CY, "object_type": "lead"}
    rule = create_rule(team.live, "deal_won")
    crm(team.world, upsert=[lead, DI])
    win(team.world, object_type="lead")
    team.world.advance("1d")
    crm(team.world, delete={"id": "c1", "object_type": "lead"})
    crm(team.world, upsert=lead)
    crm(team.world, **members)
    win(team.world, contact_id)
    assert [reason for _, reason in skip_reasons(preview_rule(team.live, rule))] == ["already_sent"]


def test_who_gets_an_id_that_a_contact_gave_up_is_somebody_else(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    crm(team.world, upsert={**CY, "object_type": "lead"}, convert={"id": "c1", "new_id": "c8"})
    crm(team.world, upsert={**DI, "object_type": "lead", "id": "c1"})
    win(team.world, object_type="lead")
    assert len(evaluate_rules(team.live, "crm")["gifts"]) == 1
    crm(team.world, delete={"id": "c1", "object_type": "lead"})
    win(team.world, "c8")
    assert due_names(preview_rule(team.live, rule)) == ["Cy Cole"]


def test_a_lead_becomes_a_contact_and_keeps_its_deals_and_its_gift(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    crm(team.world, upsert={**CY, "object_type": "lead"})
    win(team.world, object_type="lead")
    crm(team.world, convert={"id": "c1", "new_id": "c8"})
    [contact] = team.live.get_json("/contacts")["data"]
    assert (contact["object_type"], contact["id"]) == ("contact", "c8")
    assert unknown(team.live, "c1", "lead")
    assert len(evaluate_rules(team.live, "crm")["gifts"]) == 1
    win(team.world, "c8")
    assert skip_reasons(preview_rule(team.live, rule)) == [("Cy Cole", "already_sent")] * 2
    expect_status(send(team.live, "c8"), 201)


# ---- Without an email, and withheld


def test_a_contact_without_email_is_listed_and_cannot_be_sent_a_gift(team: TeamClients) -> None:
    crm(team.world, upsert={**CY, "email": None})
    assert names(team.live) == ["Cy Cole"]
    response = send(team.live, "c1")
    expect_error(response, 422, "validation_failed")
    assert response.json()["error"]["details"] == [
        {"field": "recipients[0].crm", "message": "must be a contact that has an email address"}
    ]
    assert [row["email"] for row in team.world.rows("contacts")] == [None]


def test_the_deal_of_a_contact_without_email_waits_for_one(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    crm(team.world, upsert={**CY, "email": None})
    win(team.world)
    team.world.advance("3d")
    assert (due_names(preview_rule(team.live, rule)), gifts_of(team.live)) == ([], [])
    crm(team.world, upsert=CY)
    team.world.advance("1d")
    assert gifts_of(team.live) == ["Cy Cole"]


def test_a_merge_gives_an_email_to_a_contact_without_one(team: TeamClients) -> None:
    crm(team.world, upsert=[CY, {**DI, "email": None}], merge={"from": "c1", "into": "c2"})
    gift = sent(team.live, "c2")
    approve(team.world, gift)
    assert [mail["to"] for mail in team.world.mail()] == ["cy@example.com"]


def test_a_provider_that_answers_with_half_its_rows_has_the_older_contacts(team: TeamClients) -> None:
    people = [{**CY, "id": f"c{i}", "name": f"P{i}"} for i in range(5)]
    crm(team.world, upsert=people)
    team.world.simulate("crm", provider="salesforce", upsert={**DI, "id": "s1"})
    assert (crm(team.world, half=True)["half"], crm(team.world)["contacts"]) == (True, 5)
    assert names(team.live) == ["Di Dahl", "P0", "P1", "P2"]
    assert names(team.live, provider="hubspot") == ["P0", "P1", "P2"]
    assert team.live.get_json("/contacts")["unavailable_providers"] == []
    assert (unknown(team.live, "c4"), send(team.live, "c2").status) == (True, 201)
    assert (crm(team.world, half=True)["half"], crm(team.world, half=False)["half"]) == (True, False)
    assert len(names(team.live)) == 6
    expect_status(send(team.live, "c4"), 201)


def test_rules_make_up_for_the_contacts_that_a_provider_withheld(team: TeamClients) -> None:
    create_rule(team.live, "deal_won")
    crm(team.world, upsert=[CY, DI], half=True)
    win(team.world)
    win(team.world, "c2")
    team.world.advance("2d")
    assert gifts_of(team.live) == ["Cy Cole"]
    crm(team.world, half=False)
    team.world.advance("1d")
    assert gifts_of(team.live) == ["Cy Cole", "Di Dahl"]


# ---- A second deal in a year


def test_with_the_setting_each_deal_of_a_contact_has_its_gift(team: TeamClients) -> None:
    create_rule(team.live, "deal_won")
    team.world.change_settings(rules__once_per_contact=False)
    crm(team.world, upsert=[CY, DI])
    win(team.world)
    win(team.world)
    assert len(evaluate_rules(team.live, "crm")["gifts"]) == 2
    win(team.world)
    crm(team.world, merge={"from": "c1", "into": "c2"})
    team.world.advance("1d")
    assert gifts_of(team.live) == ["Cy Cole", "Cy Cole", "Di Dahl"]
    team.world.advance("2d")
    assert len(gifts_of(team.live)) == 3


def test_a_setting_that_changes_sends_nothing_twice(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    crm(team.world, upsert=CY)
    win(team.world)
    assert len(evaluate_rules(team.live, "crm")["gifts"]) == 1
    team.world.change_settings(rules__once_per_contact=False)
    assert skip_reasons(preview_rule(team.live, rule)) == [("Cy Cole", "already_sent")]
    win(team.world)
    assert len(evaluate_rules(team.live, "crm")["gifts"]) == 1


def test_a_setting_that_changes_back_sends_nothing_twice(team: TeamClients) -> None:
    rule = create_rule(team.live, "deal_won")
    team.world.change_settings(rules__once_per_contact=False)
    crm(team.world, upsert=CY)
    win(team.world)
    assert len(evaluate_rules(team.live, "crm")["gifts"]) == 1
    team.world.change_settings(rules__once_per_contact=True)
    win(team.world)
    assert skip_reasons(preview_rule(team.live, rule)) == [("Cy Cole", "already_sent")] * 2


def test_a_rule_looks_up_each_deal_once(team: TeamClients, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = create_rule(team.live, "deal_won")
    looked_up: list[str] = []
    find = rule_run._find_gift

    def find_and_count(state: State, rule: Rule, subject: str, year: str) -> RuleGift | None:
        looked_up.append(subject)
        return find(state, rule, subject, year)

    monkeypatch.setattr(rule_run, "_find_gift", find_and_count)
    crm(team.world, upsert=CY, deals=[{"id": "c1", "trigger_type": "deal_won"}] * 50)
    assert due_names(preview_rule(team.live, rule)) == ["Cy Cole"]
    assert sum(subject.startswith("deal ") for subject in looked_up) == 50
