"""People whom a provider changes or takes off the roster while something names them (G455)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.responses import expect_error
from tests.support.team.campaigns import create_campaign, decide, process
from tests.support.team.clients import TeamClients
from tests.support.team.local_time import month_day_in
from tests.support.team.orders import approve, gift_body
from tests.support.team.people import display_names
from tests.support.team.rules import create_rule, due_names, list_gifts, preview_rule, skip_reasons
from tests.support.worlds import World

BO = "bo@example.com"


def crm(world: World, **members: Any) -> Any:
    """Let hubspot change the roster of the first team."""
    return world.simulate("crm", provider="hubspot", **members)


def add_bo(world: World, **fields: Any) -> int:
    """Let hubspot add Bo; the id."""
    [person] = crm(world, people=[{"work_email": BO, "first_name": "Bo", **fields}])["people"]
    return int(person["id"])


def refused(world: World, status: int, code: str, **members: Any) -> str:
    """The message with which a change by the provider is refused; nothing changes."""
    before = world.fingerprint()
    response = world.control.call("POST", f"/worlds/{world.id}/simulate/crm", {"provider": "hubspot", **members})
    assert (response.status, response.json()["error"]["code"]) == (status, code), response.text
    assert world.fingerprint() == before
    return str(response.json()["error"]["message"])


def test_a_person_whom_the_provider_removes_is_off_the_roster_and_the_held_gift_goes_on(team: TeamClients) -> None:
    bo = add_bo(team.world)
    gift = team.live.post_json("/gifts", {**gift_body(), "recipients": [{"person_id": bo}]})
    crm(team.world, remove=[BO])
    assert team.live.get_json("/people")["data"] == []
    expect_error(team.live.patch(f"/people/{bo}", {"zip": "1"}), 404, "not_found")
    refused_send = team.live.post("/gifts", {**gift_body(), "recipients": [{"person_id": bo}]})
    expect_error(refused_send, 422, "validation_failed")
    approve(team.world, {**gift, "gift": True})
    assert [mail["to"] for mail in team.world.mail()] == [BO]
    assert team.live.get_json(f"/gifts/{gift['id']}")["recipients"][0]["person_id"] == bo


def test_who_is_left_out_of_a_sync_stays(team: TeamClients) -> None:
    people = [{"work_email": f"{name}@example.com", "first_name": name} for name in ("Al", "Bo")]
    crm(team.world, people=people)
    crm(team.world, people=people[:1])
    assert sorted(display_names(team.live.get_json("/people")["data"])) == ["Al", "Bo"]


def test_a_rule_makes_no_gift_for_whoever_was_removed(team: TeamClients) -> None:
    rule = create_rule(team.live)
    add_bo(team.world, birthday=month_day_in(team.world, 0))
    assert due_names(preview_rule(team.live, rule)) == ["Bo"]
    crm(team.world, remove=["BO@example.com "])
    assert due_names(preview_rule(team.live, rule)) == []
    team.world.advance("2d")
    assert list_gifts(team.live) == []


def test_a_campaign_sends_to_whoever_was_removed_after_its_creation(team: TeamClients) -> None:
    bo = add_bo(team.world)
    campaign = create_campaign(team.live, recipients=[{"person_id": bo}])
    crm(team.world, remove=[BO])
    campaign = process(team.live, campaign)
    decide(team.world, campaign)
    process(team.live, campaign)
    assert [mail["to"] for mail in team.world.mail()] == [BO]


def test_a_new_email_is_the_same_persons_and_counts_from_the_next_call_on(team: TeamClients) -> None:
    rule = create_rule(team.live)
    bo = add_bo(team.world, birthday=month_day_in(team.world, 0))
    held = team.live.post_json("/gifts", {**gift_body(), "recipients": [{"person_id": bo}]})
    team.live.post("/rules/evaluate", {"kind": "hr"})
    [changed] = crm(team.world, people=[{"work_email": BO, "new_work_email": "berg@example.com", "last_name": "Berg"}])[
        "people"
    ]
    assert (changed["id"], changed["display_name"]) == (bo, "Bo Berg")
    assert [row["work_email"] for row in team.world.rows("people")] == ["berg@example.com"]
    assert skip_reasons(preview_rule(team.live, rule)) == [("Bo Berg", "already_sent")]
    later = team.live.post_json("/gifts", {**gift_body(), "recipients": [{"person_id": bo}]})
    for gift in (held, later):
        approve(team.world, {**gift, "gift": True})
    assert [mail["to"] for mail in team.world.mail()] == [BO, "berg@example.com"]


def test_a_new_email_alone_leaves_the_provider_what_it_manages(team: TeamClients) -> None:
    add_bo(team.world)
    [moved] = crm(team.world, people=[{"work_email": BO, "new_work_email": "berg@example.com"}])["people"]
    assert moved["managed_fields"] == ["first_name"]
    team.live.post("/people", {"people": [{"work_email": "berg@example.com", "first_name": "Bob"}]})
    assert display_names(team.live.list_all("/people")) == ["Bo"]


@pytest.mark.parametrize(
    ("members", "status", "code", "message"),
    [
        ({"remove": [BO, "no@example.com"]}, 404, "person_not_found", "remove[1]: nobody on the team's roster"),
        ({"remove": [BO, BO]}, 404, "person_not_found", "remove[1]: "),
        ({"remove": ["no"]}, 400, "invalid_body", "remove[0]: "),
        ({"people": [{"work_email": "no@example.com", "new_work_email": BO}]}, 404, "person_not_found",
         "people[0].work_email: "),
        ({"people": [{"work_email": BO, "new_work_email": "al@example.com"}]}, 409, "invalid_state",
         "people[0].new_work_email: person "),
        ({"remove": ["al@example.com"]}, 409, "invalid_state", "remove[0]: person "),
    ],
)  # fmt: skip
def test_who_cannot_be_changed_is_named_and_nobody_is_changed(
    team: TeamClients, members: dict[str, Any], status: int, code: str, message: str
) -> None:
    add_bo(team.world)
    team.world.simulate("crm", provider="salesforce", people=[{"work_email": "al@example.com"}])
    assert refused(team.world, status, code, **members).startswith(message)


def test_a_test_key_has_a_roster_of_its_own_to_remove_from(team: TeamClients) -> None:
    add_bo(team.world)
    assert refused(team.world, 404, "person_not_found", remove=[BO], key="team.test").startswith("remove[0]: ")
    crm(team.world, key="team.test", people=[{"work_email": BO}], remove=[BO])
    assert len(team.live.get_json("/people")["data"]) == 1
