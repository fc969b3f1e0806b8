"""Rules: created, listed by kind, changed, previewed, evaluated and deleted."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.local_time import local_today, month_day_in
from tests.support.team.people import person_row, upsert_people
from tests.support.team.rules import MUG, create_rule, due_names, evaluate_rules, list_gifts, preview_rule, skip_reasons

WHOLE: dict[str, Any] = {
    "kind": "hr",
    "name": "Birthdays",
    "trigger_type": "birthday",
    "bundle": {"items": [MUG, {"merchant_product_id": 102, "quantity": 3}]},
    "gift_sender": "Ada Lovelace",
    "approval_mode": "auto",
    "budget_per_send_cents": 5000,
    "budget_monthly_cents": 100000,
    "active": False,
}
CENTS = 1800 + 800


def create_person_with_birthday(client: TeamClient, name: str = "bo", **members: Any) -> Any:
    """Create a person whose birthday is today."""
    return upsert_people(client, person_row(name, birthday=month_day_in(client.world, 0), **members))[0]


@shows("T-2.36", "T-4.136", "T-4.147")
def test_a_rule_stores_its_body(team: TeamClients) -> None:
    rule = team.live.post_json("/rules", WHOLE)
    assert {name: rule[name] for name in WHOLE} == WHOLE
    assert (rule["livemode"], rule["created_at"], rule["updated_at"]) == (True, team.world.now, team.world.now)
    assert team.live.get_json(f"/rules/{rule['id']}") == rule
    plain = create_rule(team.live)
    assert (plain["gift_sender"], plain["approval_mode"], plain["active"]) == (None, "manual", True)
    assert (plain["budget_per_send_cents"], plain["budget_monthly_cents"]) == (None, None)
    deals = create_rule(team.live, "deal_won")
    assert team.live.get_json(f"/rules/{deals['id']}") == deals
    expect_error(team.other.get(f"/rules/{rule['id']}"), 404, "not_found")
    expect_error(team.test.get(f"/rules/{rule['id']}"), 404, "not_found")


@shows("T-2.36", "T-2.37")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kind": "sales"}, "kind"),
        ({"name": 5}, "name"),
        ({"trigger_type": "deal_won"}, "trigger_type"),
        ({"kind": "crm"}, "trigger_type"),
        ({"trigger_type": "full_moon"}, "trigger_type"),
        ({"bundle": {"items": []}}, "bundle.items"),
        ({"bundle": {"items": [MUG, {"merchant_product_id": 1}]}}, "bundle.items[1].merchant_product_id"),
        ({"bundle": [MUG]}, "bundle"),
        ({"gift_sender": 5}, "gift_sender"),
        ({"approval_mode": "never"}, "approval_mode"),
        ({"budget_per_send_cents": "5000"}, "budget_per_send_cents"),
        ({"budget_monthly_cents": 1.5}, "budget_monthly_cents"),
        ({"active": "yes"}, "active"),
    ],
)
def test_an_invalid_rule_is_refused_by_field(team: TeamClients, change: dict[str, Any], field: str) -> None:
    assert invalid_fields(team.live.post("/rules", {**WHOLE, **change})) == [field]
    rule = create_rule(team.live)
    assert invalid_fields(team.live.patch(f"/rules/{rule['id']}", change)) == [
        field if change != {"kind": "crm"} else "kind"
    ]
    assert team.live.list_all("/rules") == [rule]
    expect_error(team.live.post("/rules?kind=sales", WHOLE), 400, "invalid_parameter")


@shows("T-4.132", "T-4.135", "T-4.139")
def test_rules_are_listed_by_the_kind_in_the_query(team: TeamClients) -> None:
    first, second, deals = (
        create_rule(team.live),
        create_rule(team.live, "new_hire"),
        create_rule(team.live, "stage_changed"),
    )
    body = {name: value for name, value in WHOLE.items() if name != "kind"}
    queried = team.live.post_json("/rules?kind=crm", {**body, "trigger_type": "deal_won"})
    usual = team.live.post_json("/rules", body)
    assert (queried["kind"], usual["kind"]) == ("crm", "hr")
    assert team.live.list_all("/rules") == [usual, second, first]
    assert team.live.list_all("/rules?kind=hr") == [usual, second, first]
    assert team.live.list_all("/rules?kind=crm") == [queried, deals]
    assert invalid_fields(team.live.post("/rules?kind=crm", WHOLE)) == ["kind"]
    expect_error(team.live.get("/rules?kind=x"), 400, "invalid_parameter")


@shows("T-4.134")
def test_the_list_of_rules_is_paged(team: TeamClients) -> None:
    rules = [create_rule(team.live, name=f"Rule {i}") for i in range(27)]
    create_rule(team.live, "deal_won")
    page = team.live.get_json("/rules")
    assert [row["id"] for row in page["data"]] == [row["id"] for row in reversed(rules)][:25]
    assert team.live.list_all("/rules", 1) == list(reversed(rules))
    assert team.live.get_json("/rules?limit=100") == {"data": list(reversed(rules)), "next_cursor": None}
    for limit in ("0", "101", "-1", "abc"):
        expect_error(team.live.get(f"/rules?limit={limit}"), 400, "invalid_parameter")
    expect_error(team.live.get(f"/rules?kind=crm&cursor={page['next_cursor']}"), 400, "invalid_cursor")


@shows("T-4.149")
def test_a_change_keeps_all_other_fields_and_needs_no_idempotency_key(team: TeamClients) -> None:
    create_person_with_birthday(team.live)
    rule = create_rule(team.live)
    team.world.advance("1m")
    off = expect_status(team.live.patch(f"/rules/{rule['id']}", {"active": False}, Idempotency_Key=None), 200).json()
    assert off == {**rule, "active": False, "updated_at": team.world.now}
    assert evaluate_rules(team.live)["evaluated"] == 0
    changed = expect_status(team.live.patch(f"/rules/{rule['id']}", WHOLE), 200).json()
    assert {name: changed[name] for name in WHOLE} == WHOLE
    assert list_gifts(team.live) == []


@shows("T-4.151")
def test_a_deleted_rule_is_not_found_and_its_gifts_remain(team: TeamClients) -> None:
    create_person_with_birthday(team.live)
    rule = create_rule(team.live)
    evaluate_rules(team.live)
    deleted = expect_status(team.live.delete(f"/rules/{rule['id']}", Idempotency_Key=None), 200).json()
    assert deleted == {"id": rule["id"], "deleted": True, "livemode": True}
    expect_error(team.live.get(f"/rules/{rule['id']}"), 404, "not_found")
    expect_error(team.live.delete(f"/rules/{rule['id']}"), 404, "not_found")
    assert [gift["rule_id"] for gift in list_gifts(team.live)] == [rule["id"]]
    assert evaluate_rules(team.live)["evaluated"] == 0


@shows("T-4.140", "T-4.143")
def test_evaluating_creates_held_gifts_of_one_kind_only_once(team: TeamClients) -> None:
    person, rule = create_person_with_birthday(team.live), create_rule(team.live)
    create_rule(team.live, "deal_won")
    expect_status(team.live.patch(f"/rules/{create_rule(team.live)['id']}", {"active": False}), 200)
    outcome = expect_status(team.live.post("/rules/evaluate"), 200).json()
    assert (outcome["kind"], outcome["evaluated"], outcome["skipped"]) == ("hr", 1, [])
    [gift] = outcome["gifts"]
    assert (gift["rule_id"], gift["status"]) == (rule["id"], "awaiting_approval")
    assert team.live.get_json(f"/approvals/{gift['approval_id']}")["status"] == "pending"
    assert list_gifts(team.live)[0]["recipients"][0]["person_id"] == person["id"]
    again = evaluate_rules(team.live)
    assert (again["gifts"], skip_reasons(again)) == ([], [("Bo", "already_sent")])
    assert len(list_gifts(team.live)) == 1
    assert evaluate_rules(team.live, "crm")["evaluated"] == 1
    assert invalid_fields(team.live.post("/rules/evaluate?kind=crm", {"kind": "hr"})) == ["kind"]


@shows("T-4.142", "T-4.138")
def test_evaluating_and_creating_rules_need_an_idempotency_key(team: TeamClients) -> None:
    create_person_with_birthday(team.live)
    expect_error(team.live.post("/rules", WHOLE, Idempotency_Key=None), 400, "idempotency_key_required")
    assert team.live.list_all("/rules") == []
    create_rule(team.live)
    expect_error(
        team.live.post("/rules/evaluate", {"kind": "hr"}, Idempotency_Key=None), 400, "idempotency_key_required"
    )
    assert list_gifts(team.live) == []
    assert len(evaluate_rules(team.live)["gifts"]) == 1


@shows("T-4.144", "T-4.146")
def test_a_preview_lists_due_gifts_and_creates_none(team: TeamClients) -> None:
    person, rule = create_person_with_birthday(team.live), create_rule(team.live, active=False)
    events = len(team.world.events())
    preview = preview_rule(team.live, rule)
    send = {"person_id": person["id"], "crm": None, "display_name": "Bo", "trigger_type": "birthday"}
    assert preview["sends"] == [{**send, "date": local_today(team.world).isoformat(), "amount_cents": CENTS}]
    assert (preview["total_cents"], preview["skipped"], preview["date"]) == (
        CENTS,
        [],
        local_today(team.world).isoformat(),
    )
    assert (list_gifts(team.live), team.live.list_all("/approvals"), len(team.world.events())) == ([], [], events)
    deals = create_rule(team.live, "deal_won")
    expect_error(team.live.get(f"/rules/{deals['id']}/preview"), 404, "not_found")
    expect_status(team.live.get(f"/rules/{deals['id']}/preview?kind=crm"), 200)
    expect_error(team.live.get(f"/rules/{rule['id']}/preview?kind=crm"), 404, "not_found")


def test_a_gift_above_a_budget_is_skipped(team: TeamClients) -> None:
    for name in ("al", "bo", "cy"):
        create_person_with_birthday(team.live, name)
    create_person_with_birthday(team.live, "di", country="DE")
    poor = create_rule(team.live, name="Poor", budget_per_send_cents=CENTS - 1)
    assert [reason for _, reason in skip_reasons(preview_rule(team.live, poor))] == ["budget_per_send"] * 4
    home = create_rule(team.live, name="Home", budget_per_send_cents=CENTS)
    assert (due_names(preview_rule(team.live, home)), len(preview_rule(team.live, home)["skipped"])) == (
        ["Al", "Bo", "Cy"],
        1,
    )
    month = create_rule(team.live, name="Month", budget_monthly_cents=2 * CENTS + 1)
    assert due_names(preview_rule(team.live, month)) == ["Al", "Bo"]
    created = evaluate_rules(team.live)
    assert [gift["rule_id"] for gift in created["gifts"]] == [home["id"]] * 3 + [month["id"]] * 2
    assert skip_reasons(preview_rule(team.live, month)) == [
        ("Al", "already_sent"), ("Bo", "already_sent"), ("Cy", "budget_monthly"), ("Di", "budget_monthly"),
    ]  # fmt: skip
    expect_status(team.live.patch(f"/rules/{month['id']}", {"budget_monthly_cents": 3 * CENTS}), 200)
    assert due_names(preview_rule(team.live, month)) == ["Cy"]


def test_a_rejected_gift_gives_its_budget_back_and_is_not_made_again(team: TeamClients) -> None:
    for name in ("al", "bo", "cy"):
        create_person_with_birthday(team.live, name)
    month = create_rule(team.live, budget_monthly_cents=2 * CENTS)
    made = evaluate_rules(team.live)["gifts"]
    assert skip_reasons(preview_rule(team.live, month))[-1] == ("Cy", "budget_monthly")
    team.world.simulate("approval", gift_id=made[0]["id"], decision="reject")
    assert due_names(preview_rule(team.live, month)) == ["Cy"]
    assert len(evaluate_rules(team.live)["gifts"]) == 1
    assert skip_reasons(preview_rule(team.live, month)) == [(name, "already_sent") for name in ("Al", "Bo", "Cy")]
    team.world.simulate("approval", gift_id=made[1]["id"], decision="approve")
    create_person_with_birthday(team.live, "di")
    assert skip_reasons(preview_rule(team.live, month))[-1] == ("Di", "budget_monthly")


def test_gifts_of_a_rule_are_held_until_approved_in_every_approval_mode(team: TeamClients) -> None:
    create_person_with_birthday(team.live)
    create_rule(team.live, approval_mode="auto", gift_sender="Ada Lovelace")
    [gift] = evaluate_rules(team.live)["gifts"]
    assert (gift["status"], team.world.mail()) == ("awaiting_approval", [])
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    assert team.live.get_json(f"/gifts/{gift['id']}")["status"] == "sent"
    assert [mail["subject"] for mail in team.world.mail()] == ["Ada Lovelace has a gift for you"]


def test_a_dry_run_lists_due_gifts_and_creates_none(team: TeamClients) -> None:
    create_person_with_birthday(team.live)
    rule = create_rule(team.live)
    team.world.change_settings(rules__dry_run=True)
    assert evaluate_rules(team.live)["gifts"] == []
    team.world.advance("2d")
    assert list_gifts(team.live) == []
    team.world.change_settings(rules__dry_run=False)
    assert due_names(preview_rule(team.live, rule)) == []


@shows("T-4.133", "T-4.137", "T-4.141", "T-4.145", "T-4.148", "T-4.150", "T-4.152")
def test_one_scope_permits_all_rule_operations(team: TeamClients) -> None:
    create_person_with_birthday(team.live)
    rule = create_rule(team.live)
    without = team.key(*[scope for scope in SCOPES if scope not in ("rules:write", "orders:pay")])
    for method, path, body in (
        ("GET", "/rules", None), ("POST", "/rules", WHOLE), ("POST", "/rules/evaluate", {}),
        ("GET", f"/rules/{rule['id']}/preview", None), ("GET", f"/rules/{rule['id']}", None),
        ("PATCH", f"/rules/{rule['id']}", {"active": False}), ("DELETE", f"/rules/{rule['id']}", None),
    ):  # fmt: skip
        expect_error(without.call(method, path, body), 403, "insufficient_scope")
    assert (team.live.list_all("/rules"), list_gifts(team.live)) == ([rule], [])
    only = team.key("rules:write")
    assert only.list_all("/rules") == [rule]
    assert len(evaluate_rules(only)["gifts"]) == 1
    assert due_names(preview_rule(only, create_rule(only))) == ["Bo"]
    expect_status(only.get(f"/rules/{rule['id']}"), 200)
    expect_status(only.patch(f"/rules/{rule['id']}", {"active": False}), 200)
    expect_status(only.delete(f"/rules/{rule['id']}"), 200)


def test_a_sandbox_rule_uses_its_own_roster_and_sends_no_mail_or_money(team: TeamClients) -> None:
    create_person_with_birthday(team.live, "al")
    create_person_with_birthday(team.test)
    rule = create_rule(team.test)
    assert due_names(preview_rule(team.test, rule)) == ["Bo"]
    assert [gift["livemode"] for gift in (evaluate_rules(team.test), *list_gifts(team.test))] == [False, False]
    assert (list_gifts(team.live), list_gifts(team.test_second), team.world.mail()) == ([], [], [])
    team.world.advance(str((timedelta(days=400)).days) + "d")
    assert [gift["livemode"] for gift in list_gifts(team.test)] == [False, False]
    assert team.world.mail() == []


@pytest.mark.parametrize("trigger", ["birthday", "work_anniversary", "new_hire"])
def test_people_who_have_left_get_no_gift_and_are_not_upcoming(team: TeamClients, trigger: str) -> None:
    day = month_day_in(team.world, 0)
    start = f"{int(team.world.now[:4]) - (trigger == 'work_anniversary')}-{day}"
    statuses = (None, "active", "On leave", "Left", " terminated ", "INACTIVE", "former")
    rows = [person_row(f"p{i}", birthday=day, start_date=start, status=each) for i, each in enumerate(statuses)]
    names = [person["display_name"] for person in upsert_people(team.live, *rows)]
    rule = create_rule(team.live, trigger)
    assert due_names(preview_rule(team.live, rule)) == names[:3]
    upcoming = team.live.get_json("/people/upcoming")["data"]
    assert [person["display_name"] for person in upcoming] == names[:3]
    assert evaluate_rules(team.live)["skipped"] == []
    team.world.change_settings(people__occasions_after_leaving=True)
    assert due_names(preview_rule(team.live, rule)) == names[3:]
    assert len(team.live.get_json("/people/upcoming")["data"]) == len(names)


def test_who_is_removed_and_added_again_gets_no_second_gift(team: TeamClients) -> None:
    rule = create_rule(team.live)
    first = create_person_with_birthday(team.live)
    evaluate_rules(team.live)
    expect_status(team.live.delete(f"/people/{first['id']}"), 200)
    again = create_person_with_birthday(team.live, work_email="BO@example.com")
    assert again["id"] != first["id"]
    assert skip_reasons(evaluate_rules(team.live)) == [(again["display_name"], "already_sent")]
    expect_status(team.live.patch(f"/people/{again['id']}", {"work_email": "new@example.com"}), 200)
    create_person_with_birthday(team.live, "di")
    assert due_names(preview_rule(team.live, rule)) != []
    team.world.change_settings(rules__once_per_email=False)
    evaluate_rules(team.live)
    assert len(list_gifts(team.live)) == 3


def test_a_gift_goes_to_the_address_at_its_creation(team: TeamClients) -> None:
    person = upsert_people(team.live, person_row("bo"))[0]
    body = {"name": "Spring", "collection": "welcome-kit", "recipients": [{"person_id": person["id"]}]}
    campaign = team.live.post_json("/large-campaigns", body, 202)
    expect_status(team.live.patch(f"/people/{person['id']}", {"work_email": "moved@example.com"}), 200)
    path = f"/large-campaigns/{campaign['id']}/process"
    expect_status(team.live.post(path, {}), 202)
    team.world.simulate("approval", campaign_id=campaign["id"], decision="approve")
    expect_status(team.live.post(path, {}), 202)
    assert [mail["to"] for mail in team.world.mail()] == [person_row("bo")["work_email"]]
