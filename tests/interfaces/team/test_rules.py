"""Rules: made, listed by kind, changed, previewed, evaluated and deleted."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.claims import claims
from tests.interfaces.team.company import enroll, in_days, row, today
from tests.interfaces.team.ruling import MUG, due, evaluated, gifts, preview, reasons, rule
from tests.interfaces.team.scene import SCOPES, Team, TeamFace, fields, refused, well

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


def birthday(face: TeamFace, name: str = "bo", **members: Any) -> Any:
    """Somebody whose birthday it is."""
    return enroll(face, row(name, birthday=in_days(face.world, 0), **members))[0]


@claims("T-2.36", "T-4.136", "T-4.147")
def test_a_rule_stores_what_it_was_made_of(team: Team) -> None:
    made = team.live.make("/rules", WHOLE)
    assert {name: made[name] for name in WHOLE} == WHOLE
    assert (made["livemode"], made["created_at"], made["updated_at"]) == (True, team.world.now, team.world.now)
    assert team.live.got(f"/rules/{made['id']}") == made
    plain = rule(team.live)
    assert (plain["gift_sender"], plain["approval_mode"], plain["active"]) == (None, "manual", True)
    assert (plain["budget_per_send_cents"], plain["budget_monthly_cents"]) == (None, None)
    deals = rule(team.live, "deal_won")
    assert team.live.got(f"/rules/{deals['id']}") == deals
    refused(team.other.get(f"/rules/{made['id']}"), 404, "not_found")
    refused(team.test.get(f"/rules/{made['id']}"), 404, "not_found")


@claims("T-2.36", "T-2.37")
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
def test_a_rule_of_another_make_is_refused(team: Team, change: dict[str, Any], field: str) -> None:
    assert fields(team.live.post("/rules", {**WHOLE, **change})) == [field]
    made = rule(team.live)
    assert fields(team.live.patch(f"/rules/{made['id']}", change)) == [field if change != {"kind": "crm"} else "kind"]
    assert team.live.listed("/rules") == [made]
    refused(team.live.post("/rules?kind=sales", WHOLE), 400, "invalid_parameter")


@claims("T-4.132", "T-4.135", "T-4.139")
def test_rules_are_listed_by_kind_and_the_query_sets_it(team: Team) -> None:
    first, second, deals = rule(team.live), rule(team.live, "new_hire"), rule(team.live, "stage_changed")
    body = {name: value for name, value in WHOLE.items() if name != "kind"}
    queried = team.live.make("/rules?kind=crm", {**body, "trigger_type": "deal_won"})
    usual = team.live.make("/rules", body)
    assert (queried["kind"], usual["kind"]) == ("crm", "hr")
    assert team.live.listed("/rules") == [usual, second, first]
    assert team.live.listed("/rules?kind=hr") == [usual, second, first]
    assert team.live.listed("/rules?kind=crm") == [queried, deals]
    assert fields(team.live.post("/rules?kind=crm", WHOLE)) == ["kind"]
    refused(team.live.get("/rules?kind=x"), 400, "invalid_parameter")


@claims("T-4.134")
def test_the_list_of_rules_is_paged(team: Team) -> None:
    made = [rule(team.live, name=f"Rule {i}") for i in range(27)]
    rule(team.live, "deal_won")
    page = team.live.got("/rules")
    assert [row["id"] for row in page["data"]] == [row["id"] for row in reversed(made)][:25]
    assert team.live.listed("/rules", 1) == list(reversed(made))
    assert team.live.got("/rules?limit=100") == {"data": list(reversed(made)), "next_cursor": None}
    for limit in ("0", "101", "-1", "abc"):
        refused(team.live.get(f"/rules?limit={limit}"), 400, "invalid_parameter")
    refused(team.live.get(f"/rules?kind=crm&cursor={page['next_cursor']}"), 400, "invalid_cursor")


@claims("T-4.149")
def test_a_change_leaves_all_other_fields_and_needs_no_key(team: Team) -> None:
    birthday(team.live)
    made = rule(team.live)
    team.world.advance("1m")
    off = well(team.live.patch(f"/rules/{made['id']}", {"active": False}, Idempotency_Key=None), 200).json()
    assert off == {**made, "active": False, "updated_at": team.world.now}
    assert evaluated(team.live)["evaluated"] == 0
    changed = well(team.live.patch(f"/rules/{made['id']}", WHOLE), 200).json()
    assert {name: changed[name] for name in WHOLE} == WHOLE
    assert gifts(team.live) == []


@claims("T-4.151")
def test_a_deleted_rule_is_gone_and_its_gifts_stay(team: Team) -> None:
    birthday(team.live)
    made = rule(team.live)
    evaluated(team.live)
    gone = well(team.live.delete(f"/rules/{made['id']}", Idempotency_Key=None), 200).json()
    assert gone == {"id": made["id"], "deleted": True, "livemode": True}
    refused(team.live.get(f"/rules/{made['id']}"), 404, "not_found")
    refused(team.live.delete(f"/rules/{made['id']}"), 404, "not_found")
    assert [gift["rule_id"] for gift in gifts(team.live)] == [made["id"]]
    assert evaluated(team.live)["evaluated"] == 0


@claims("T-4.140", "T-4.143")
def test_evaluating_makes_held_gifts_of_one_kind_and_repeats_nothing(team: Team) -> None:
    person, made = birthday(team.live), rule(team.live)
    rule(team.live, "deal_won")
    well(team.live.patch(f"/rules/{rule(team.live)['id']}", {"active": False}), 200)
    outcome = well(team.live.post("/rules/evaluate"), 200).json()
    assert (outcome["kind"], outcome["evaluated"], outcome["skipped"]) == ("hr", 1, [])
    [gift] = outcome["gifts"]
    assert (gift["rule_id"], gift["status"]) == (made["id"], "awaiting_approval")
    assert team.live.got(f"/approvals/{gift['approval_id']}")["status"] == "pending"
    assert gifts(team.live)[0]["recipients"][0]["person_id"] == person["id"]
    again = evaluated(team.live)
    assert (again["gifts"], reasons(again)) == ([], [("Bo", "already_sent")])
    assert len(gifts(team.live)) == 1
    assert evaluated(team.live, "crm")["evaluated"] == 1
    assert fields(team.live.post("/rules/evaluate?kind=crm", {"kind": "hr"})) == ["kind"]


@claims("T-4.142", "T-4.138")
def test_evaluating_and_making_a_rule_take_an_idempotency_key(team: Team) -> None:
    birthday(team.live)
    refused(team.live.post("/rules", WHOLE, Idempotency_Key=None), 400, "idempotency_key_required")
    assert team.live.listed("/rules") == []
    rule(team.live)
    refused(team.live.post("/rules/evaluate", {"kind": "hr"}, Idempotency_Key=None), 400, "idempotency_key_required")
    assert gifts(team.live) == []
    assert len(evaluated(team.live)["gifts"]) == 1


@claims("T-4.144", "T-4.146")
def test_a_preview_tells_what_is_due_and_makes_nothing(team: Team) -> None:
    person, made = birthday(team.live), rule(team.live, active=False)
    events = len(team.world.events())
    shown = preview(team.live, made)
    send = {"person_id": person["id"], "crm": None, "display_name": "Bo", "trigger_type": "birthday"}
    assert shown["sends"] == [{**send, "date": today(team.world).isoformat(), "amount_cents": CENTS}]
    assert (shown["total_cents"], shown["skipped"], shown["date"]) == (CENTS, [], today(team.world).isoformat())
    assert (gifts(team.live), team.live.listed("/approvals"), len(team.world.events())) == ([], [], events)
    deals = rule(team.live, "deal_won")
    refused(team.live.get(f"/rules/{deals['id']}/preview"), 404, "not_found")
    well(team.live.get(f"/rules/{deals['id']}/preview?kind=crm"), 200)
    refused(team.live.get(f"/rules/{made['id']}/preview?kind=crm"), 404, "not_found")


def test_what_costs_more_than_a_budget_is_skipped(team: Team) -> None:
    for name in ("al", "bo", "cy"):
        birthday(team.live, name)
    birthday(team.live, "di", country="DE")
    poor = rule(team.live, name="Poor", budget_per_send_cents=CENTS - 1)
    assert [reason for _, reason in reasons(preview(team.live, poor))] == ["budget_per_send"] * 4
    home = rule(team.live, name="Home", budget_per_send_cents=CENTS)
    assert (due(preview(team.live, home)), len(preview(team.live, home)["skipped"])) == (["Al", "Bo", "Cy"], 1)
    month = rule(team.live, name="Month", budget_monthly_cents=2 * CENTS + 1)
    assert due(preview(team.live, month)) == ["Al", "Bo"]
    made = evaluated(team.live)
    assert [gift["rule_id"] for gift in made["gifts"]] == [home["id"]] * 3 + [month["id"]] * 2
    assert reasons(preview(team.live, month)) == [
        ("Al", "already_sent"), ("Bo", "already_sent"), ("Cy", "budget_monthly"), ("Di", "budget_monthly"),
    ]  # fmt: skip
    well(team.live.patch(f"/rules/{month['id']}", {"budget_monthly_cents": 3 * CENTS}), 200)
    assert due(preview(team.live, month)) == ["Cy"]


def test_what_a_rule_makes_is_held_whatever_its_approval_mode_and_goes_out_after_a_yes(team: Team) -> None:
    birthday(team.live)
    rule(team.live, approval_mode="auto", gift_sender="Ada Lovelace")
    [gift] = evaluated(team.live)["gifts"]
    assert (gift["status"], team.world.mail()) == ("awaiting_approval", [])
    team.world.simulate("approval", gift_id=gift["id"], decision="approve")
    assert team.live.got(f"/gifts/{gift['id']}")["status"] == "sent"
    assert [mail["subject"] for mail in team.world.mail()] == ["Ada Lovelace has a gift for you"]


def test_a_dry_run_tells_and_makes_nothing(team: Team) -> None:
    birthday(team.live)
    made = rule(team.live)
    team.world.settings(rules__dry_run=True)
    assert evaluated(team.live)["gifts"] == []
    team.world.advance("2d")
    assert gifts(team.live) == []
    team.world.settings(rules__dry_run=False)
    assert due(preview(team.live, made)) == []


@claims("T-4.133", "T-4.137", "T-4.141", "T-4.145", "T-4.148", "T-4.150", "T-4.152")
def test_everything_about_rules_takes_one_scope(team: Team) -> None:
    birthday(team.live)
    made = rule(team.live)
    without = team.key(*[scope for scope in SCOPES if scope not in ("rules:write", "orders:pay")])
    for method, path, body in (
        ("GET", "/rules", None), ("POST", "/rules", WHOLE), ("POST", "/rules/evaluate", {}),
        ("GET", f"/rules/{made['id']}/preview", None), ("GET", f"/rules/{made['id']}", None),
        ("PATCH", f"/rules/{made['id']}", {"active": False}), ("DELETE", f"/rules/{made['id']}", None),
    ):  # fmt: skip
        refused(without.call(method, path, body), 403, "insufficient_scope")
    assert (team.live.listed("/rules"), gifts(team.live)) == ([made], [])
    only = team.key("rules:write")
    assert only.listed("/rules") == [made]
    assert len(evaluated(only)["gifts"]) == 1
    assert due(preview(only, rule(only))) == ["Bo"]
    well(only.get(f"/rules/{made['id']}"), 200)
    well(only.patch(f"/rules/{made['id']}", {"active": False}), 200)
    well(only.delete(f"/rules/{made['id']}"), 200)


def test_a_sandbox_rule_sees_its_own_roster_and_moves_neither_mail_nor_money(team: Team) -> None:
    birthday(team.live, "al")
    birthday(team.test)
    made = rule(team.test)
    assert due(preview(team.test, made)) == ["Bo"]
    assert [gift["livemode"] for gift in (evaluated(team.test), *gifts(team.test))] == [False, False]
    assert (gifts(team.live), gifts(team.test_second), team.world.mail()) == ([], [], [])
    team.world.advance(str((timedelta(days=400)).days) + "d")
    assert [gift["livemode"] for gift in gifts(team.test)] == [False, False]
    assert team.world.mail() == []
