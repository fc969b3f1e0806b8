"""Scheduled rules: every morning in Los Angeles, once a year per occasion, leap days included."""

from __future__ import annotations

from calendar import isleap
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.local_time import LOS_ANGELES, advance_to_local, advance_to_midnight, local_today, utc_instant
from tests.support.team.people import person_row, upsert_people
from tests.support.team.rules import create_rule, due_names, evaluate_rules, list_gifts, preview_rule, skip_reasons
from tests.support.worlds import World

DEAL = {"id": "c1", "trigger_type": "deal_won"}


def day_of(gift: Any) -> date:
    """The Los Angeles date on which a gift was created."""
    return datetime.fromisoformat(gift["created_at"]).astimezone(LOS_ANGELES).date()


def next_first_of(world: World, month: int) -> date:
    """The next first day of a month after today."""
    today = local_today(world)
    return next(day for year in (today.year, today.year + 1) if (day := date(year, month, 1)) > today)


def due_times(world: World) -> list[str]:
    """The times of the pending rule evaluations."""
    timers = world.call_control("GET", "/timers?limit=1000")["timers"]
    return [timer["due"] for timer in timers if timer["kind"] == "rules.run"]


def upsert_contact(world: World, **members: Any) -> None:
    """Create or update a contact of the team's CRM, optionally with a deal."""
    world.simulate("crm", provider="hubspot", upsert={"id": "c1", "name": "Cy", "email": "cy@example.com"}, **members)


@pytest.mark.parametrize("month", [1, 7])
def test_rules_run_at_nine_in_los_angeles_in_winter_and_summer(team: TeamClients, month: int) -> None:
    world, day = team.world, next_first_of(team.world, month)
    create_rule(team.live)
    upsert_people(team.live, person_row("bo", birthday=day.isoformat()[5:]))
    advance_to_local(world, day, 8, 59)
    assert list_gifts(team.live) == []
    assert due_times(world) == [utc_instant(day, 9)]
    advance_to_local(world, day, 9)
    assert [gift["created_at"] for gift in list_gifts(team.live)] == [utc_instant(day, 9)]
    assert due_times(world) == [utc_instant(day + timedelta(days=1), 9)]


def test_each_person_gets_one_gift_per_year_and_occasion(team: TeamClients) -> None:
    day = advance_to_midnight(team.world)
    names = ("birthday", "work_anniversary", "new_hire")
    rules = {name: create_rule(team.live, name)["id"] for name in names}
    upsert_people(
        team.live,
        person_row("al", birthday=day.isoformat()[5:], start_date=day.isoformat()),
        person_row("bo", birthday=(day + timedelta(days=1)).isoformat()[5:]),
        person_row("cy"),
    )
    team.world.advance(to=utc_instant(day.replace(year=day.year + 2, day=min(day.day, 28)), 12))
    created = Counter((gift["rule_id"], gift["recipients"][0]["name"]) for gift in list_gifts(team.live))
    assert created[rules["birthday"], "Al"] == 3
    assert created[rules["birthday"], "Bo"] in (2, 3)
    assert (created[rules["work_anniversary"], "Al"], created[rules["new_hire"], "Al"]) == (2, 1)
    assert sorted({name for _, name in created}) == ["Al", "Bo"]


def test_the_29th_of_february_falls_on_the_28th_in_other_years(team: TeamClients) -> None:
    upsert_people(team.live, person_row("leap", birthday="02-29"), person_row("day", birthday="02-28"))
    create_rule(team.live)
    start = next_first_of(team.world, 3)
    advance_to_local(team.world, start, 0)
    before = len(list_gifts(team.live))
    advance_to_local(team.world, date(start.year + 6, 1, 1), 0)
    years = range(start.year + 1, start.year + 6)
    matches = {(gift["recipients"][0]["name"], day_of(gift)) for gift in list_gifts(team.live)[before:]}
    leap = {("Leap", date(year, 2, 29 if isleap(year) else 28)) for year in years}
    assert matches == leap | {("Day", date(year, 2, 28)) for year in years}


def test_a_manual_evaluation_and_the_morning_run_do_not_repeat_gifts(team: TeamClients) -> None:
    day = advance_to_midnight(team.world)
    upsert_people(team.live, person_row("al", birthday=day.isoformat()[5:]))
    rule = create_rule(team.live)
    assert len(evaluate_rules(team.live)["gifts"]) == 1
    advance_to_local(team.world, day, 10)
    upsert_people(team.live, person_row("bo", birthday=day.isoformat()[5:]))
    assert due_names(preview_rule(team.live, rule)) == ["Bo"]
    assert skip_reasons(evaluate_rules(team.live)) == [("Al", "already_sent")]
    advance_to_local(team.world, day + timedelta(days=1), 10)
    assert len(list_gifts(team.live)) == 2


def test_a_setting_turns_the_morning_run_off(team: TeamClients) -> None:
    day = advance_to_midnight(team.world)
    team.world.change_settings(rules__auto=False)
    upsert_people(team.live, person_row("al", birthday=day.isoformat()[5:]))
    create_rule(team.live)
    advance_to_local(team.world, day, 10)
    assert list_gifts(team.live) == []
    assert len(evaluate_rules(team.live)["gifts"]) == 1
    team.world.change_settings(rules__auto=True)
    upsert_people(team.live, person_row("bo", birthday=(day + timedelta(days=1)).isoformat()[5:]))
    advance_to_local(team.world, day + timedelta(days=1), 10)
    assert len(list_gifts(team.live)) == 2


def test_no_run_is_scheduled_without_an_active_rule(team: TeamClients) -> None:
    assert due_times(team.world) == []
    one, two = create_rule(team.live), create_rule(team.other)
    assert len(due_times(team.world)) == 1
    expect_status(team.live.patch(f"/rules/{one['id']}", {"active": False}), 200)
    assert len(due_times(team.world)) == 1
    expect_status(team.other.delete(f"/rules/{two['id']}"), 200)
    assert due_times(team.world) == []
    expect_status(team.live.patch(f"/rules/{one['id']}", {"active": True}), 200)
    assert len(due_times(team.world)) == 1


def test_an_advance_until_idle_does_not_wait_for_rules(team: TeamClients) -> None:
    day = advance_to_midnight(team.world)
    create_rule(team.live)
    before = team.world.now
    team.world.advance(until="idle")
    assert team.world.now == before
    upsert_people(
        team.live, *[person_row(f"p{i}", birthday=(day + timedelta(days=i)).isoformat()[5:]) for i in range(3)]
    )
    [gift] = evaluate_rules(team.live)["gifts"]
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    team.world.simulate("claim", gift_id=gift["id"], recipient=0)
    team.world.advance(until="idle")
    assert team.live.get_json(f"/gifts/{gift['id']}")["status"] == "delivered"
    assert len(list_gifts(team.live)) == 3, "rules run while something else is still to come"
    before = team.world.now
    team.world.advance(until="idle")
    assert team.world.now == before


def test_a_deal_sends_its_contact_one_gift_a_year(team: TeamClients) -> None:
    advance_to_midnight(team.world)
    won, changed = create_rule(team.live, "deal_won"), create_rule(team.live, "stage_changed")
    upsert_contact(team.world, deals=[DEAL])
    preview = preview_rule(team.live, won)
    assert [(send["person_id"], send["crm"]["id"]) for send in preview["sends"]] == [(None, "c1")]
    assert due_names(preview_rule(team.live, changed)) == []
    created = evaluate_rules(team.live, "crm")
    assert [gift["rule_id"] for gift in created["gifts"]] == [won["id"]]
    upsert_contact(team.world, deals=[DEAL])
    assert evaluate_rules(team.live, "crm")["gifts"] == []
    upsert_contact(team.world, deals=[{**DEAL, "trigger_type": "stage_changed"}])
    team.world.advance("1d")
    assert [gift["rule_id"] for gift in list_gifts(team.live)] == [won["id"], changed["id"]]
    unknown = {"provider": "hubspot", "deals": [{**DEAL, "id": "nobody"}]}
    response = team.world.control.call("POST", f"/worlds/{team.world.id}/simulate/crm", unknown)
    assert (response.status, response.json()["error"]["code"]) == (404, "contact_not_found")


def test_what_became_known_after_nine_gets_its_gift_the_next_morning(team: TeamClients) -> None:
    day = advance_to_midnight(team.world)
    advance_to_local(team.world, day, 8)
    create_rule(team.live)
    create_rule(team.live, "new_hire")
    create_rule(team.live, "deal_won")
    advance_to_local(team.world, day, 10)
    upsert_people(team.live, person_row("bo", birthday=day.isoformat()[5:]), person_row("al", start_date=str(day)))
    upsert_contact(team.world, deals=[DEAL])
    assert list_gifts(team.live) == []
    advance_to_local(team.world, day + timedelta(days=1), 9)
    assert sorted(gift["recipients"][0]["name"] for gift in list_gifts(team.live)) == ["Al", "Bo", "Cy"]
    team.world.advance("3d")
    assert len(list_gifts(team.live)) == 3


def test_a_date_before_the_rule_or_before_yesterday_sends_nothing(team: TeamClients) -> None:
    day = advance_to_midnight(team.world)
    yesterday, before = [(day - timedelta(days=ago)).isoformat()[5:] for ago in (1, 2)]
    upsert_people(team.live, person_row("bo", birthday=yesterday))
    rule = create_rule(team.live)
    assert due_names(preview_rule(team.live, rule)) == []
    advance_to_local(team.world, day + timedelta(days=5), 10)
    late = (day + timedelta(days=3)).isoformat()[5:]
    upsert_people(team.live, person_row("cy", birthday=late), person_row("di", birthday=before))
    team.world.advance("2d")
    assert list_gifts(team.live) == []


def test_two_deals_of_a_contact_before_a_run_send_one_gift(team: TeamClients) -> None:
    advance_to_midnight(team.world)
    create_rule(team.live, "deal_won")
    upsert_contact(team.world, deals=[DEAL, DEAL])
    evaluation = evaluate_rules(team.live, "crm")
    assert len(evaluation["gifts"]) == 1
    [skipped] = evaluation["skipped"]
    assert skipped["crm"] == {"provider": "hubspot", "id": "c1", "object_type": "contact"}
    assert (skipped["person_id"], skipped["display_name"], skipped["reason"]) == (None, "Cy", "already_sent")


def test_a_deal_older_than_the_rule_sends_nothing(team: TeamClients) -> None:
    advance_to_midnight(team.world)
    upsert_contact(team.world, deals=[DEAL])
    team.world.advance("1d")
    assert due_names(preview_rule(team.live, create_rule(team.live, "deal_won"))) == []


def test_gifts_missed_in_an_outage_are_sent_after_it(team: TeamClients) -> None:
    advance_to_midnight(team.world)
    upsert_people(team.live, person_row("bo", birthday=local_today(team.world).isoformat()[5:]))
    rule = create_rule(team.live, "deal_won")
    create_rule(team.live)
    upsert_contact(team.world, deals=[DEAL])
    team.world.simulate("crm", provider="hubspot", outage=True, message="down for cy@example.com")
    error = expect_error(team.live.post("/rules/evaluate", {"kind": "crm"}), 503, "provider_unavailable")
    assert "cy@" not in error["message"]
    expect_error(team.live.get(f"/rules/{rule['id']}/preview?kind=crm"), 503, "provider_unavailable")
    team.world.advance("1d")
    assert [gift["recipients"][0]["name"] for gift in list_gifts(team.live)] == ["Bo"], "other rules go on"
    team.world.simulate("crm", provider="hubspot", outage=False)
    team.world.advance("1d")
    assert [gift["recipients"][0]["name"] for gift in list_gifts(team.live)] == ["Bo", "Cy"]


def test_a_fixture_can_schedule_changes_of_contacts(new_world: Callable[..., World]) -> None:
    crm = {"team": "northwind", "provider": "hubspot", "rows": [{"id": "c1", "name": "Cy", "email": "cy@example.com"}]}
    deal = {"team": "northwind", "provider": "hubspot", **DEAL, "after": "5d"}
    world = new_world(fixture={"extends": "empty", "crm": [crm], "deals": [deal]})
    team = TeamClients(world)
    rule = create_rule(team.live, "deal_won")
    assert due_names(preview_rule(team.live, rule)) == []
    world.advance("7d")
    assert [gift["recipients"][0]["name"] for gift in list_gifts(team.live)] == ["Cy"]
    body = {"fixture": {"extends": "empty", "deals": [deal]}}
    assert world.client.call("POST", "/_sim/v1/worlds", body=body).status == 400
