"""Rules by the calendar: every morning in Los Angeles, once a year each, on leap days too, and for ever."""

from __future__ import annotations

from calendar import isleap
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from giftsim.kernel.instants import local_date, parse_instant
from tests.harness import World
from tests.interfaces.team.company import ZONE, enroll, row, today
from tests.interfaces.team.ruling import at, due, evaluated, gifts, go, midnight, preview, reasons, rule
from tests.interfaces.team.scene import Team, refused, well

DEAL = {"id": "c1", "trigger_type": "deal_won"}


def day_of(gift: Any) -> date:
    """The Los Angeles day on which a gift was made."""
    return date.fromisoformat(local_date(parse_instant(gift["created_at"]), ZONE))


def first_of(world: World, month: int) -> date:
    """The next first day of a month, not today."""
    now = today(world)
    return next(day for year in (now.year, now.year + 1) if (day := date(year, month, 1)) > now)


def rules_due(world: World) -> list[str]:
    """When rules run next, if they do."""
    timers = world.ask("GET", "/timers?limit=1000")["timers"]
    return [timer["due"] for timer in timers if timer["kind"] == "rules.run"]


def contact(world: World, **members: Any) -> None:
    """A contact of the team's CRM, and perhaps a deal with it."""
    world.simulate("crm", provider="hubspot", upsert={"id": "c1", "name": "Cy", "email": "cy@example.com"}, **members)


@pytest.mark.parametrize("month", [1, 7])
def test_rules_run_at_nine_in_los_angeles_in_winter_and_summer(team: Team, month: int) -> None:
    world, day = team.world, first_of(team.world, month)
    rule(team.live)
    enroll(team.live, row("bo", birthday=day.isoformat()[5:]))
    go(world, day, 8, 59)
    assert gifts(team.live) == []
    assert rules_due(world) == [at(day, 9)]
    go(world, day, 9)
    assert [gift["created_at"] for gift in gifts(team.live)] == [at(day, 9)]
    assert rules_due(world) == [at(day + timedelta(days=1), 9)]


def test_everybody_gets_one_gift_a_year_for_each_occasion(team: Team) -> None:
    day = midnight(team.world)
    names = ("birthday", "work_anniversary", "new_hire")
    rules = {name: rule(team.live, name)["id"] for name in names}
    enroll(
        team.live,
        row("al", birthday=day.isoformat()[5:], start_date=day.isoformat()),
        row("bo", birthday=(day + timedelta(days=1)).isoformat()[5:]),
        row("cy"),
    )
    team.world.advance(to=at(day.replace(year=day.year + 2, day=min(day.day, 28)), 12))
    made = Counter((gift["rule_id"], gift["recipients"][0]["name"]) for gift in gifts(team.live))
    assert made[rules["birthday"], "Al"] == 3
    assert made[rules["birthday"], "Bo"] in (2, 3)
    assert (made[rules["work_anniversary"], "Al"], made[rules["new_hire"], "Al"]) == (2, 1)
    assert sorted({name for _, name in made}) == ["Al", "Bo"]


def test_the_29th_of_february_is_kept_on_the_28th_in_other_years(team: Team) -> None:
    enroll(team.live, row("leap", birthday="02-29"), row("day", birthday="02-28"))
    rule(team.live)
    start = first_of(team.world, 3)
    go(team.world, start, 0)
    before = len(gifts(team.live))
    go(team.world, date(start.year + 6, 1, 1), 0)
    years = range(start.year + 1, start.year + 6)
    found = {(gift["recipients"][0]["name"], day_of(gift)) for gift in gifts(team.live)[before:]}
    leap = {("Leap", date(year, 2, 29 if isleap(year) else 28)) for year in years}
    assert found == leap | {("Day", date(year, 2, 28)) for year in years}


def test_evaluating_by_hand_and_the_morning_run_repeat_each_other_nothing(team: Team) -> None:
    day = midnight(team.world)
    enroll(team.live, row("al", birthday=day.isoformat()[5:]))
    made = rule(team.live)
    assert len(evaluated(team.live)["gifts"]) == 1
    go(team.world, day, 10)
    enroll(team.live, row("bo", birthday=day.isoformat()[5:]))
    assert due(preview(team.live, made)) == ["Bo"]
    assert reasons(evaluated(team.live)) == [("Al", "already_sent")]
    go(team.world, day + timedelta(days=1), 10)
    assert len(gifts(team.live)) == 2


def test_rules_may_be_kept_from_running_by_themselves(team: Team) -> None:
    day = midnight(team.world)
    team.world.settings(rules__auto=False)
    enroll(team.live, row("al", birthday=day.isoformat()[5:]))
    rule(team.live)
    go(team.world, day, 10)
    assert gifts(team.live) == []
    assert len(evaluated(team.live)["gifts"]) == 1
    team.world.settings(rules__auto=True)
    enroll(team.live, row("bo", birthday=(day + timedelta(days=1)).isoformat()[5:]))
    go(team.world, day + timedelta(days=1), 10)
    assert len(gifts(team.live)) == 2


def test_nothing_is_due_without_an_active_rule(team: Team) -> None:
    assert rules_due(team.world) == []
    one, two = rule(team.live), rule(team.other)
    assert len(rules_due(team.world)) == 1
    well(team.live.patch(f"/rules/{one['id']}", {"active": False}), 200)
    assert len(rules_due(team.world)) == 1
    well(team.other.delete(f"/rules/{two['id']}"), 200)
    assert rules_due(team.world) == []
    well(team.live.patch(f"/rules/{one['id']}", {"active": True}), 200)
    assert len(rules_due(team.world)) == 1


def test_an_advance_until_idle_does_not_wait_for_rules(team: Team) -> None:
    day = midnight(team.world)
    rule(team.live)
    before = team.world.now
    team.world.advance(until="idle")
    assert team.world.now == before
    enroll(team.live, *[row(f"p{i}", birthday=(day + timedelta(days=i)).isoformat()[5:]) for i in range(3)])
    [gift] = evaluated(team.live)["gifts"]
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    team.world.simulate("claim", gift_id=gift["id"], recipient=0)
    team.world.advance(until="idle")
    assert team.live.got(f"/gifts/{gift['id']}")["status"] == "delivered"
    assert len(gifts(team.live)) == 3, "rules run while something else is still to come"
    stands = team.world.now
    team.world.advance(until="idle")
    assert team.world.now == stands


def test_a_deal_brings_its_contact_one_gift_a_year(team: Team) -> None:
    midnight(team.world)
    won, changed = rule(team.live, "deal_won"), rule(team.live, "stage_changed")
    contact(team.world, deals=[DEAL])
    shown = preview(team.live, won)
    assert [(send["person_id"], send["crm"]["id"]) for send in shown["sends"]] == [(None, "c1")]
    assert due(preview(team.live, changed)) == []
    made = evaluated(team.live, "crm")
    assert [gift["rule_id"] for gift in made["gifts"]] == [won["id"]]
    contact(team.world, deals=[DEAL])
    assert evaluated(team.live, "crm")["gifts"] == []
    contact(team.world, deals=[{**DEAL, "trigger_type": "stage_changed"}])
    team.world.advance("1d")
    assert [gift["rule_id"] for gift in gifts(team.live)] == [won["id"], changed["id"]]
    unknown = {"provider": "hubspot", "deals": [{**DEAL, "id": "nobody"}]}
    answer = team.world.control.call("POST", f"/worlds/{team.world.id}/simulate/crm", unknown)
    assert (answer.status, answer.json()["error"]["code"]) == (404, "contact_not_found")


def test_a_deal_from_before_a_rule_is_none_of_its_business(team: Team) -> None:
    midnight(team.world)
    contact(team.world, deals=[DEAL])
    team.world.advance("1d")
    assert due(preview(team.live, rule(team.live, "deal_won"))) == []


def test_what_an_outage_held_up_is_made_up_for(team: Team) -> None:
    midnight(team.world)
    enroll(team.live, row("bo", birthday=today(team.world).isoformat()[5:]))
    made = rule(team.live, "deal_won")
    rule(team.live)
    contact(team.world, deals=[DEAL])
    team.world.simulate("crm", provider="hubspot", outage=True, message="down for cy@example.com")
    told = refused(team.live.post("/rules/evaluate", {"kind": "crm"}), 503, "provider_unavailable")
    assert "cy@" not in told["message"]
    refused(team.live.get(f"/rules/{made['id']}/preview?kind=crm"), 503, "provider_unavailable")
    team.world.advance("1d")
    assert [gift["recipients"][0]["name"] for gift in gifts(team.live)] == ["Bo"], "other rules go on"
    team.world.simulate("crm", provider="hubspot", outage=False)
    team.world.advance("1d")
    assert [gift["recipients"][0]["name"] for gift in gifts(team.live)] == ["Bo", "Cy"]


def test_a_fixture_says_what_happens_to_contacts(new_world: Callable[..., World]) -> None:
    crm = {"team": "northwind", "provider": "hubspot", "rows": [{"id": "c1", "name": "Cy", "email": "cy@example.com"}]}
    deal = {"team": "northwind", "provider": "hubspot", **DEAL, "after": "5d"}
    world = new_world(fixture={"extends": "empty", "crm": [crm], "deals": [deal]})
    team = Team(world)
    made = rule(team.live, "deal_won")
    assert due(preview(team.live, made)) == []
    world.advance("7d")
    assert [gift["recipients"][0]["name"] for gift in gifts(team.live)] == ["Cy"]
    body = {"fixture": {"extends": "empty", "deals": [deal]}}
    assert world.client.call("POST", "/_sim/v1/worlds", body=body).status == 400
