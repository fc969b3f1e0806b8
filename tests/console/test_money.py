"""Money: wallets with their limits, payments, the ledger, invoices and certificates, and what changes them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.museum import MuseumClient
from tests.support.orders import order_body
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_order
from tests.support.team.payments import fund
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def account(world: World, key: str) -> dict[str, object]:
    (row,) = [row for row in world.rows("accounts") if key in row["keys"]]
    return dict(row)


def test_wallets_show_money_cards_and_what_is_used_of_limits(
    console: Console, world: World, partner: PartnerClient
) -> None:
    world.change_account(daily_limit_cents=5000)
    partner.create_order()
    world.partner("partner.net_terms").create_order()
    page = console.open("money")
    assert (console.status, page.heading) == (200, "Money")
    for text in (
        "$4,974.00",
        "good card",
        "no card",
        "$26.00 of $50.00 used, $24.00 left",
        "$26.00 of $10,000.00 used",
    ):
        assert text in page.text
    meters = [attributes for tag, attributes in page.elements if tag == "meter"]
    assert {"max": "5000", "value": "2600", "aria-label": "daily of partner.prepaid"}.items() <= meters[0].items()
    assert not [attributes for _, attributes in page.elements if "style" in attributes]


def test_a_wallet_is_funded_and_it_is_taken_back(console: Console, world: World) -> None:
    console.open("money")
    form = next(form for form in console.page.forms if form.action.endswith("/accounts/502/fund"))
    page = console.submit(form, amount="1,250.50")
    assert "The wallet of account 502 has $1,250.50." in page.text
    assert account(world, "partner.no_funds")["wallet_cents"] == 125_050
    assert world.rows("ledger")[-1]["kind"] == "adjustment"
    console.press("Undo")
    assert account(world, "partner.no_funds")["wallet_cents"] == 0


@pytest.mark.parametrize("amount", ["", "much", "0", "1.234", "NaN", "Infinity", "1e30", HOSTILE])
def test_a_text_that_is_not_an_amount_is_refused(console: Console, world: World, amount: str) -> None:
    console.open("money")
    before = world.fingerprint()
    form = next(form for form in console.page.forms if form.action.endswith("/accounts/502/fund"))
    page = console.submit(form, amount=amount)
    assert "is not an amount of money" in page.text
    assert "<script>alert" not in console.response.text
    assert world.fingerprint() == before


def test_the_card_and_the_limits_of_an_account_are_changed(console: Console, world: World) -> None:
    console.open("money")
    form = next(form for form in console.page.forms if form.action.endswith("/accounts/501/card"))
    page = console.submit(form, {"name": "card", "value": "declined"})
    assert "card is declined" in page.text
    form = next(form for form in page.forms if form.action.endswith("/accounts/501/limits"))
    console.submit(form, daily_limit_cents="75")
    row = account(world, "partner.prepaid")
    assert (row["card"], row["daily_limit_cents"]) == ("declined", 7500)
    console.submit(form, daily_limit_cents="")
    assert account(world, "partner.prepaid")["daily_limit_cents"] is None
    form = next(form for form in console.page.forms if form.action.endswith("/accounts/503/limits"))
    console.submit(form, credit_limit_cents="20,000.00", daily_limit_cents="")
    assert account(world, "partner.net_terms")["credit_limit_cents"] == 2_000_000


def test_a_teams_balance_is_funded(console: Console, world: World) -> None:
    before = world.rows("teams")[0]
    console.open("money")
    form = next(form for form in console.page.forms if form.action.endswith(f"/teams/{before['team_id']}/fund"))
    page = console.submit(form, amount="100")
    assert world.rows("teams")[0]["balance_cents"] == before["balance_cents"] + 10_000
    assert "The balance of Northwind Trading is" in page.text
    recording = world.recording
    assert f"with: {{team_id: {before['team_id']}, add_cents: 10000}}" in recording  # added, whatever it has meanwhile
    console.submit(form, amount="-99999999")
    assert world.rows("teams")[0]["balance_cents"] == before["balance_cents"] + 10_000
    assert "cannot be taken from it" in console.page.text


def test_a_team_or_account_that_is_not_there_is_said(console: Console, world: World) -> None:
    console.open("money")
    for path, text in (("teams/7/fund", "there is no team '7'"), ("accounts/7/fund", "there is no account 7")):
        console._go("POST", f"/w/{world.id}/money/{path}", "amount=5")
        assert (text in console.page.text, console.page.heading) == (True, "Money")


def test_payments_lead_to_their_orders_and_show_why_they_failed(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order()
    world.partner("partner.no_funds").create_order()
    page = console.open("money?view=payments")
    assert page.link("Bo’s stoneware mug #1002") == f"/w/{world.id}/orders/order/1002"
    assert "insufficient funds no card" in page.text
    assert page.text.index("#1002") < page.text.index("#1001")
    page = console.open("money?view=payments&status=paid")
    assert ("#1001" in page.text, "#1002" in page.text) == (True, False)


def test_a_payment_without_an_outcome_is_settled(console: Console, world: World, partner: PartnerClient) -> None:
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", order_body(), X_Sim_Fault="crash=after_charge")
    console.open("money?view=payments&status=sent")
    page = console.press("Settle")
    assert "is paid" in page.text
    assert world.rows("payments")[-1]["status"] == "paid"


def test_a_bank_payment_of_a_team_fails(console: Console, team: TeamClients) -> None:
    fund(team.live, create_order(team.live), "us_bank_account")
    console.open("money?view=payments")
    console.submit(console.page.form("Fail"), {"name": "outcome", "value": "failed"})
    assert team.world.rows("payments")[-1]["team_payment"]["status"] == "failed"


def test_the_ledger_shows_both_sides_and_leads_to_the_order(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order()
    page = console.open("money?view=ledger")
    assert page.link("Bo’s stoneware mug #1001") == f"/w/{world.id}/orders/order/1001"
    for text in ("wallet of prepaid", "order 1001", "$26.00", "txn_000000001"):
        assert text in page.text


def test_an_invoice_is_paid(console: Console, team: TeamClients) -> None:
    order = create_order(team.live)
    fund(team.live, order)
    page = console.open("money?view=invoices")
    assert page.link(f"Stoneware mug and 2 more for Guest 0 and 1 other #{order['id']}").endswith(
        f"/orders/order/{order['id']}"
    )
    page = console.press("Pay")
    (invoice,) = team.world.rows("invoices")
    assert (invoice["status"], f"Invoice {invoice['number']} is paid." in page.text) == ("paid", True)


def test_a_tax_certificate_is_accepted(console: Console, team: TeamClients) -> None:
    team.live.post_json("/tax-certificates", {"url": "https://files.example.com/a.pdf", "region": HOSTILE})
    console.open("money?view=certificates")
    assert HOSTILE in console.page.text
    assert "<script>alert" not in console.response.text
    console.press("Accept")
    assert team.world.rows("certificates")[0]["status"] == "accepted"


@pytest.mark.parametrize("view", ["payments", "ledger", "invoices", "certificates"])
def test_an_empty_list_says_why(console: Console, world: World, view: str) -> None:
    world = World(world.simulator, fixture="bare")
    console.world = world.id
    page = console.open(f"money?view={view}")
    assert console.status == 200
    assert any(
        text in page.text for text in ("No payment like this", "Double entry", "No invoice", "No tax certificate")
    )


def test_a_payment_that_nobody_can_decide_is_refused(console: Console) -> None:
    console.open("money?view=payments")
    console._go("POST", f"/w/{console.world}/money/payments/txn_1", "verb=team&name=x&value=1&outcome=paid")
    assert "has an outcome already" in console.page.text


@pytest.fixture
def museum(world: World) -> MuseumClient:
    """The museum of a world."""
    return MuseumClient(world)


def elements(console: Console, **wanted: str) -> list[dict[str, Any]]:
    return [attributes for _, attributes in console.page.elements if wanted.items() <= attributes.items()]


def test_the_calendar_shows_hours_and_leads_to_events(console: Console, museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE, eventDescription=HOSTILE, location=HOSTILE, dates=["2027-03-04"])
    page = console.open("museum?month=2027-03")
    assert (console.status, page.heading) == (200, "Museum")
    assert "March 2027" in page.text
    assert "<script>alert" not in console.response.text
    assert (
        page.link(HOSTILE) == f"/w/{museum.world.id}/museum?month=2027-03&event={event['eventId']}&date=2027-03-04#buy"
    )
    assert len([each for each in page.elements if each[1].get("id", "").startswith("day-2027-03-")]) == 31
    hours = {day["date"]: day["timeOpen"] for day in museum.get_hours("?startDate=2027-03-01&limit=30")}
    assert hours["2027-03-04"] in page.text
    assert page.link("April 2027").endswith("month=2027-04")


@pytest.mark.parametrize("month", ["", "x", "2027-13", "0000-01", HOSTILE])
def test_a_month_that_is_none_is_the_present_one(console: Console, museum: MuseumClient, month: str) -> None:
    console.open("museum")
    form = console.page.forms[-1]
    console._go("GET", f"/w/{museum.world.id}/museum?month={month.replace(' ', '+').replace('&', '%26')}")
    assert (console.status, bool(form)) == (200, True)
    assert museum.world.now[:4] in console.page.text
    assert "<script>alert" not in console.response.text


@pytest.mark.parametrize("month", ["0001-01", "9999-12"])
def test_the_first_and_the_last_month_have_pages(console: Console, month: str) -> None:
    console.open(f"museum?month={month}")
    assert console.status == 200


def test_a_ticket_is_bought_by_a_real_call_and_shown_with_its_qr_code(console: Console, museum: MuseumClient) -> None:
    page = console.open("museum")
    assert "GIFTSIM_KEY=museum" in page.text
    assert "/v1.1/tickets" in page.text
    page = console.press("Buy the ticket", date="2027-01-07", email="ada@example.com")
    (ticket,) = museum.world.call_control("GET", "/museum/tickets")["tickets"]
    assert page.heading == "Ticket for general entry"
    assert ticket["confirmation_code"] in page.text
    (image,) = elements(console, role="img")
    assert image["aria-label"] == f"QR code of the ticket {ticket['ticket_id']}"
    calls = museum.world.call_control("GET", "/calls")["calls"]
    assert [call["request"]["path"] for call in calls] == ["/v1.1/tickets"]
    page = console.press("Undo")
    assert museum.world.call_control("GET", "/museum/tickets")["tickets"] == []
    assert (page.heading, "Undone: Buy a ticket." in page.text) == ("Museum", True)


def test_a_ticket_for_an_event_names_it(console: Console, museum: MuseumClient) -> None:
    event = museum.create_event(name=HOSTILE, dates=["2027-03-04"])
    console.open(f"museum?month=2027-03&event={event['eventId']}&date=2027-03-04")
    page = console.press("Buy the ticket")
    assert page.heading == f"Ticket for {HOSTILE}"
    assert "<script>alert" not in console.response.text
    assert HOSTILE in console.open("museum").text


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_a_ticket_that_the_museum_refuses_is_said(console: Console, museum: MuseumClient) -> None:
    museum.world.change_settings(museum__strict_dates=True)
    console.open("museum")
    page = console.press("Buy the ticket", date="2020-01-01")
    assert "2020-01-01 is past" in page.text
    assert page.heading == "Museum"
    assert museum.world.call_control("GET", "/museum/tickets")["tickets"] == []


def test_tickets_are_searched(console: Console, museum: MuseumClient) -> None:
    museum.buy_ticket(email="todd@example.com")
    museum.buy_ticket(email="zoe@example.com")
    console.open("museum?q=zoe@")
    assert ("zoe@example.com" in console.page.text, "todd@example.com" in console.page.text) == (True, False)
    assert "No ticket found" in console.open("museum?q=nobody").text


def test_a_dropped_connection_is_said(console: Console, museum: MuseumClient) -> None:
    museum.world.add_fault({"drop": "before"}, match={"interface": "museum"})
    console.open("museum")
    assert "the connection was closed" in console.press("Buy the ticket", date="2027-01-07").text


def test_an_unknown_ticket_is_a_page_that_says_so(console: Console) -> None:
    assert "There is no ticket" in console.open("museum/tickets/nothing").text
    assert console.status == 404
