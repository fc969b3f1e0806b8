"""Invoices, certificates, keys with their limits, credit lines, and what entries of the ledger are about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from tests.support.api_clients import PartnerClient
from tests.support.museum import UNKNOWN_ID, MuseumClient
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.orders import EACH_CENTS, approve, cancel, create_gift, create_order
from tests.support.team.payments import fund, key_with_limits, kit_order_body
from tests.support.worlds import World

CERTIFICATE = {"url": "https://files.example.com/resale.pdf", "region": "US-NV"}


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def limits_of(world: World, key: str) -> dict[str, Any]:
    return {limit["name"]: limit for limit in world.call_control("GET", f"/keys/{key}")["limits"]}


def test_the_newest_payments_come_first_by_status_with_counts(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.partner("partner.no_funds").create_order()
    page = world.call_control("GET", "/payments?order=newest&counts=true")
    assert [(row["team_order_id"], row["status"]) for row in page["payments"]] == [(1002, "failed"), (1001, "paid")]
    assert page["counts"] == {"sent": 0, "paid": 1, "failed": 1}
    failed = world.call_control("GET", "/payments?status=failed")["payments"]
    assert [row["code"] for row in failed] == ["insufficient_funds_no_card"]


def test_invoices_of_teams_are_listed_by_status_and_paid(team: TeamClients) -> None:
    world = team.world
    order = create_order(team.live)
    funding = fund(team.live, order)
    (invoice,) = world.call_control("GET", "/invoices?status=open")["invoices"]
    assert (invoice["kind"], invoice["resource_id"], funding["status"]) == ("net_terms", order["id"], "succeeded")
    world.simulate("invoice", invoice_id=invoice["invoice_id"], outcome="paid")
    page = world.call_control("GET", f"/invoices?order=newest&counts=true&q={invoice['number']}")
    assert ([row["status"] for row in page["invoices"]], page["counts"]) == (
        ["paid"],
        {"open": 0, "paid": 1, "void": 0},
    )
    assert world.call_control("GET", f"/invoices/{invoice['invoice_id']}") == page["invoices"][0]
    expect_error(world.control.get(f"/worlds/{world.id}/invoices/7"), 404, "invoice_not_found")


def test_certificates_of_teams_are_listed_by_status(team: TeamClients) -> None:
    created = team.live.post_json("/tax-certificates", CERTIFICATE)
    page = team.world.call_control("GET", "/certificates?counts=true&q=RESALE")
    assert [(row["certificate_id"], row["status"]) for row in page["certificates"]] == [
        (created["id"], "pending_review")
    ]
    team.world.simulate("certificate", certificate_id=created["id"], outcome="rejected")
    assert team.world.call_control("GET", "/certificates?status=rejected")["certificates"][0]["reviewed_at"]
    assert page["counts"] == {"pending_review": 1, "accepted": 0, "rejected": 0}


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_the_daily_limit_of_a_partners_key_shows_what_is_used_and_when_it_turns_over(
    world: World, partner: PartnerClient
) -> None:
    assert world.call_control("GET", "/keys/partner.prepaid")["limits"] == []
    world.change_account(daily_limit_cents=5000)
    partner.create_order()
    assert limits_of(world, "partner.prepaid") == {
        "daily": {
            "name": "daily", "limit_cents": 5000, "used_cents": 2600, "left_cents": 2400,
            "turns_over_at": "2027-01-05T08:00:00Z",
        }
    }  # fmt: skip
    world.advance(to="2027-01-05T08:00:00Z")
    assert limits_of(world, "partner.prepaid")["daily"]["used_cents"] == 0


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_the_ceilings_of_a_teams_key_show_what_is_used_this_month(team: TeamClients) -> None:
    payer = key_with_limits(team, 50_000, 60_000)
    name = team.world.call_control("GET", "/keys?interface=team&order=newest&limit=1")["keys"][0]["name"]
    expect_status(payer.post("/team-orders", kit_order_body(payment_method="net_terms")), 201)
    limits = limits_of(team.world, name)
    assert [(each, limits[each]["limit_cents"]) for each in limits] == [("per_request", 50_000), ("monthly", 60_000)]
    assert (limits["monthly"]["used_cents"], limits["monthly"]["left_cents"]) == (EACH_CENTS, 60_000 - EACH_CENTS)
    assert limits["monthly"]["turns_over_at"] == "2027-02-01T08:00:00Z"
    assert (limits["per_request"]["used_cents"], limits["per_request"]["turns_over_at"]) == (0, None)


def test_the_credit_line_of_an_account_and_of_a_team_show_what_is_used(team: TeamClients) -> None:
    team.world.partner("partner.net_terms").create_order()
    (account,) = [row for row in team.world.rows("accounts") if "partner.net_terms" in row["keys"]]
    assert [(row["name"], row["used_cents"], row["left_cents"]) for row in account["limits"]] == [
        ("credit", 2600, account["credit_limit_cents"] - 2600)
    ]  # fmt: skip
    before = team.world.rows("teams")[0]["limits"][0]
    fund(team.live, create_order(team.live))
    after = team.world.rows("teams")[0]["limits"][0]
    assert after["used_cents"] - before["used_cents"] == 2 * EACH_CENTS == before["left_cents"] - after["left_cents"]
    team.world.simulate("team", credit={"status": "suspended"})
    assert team.world.rows("teams")[0]["limits"][0]["left_cents"] == 0


def test_keys_are_listed_also_revoked_ones_and_searched(world: World) -> None:
    names = [row["name"] for row in world.call_control("GET", "/keys?interface=partner")["keys"]]
    assert names == [name for name in world.credentials if name.startswith("partner.")]
    world.call_control("DELETE", "/keys/partner.no_funds")
    (found,) = world.call_control("GET", "/keys?q=NO_FUNDS")["keys"]
    assert (found["revoked"], found["key"]) == (True, f"pk_live_{world.id}_nofunds")
    expect_error(world.control.get(f"/worlds/{world.id}/keys/partner.nobody"), 404, "key_not_found")


def test_entries_of_the_ledger_say_which_order_or_gift_they_are_about(team: TeamClients) -> None:
    world = team.world
    world.partner().create_order()
    world.partner().post("/team-orders/1001/cancel", {})
    order, gift = create_order(team.live), create_gift(team.live)
    fund(team.live, order)
    cancel(team.live, order)
    approve(world, gift)
    world.change_account(add_cents=500)
    entries = world.call_control("GET", "/ledger?order=newest&limit=6")["ledger"]
    partner_order, team_order = {"kind": "team_order", "id": 1001}, {"kind": "team_order", "id": order["id"]}
    assert [(entry["kind"], entry["about"]) for entry in entries] == [
        ("adjustment", None), ("charge", {"kind": "gift", "id": gift["id"]}), ("refund", team_order),
        ("charge", team_order), ("refund", partner_order), ("charge", partner_order),
    ]  # fmt: skip


def test_the_catalogue_is_searched_and_shows_the_newest_first(world: World) -> None:
    found = world.call_control("GET", "/catalogue?q=mug-01")["catalogue"]
    assert [sku["code"] for row in found for sku in row["skus"]] == ["MUG-01", "BMUG-01"]
    ids = [row["id"] for row in world.rows("catalogue")]
    newest = world.call_control("GET", "/catalogue?order=newest&limit=2")["catalogue"]
    assert [row["id"] for row in newest] == ids[:-3:-1]


HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def museum(world: World) -> MuseumClient:
    """The museum of a world."""
    return MuseumClient(world)


def test_days_have_hours_and_the_events_on_them(museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE, dates=["2027-01-06"])
    page = museum.world.call_control("GET", "/museum/days?from=2027-01-05&limit=2")
    assert [day["date"] for day in page["days"]] == ["2027-01-05", "2027-01-06"]
    assert {"event_id": event["eventId"], "name": HOSTILE} in page["days"][1]["events"]
    hours = {day["date"]: (day["timeOpen"], day["timeClose"]) for day in museum.get_hours("?startDate=2027-01-05")}
    for day in page["days"]:
        assert hours.get(day["date"], (None, None)) == (day["time_open"], day["time_close"])
    following = museum.world.call_control("GET", f"/museum/days?from=2027-01-05&limit=1&after={page['next']}")["days"]
    assert (following[0]["date"], following[0]["weekday"]) == ("2027-01-07", "thursday")


def test_a_closed_day_has_no_hours_and_the_calendar_begins_today(museum: MuseumClient) -> None:
    days = museum.world.call_control("GET", "/museum/days?limit=28")["days"]
    assert days[0]["date"] == museum.world.now[:10]
    open_days = {day["date"] for day in museum.get_hours("?limit=28")}
    closed = [day for day in days if day["date"] not in open_days]
    assert closed
    assert all(day["time_open"] is day["time_close"] is None for day in closed)


def test_the_calendar_ends_with_the_last_day_there_is(museum: MuseumClient) -> None:
    page = museum.world.call_control("GET", "/museum/days?from=9999-12-30")
    assert ([day["date"] for day in page["days"]], page["next"]) == (["9999-12-30", "9999-12-31"], None)


def test_events_are_listed_and_searched(museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE)
    (newest,) = museum.world.call_control("GET", "/museum/events?order=newest&limit=1")["events"]
    assert (newest["event_id"], newest["name"], newest["dates"]) == (event["eventId"], HOSTILE, event["dates"])
    assert museum.world.call_control("GET", "/museum/events?q=%3CSCRIPT")["events"] == [newest]


def test_tickets_show_the_text_of_their_qr_code(museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE)
    general = museum.buy_ticket()
    special = museum.buy_ticket(ticketType="event", ticketDate="2027-01-08", eventId=event["eventId"])
    rows = museum.world.call_control("GET", "/museum/tickets?order=newest")["tickets"]
    assert [(row["ticket_id"], row["kind"], row["event"]) for row in rows] == [
        (special["ticketId"], "event", HOSTILE), (general["ticketId"], "general", None),
    ]  # fmt: skip
    assert rows[1]["qr_text"] == f"museum-ticket:{general['ticketId']}:{general['confirmationCode']}"
    assert (rows[1]["email"], rows[1]["bought_at"]) == ("todd@example.com", museum.world.now)
    assert museum.world.call_control("GET", f"/museum/tickets?event_id={event['eventId']}")["tickets"] == rows[:1]
    assert museum.world.call_control("GET", f"/museum/tickets?q={general['confirmationCode']}")["tickets"] == rows[1:]
    assert museum.world.call_control("GET", f"/museum/tickets/{general['ticketId']}") == rows[1]
    museum.cancel_event(event["eventId"])
    assert museum.world.call_control("GET", f"/museum/tickets/{special['ticketId']}")["event"] is None
    expect_error(
        museum.world.control.get(f"/worlds/{museum.world.id}/museum/tickets/{UNKNOWN_ID}"), 404, "ticket_not_found"
    )


def test_reading_the_museum_changes_no_fingerprint(museum: MuseumClient) -> None:
    museum.buy_ticket()
    before = museum.world.fingerprint()
    for view in ("days", "events", "tickets"):
        museum.world.call_control("GET", f"/museum/{view}")
    assert museum.world.fingerprint() == before


def test_fixtures_are_listed_with_a_sentence_each(world: World) -> None:
    page = world.json_of(world.control.get("/fixtures"))
    assert [(row["name"], row["extends"]) for row in page["fixtures"]] == [
        ("bare", None), ("default", "roster"), ("empty", "bare"), ("roster", "empty"),
    ]  # fmt: skip
    assert page["fixtures"][1]["about"] == "A world to explore: people, contacts, and orders in every state."
    assert all(row["about"].endswith(".") for row in page["fixtures"])


def test_a_fixture_file_of_the_users_own_is_listed_too(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text("# A shop of ours. It sells mugs.\nextends: empty\n")
    fixtures = Simulator(fixture=str(file)).client.call("GET", "/_sim/v1/fixtures").json()["fixtures"]
    assert {"name": "ours", "extends": "empty", "about": "A shop of ours."} in fixtures


def test_payments_invoices_approvals_and_timers_refer_to_what_they_are_about(team: TeamClients) -> None:
    world = team.world
    world.partner().create_order()
    order, gift = create_order(team.live), create_gift(team.live)
    approve(world, gift)
    fund(team.live, order)
    partner_ref, order_ref, gift_ref = (
        {"kind": "team_order", "id": 1001},
        {"kind": "team_order", "id": order["id"]},
        {"kind": "gift", "id": gift["id"]},
    )
    approvals = world.call_control("GET", "/approvals?order=newest")["approvals"]
    assert [row["about"] for row in approvals if row["resource_id"] == gift["id"]] == [gift_ref]
    (invoice,) = [row for row in world.rows("invoices") if row["resource_id"] == order["id"]]
    assert invoice["about"] == order_ref
    detail = world.call_control("GET", f"/orders/{order['id']}")["money"]
    assert [row["about"] for row in (*detail["payments"], *detail["invoices"])] == [order_ref, order_ref]
    payments = world.call_control("GET", "/payments")["payments"]
    assert [row["about"] for row in payments if row["team_order_id"] == 1001] == [partner_ref]
    assert [row["about"] for row in payments if row["team_payment"]] == [
        row["team_payment"]["about"] for row in payments if row["team_payment"]
    ]
    timers = world.call_control("GET", "/timers?limit=1000")["timers"]
    assert partner_ref in [row["about"] for row in timers if row["subject"].startswith("team_order 1001 ")]
    assert [row["about"] for row in timers if row["subject"] == "webhooks"] == [None]


def test_what_a_world_has_cost_is_counted_without_its_fixture(new_world: Callable[..., World]) -> None:
    world = new_world(fixture="default")
    assert [world.call_control("GET", "/spending")[name] for name in ("total_cents", "today_cents")] == [0, 0]
    partner = world.partner()
    partner.create_order(idempotency_key="first")
    world.advance("1d")
    order = partner.create_order(idempotency_key="second").json()["team_order"]["id"]
    spent = world.call_control("GET", "/spending")
    assert (spent["since"], spent["total_cents"], spent["today_cents"]) == ("2027-01-04T09:00:00Z", 5200, 2600)
    assert partner.post(f"/team-orders/{order}/cancel").status == 200
    spent = world.call_control("GET", "/spending")
    assert (spent["total_cents"], spent["today_cents"], spent["today_refunded_cents"]) == (2600, 0, 2600)


def test_paying_what_is_owed_costs_nothing_more(world: World, partner: PartnerClient) -> None:
    world.change_account(billing_mode="net_terms", credit_limit_cents=10_000, wallet_cents=0)
    partner.create_order()
    assert partner.post("/billing/settle", {"amount_cents": 2600}).status == 200
    assert world.call_control("GET", "/spending")["total_cents"] == 2600
