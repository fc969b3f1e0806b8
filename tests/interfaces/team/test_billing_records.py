"""Balance, terms, cost centers, the billing profile and tax certificates."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve_and_reload, cancel, create_order, reload
from tests.support.team.payments import fund, kit_order_body, net_terms_order_body, pdf_text, unit_cents
from tests.support.worlds import World

FILE = "https://files.example.com/exemption"
MOST_BYTES = 10 * 1024 * 1024
PROFILE = {
    "legal_name": "Analytical Engines Inc.",
    "billing_email": "billing@example.com",
    "address": {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"},
}


@shows("T-4.73")
def test_the_balance_shows_the_reserved_and_the_available_amount(team: TeamClients, world: World) -> None:
    world.simulate("team", balance_cents=50_000)
    world.change_settings(payments__settle_after="1h")
    order = team.live.post_json("/team-orders", kit_order_body())
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    cents = unit_cents(team)
    assert team.live.get_json("/billing/balance") == {
        "balance_cents": 50_000, "reserved_cents": cents, "available_cents": 50_000 - cents, "currency": "USD",
        "livemode": True,
    }  # fmt: skip
    world.advance("1h")
    settled = team.live.get_json("/billing/balance")
    assert (settled["balance_cents"], settled["reserved_cents"]) == (50_000 - cents, 0)
    assert reload(team.live, order)["receipt_id"] is not None


@shows("T-4.90")
def test_the_terms_show_the_outstanding_and_the_available_credit(team: TeamClients, world: World) -> None:
    world.simulate("team", credit={"credit_limit_cents": 100_000, "net_days": 45})
    order = team.live.post_json("/team-orders", net_terms_order_body())
    cents = unit_cents(team)
    assert team.live.get_json("/credit-terms") == {
        "status": "active", "net_days": 45, "credit_limit_cents": 100_000, "outstanding_cents": cents,
        "available_cents": 100_000 - cents, "livemode": True,
    }  # fmt: skip
    world.simulate("invoice", invoice_id=order["invoice_id"])
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == 0
    world.simulate("team", credit={"status": "none"})
    assert team.live.get_json("/credit-terms")["available_cents"] == 0


@shows("T-1.17")
def test_a_sandbox_has_a_fixed_balance_and_terms(team: TeamClients, world: World) -> None:
    before = team.test.get_json("/billing/balance"), team.test.get_json("/credit-terms")
    assert before[0]["livemode"] is False
    world.simulate("team", balance_cents=0, credit={"credit_limit_cents": 0})
    team.test.post_json("/team-orders", kit_order_body())
    assert (team.test.get_json("/billing/balance"), team.test.get_json("/credit-terms")) == before


@shows("T-2.25", "T-4.85", "T-4.88")
def test_a_cost_center_has_a_code_and_a_name(team: TeamClients) -> None:
    cost_center = team.live.post_json("/cost-centers", {"code": "CC-100", "name": "Sales"}, Idempotency_Key=None)
    assert (cost_center["code"], cost_center["name"], cost_center["livemode"]) == ("CC-100", "Sales", True)
    assert team.live.get_json("/cost-centers")["data"] == [cost_center]
    order = team.live.post_json("/team-orders", kit_order_body())
    updated = expect_status(
        team.live.patch(f"/team-orders/{order['id']}", {"cost_center_id": cost_center["id"]}), 200
    ).json()
    assert updated["cost_center_id"] == cost_center["id"]


@shows("T-2.25")
@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"name": "Sales"}, ["code"]), ({"code": "CC"}, ["name"]), ({"code": 1, "name": "Sales"}, ["code"]),
        ({"code": "CC", "name": " "}, ["name"]), ({}, ["code", "name"]), ({"code": "CC", "name": None}, ["name"]),
    ],
)  # fmt: skip
def test_a_cost_center_without_a_code_or_a_name_is_refused(team: TeamClients, body: Any, wrong: list[str]) -> None:
    assert sorted(invalid_fields(team.live.post("/cost-centers", body))) == wrong
    assert team.live.list_all("/cost-centers") == []


@shows("T-2.25")
def test_a_code_names_one_cost_center_of_a_team_and_mode(team: TeamClients) -> None:
    for client in (team.live, team.test, team.other):
        client.post_json("/cost-centers", {"code": "CC-100", "name": "Sales"})
    before = team.world.observable_state()
    for code in ("CC-100", " CC-100 "):
        assert invalid_fields(team.live.post("/cost-centers", {"code": code, "name": "People"})) == ["code"]
    assert team.world.observable_state() == before
    team.live.post_json("/cost-centers", {"code": "cc-100", "name": "People"})
    assert len(team.live.list_all("/cost-centers")) == 2


@shows("T-1.2")
def test_no_member_of_a_body_creates_a_cost_center_for_another_team(team: TeamClients) -> None:
    other = team.other.get_json("/team")["id"]
    body = {"code": "CC", "name": "Sales", "team_id": other, "owner_id": other, "account_id": other}
    team.live.post_json("/cost-centers", body)
    assert [each["code"] for each in team.live.list_all("/cost-centers")] == ["CC"]
    assert team.other.list_all("/cost-centers") == team.test.list_all("/cost-centers") == []


@shows("T-4.211")
def test_an_optional_idempotency_key_works(team: TeamClients) -> None:
    body = {"code": "CC", "name": "Sales"}
    first = expect_status(team.live.post("/cost-centers", body, Idempotency_Key="one"), 201)
    again = expect_status(team.live.post("/cost-centers", body, Idempotency_Key="one"), 201)
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")
    expect_error(
        team.live.post("/cost-centers", {**body, "name": "Other"}, Idempotency_Key="one"), 409, "idempotency_key_reused"
    )
    assert len(team.live.list_all("/cost-centers")) == 1


@shows("T-4.75", "T-4.77", "T-4.87")
@pytest.mark.parametrize("path", ["/invoices", "/cost-centers"])
def test_a_page_has_25_rows_newest_first(team: TeamClients, path: str) -> None:
    for i in range(31):
        team.live.post_json("/deposit-invoices", {"amount_cents": 1 + i})
        team.live.post_json("/cost-centers", {"code": f"CC-{i}", "name": "Sales"})
    page = team.live.get_json(path)
    assert len(page["data"]) == 25
    rest = team.live.get_json(f"{path}?cursor={page['next_cursor']}")
    assert (len(rest["data"]), rest["next_cursor"]) == (6, None)
    rows = page["data"] + rest["data"]
    assert rows == sorted(rows, key=lambda row: -row["id"])
    assert [team.live.list_all(path, limit) for limit in (1, 7, 31, 100)] == [rows] * 4
    for bad in ("0", "101", "-1", "abc", "1.5"):
        expect_error(team.live.get(f"{path}?limit={bad}"), 400, "invalid_parameter")


@shows("T-4.92")
def test_the_billing_profile_is_replaced_whole_and_its_email_never_shown(team: TeamClients, world: World) -> None:
    first = expect_status(team.live.put("/billing/profile", PROFILE, Idempotency_Key=None), 200)
    profile = first.json()
    assert (profile["legal_name"], profile["billing_email_set"]) == (PROFILE["legal_name"], True)
    assert profile["address"] == {**PROFILE["address"], "address2": None}  # type: ignore[dict-item]
    world.advance("1h")
    again = expect_status(team.live.put("/billing/profile", PROFILE, Idempotency_Key=None), 200)
    assert again.body == first.body
    assert "billing@" not in first.text
    cleared = expect_status(team.live.put("/billing/profile", {}), 200).json()
    assert (cleared["legal_name"], cleared["billing_email_set"], cleared["address"]) == (None, False, None)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"billing_email": "no address"}, "billing_email"), ({"legal_name": 1}, "legal_name"),
        ({"address": "Reno"}, "address"), ({"address": {"country": "usa"}}, "address.country"),
    ],
)  # fmt: skip
def test_an_invalid_billing_profile_is_refused_and_not_echoed(team: TeamClients, body: Any, field: str) -> None:
    expect_status(team.live.put("/billing/profile", PROFILE), 200)
    response = team.live.put("/billing/profile", body)
    assert invalid_fields(response) == [field]
    assert "no address" not in response.text


@shows("T-2.40", "T-4.189")
@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        (".pdf", "application/pdf"), (".png", "image/png"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"),
        (".webp", "image/webp"), (".PDF?version=2.gif", "application/pdf"),
    ],
)  # fmt: skip
def test_a_certificate_is_registered_by_its_url_and_awaits_review(team: TeamClients, ending: str, kind: str) -> None:
    certificate = team.live.post_json("/tax-certificates", {"url": FILE + ending, "region": "CA"})
    assert (certificate["status"], certificate["content_type"], certificate["region"]) == ("pending_review", kind, "CA")
    assert (certificate["url"], certificate["size_bytes"], certificate["reviewed_at"]) == (FILE + ending, 0, None)


@shows("T-2.40")
@pytest.mark.parametrize(
    "url",
    [
        f"{FILE}.gif", f"{FILE}.docx", FILE, "http://files.example.com/a.pdf", "https://localhost/a.pdf",
        "https://10.0.0.1/a.pdf", "https://files.internal/a.pdf", "https://files.example.com:8443/a.pdf",
        "https://user:pw@files.example.com/a.pdf", "files.example.com/a.pdf", "", 5, None,
        f"https://files.example.com/{'a' * 2040}.pdf",
    ],
)  # fmt: skip
def test_a_url_that_is_not_a_public_pdf_or_image_is_refused(team: TeamClients, url: Any) -> None:
    response = team.live.post("/tax-certificates", {"url": url})
    assert invalid_fields(response) == ["url"]
    assert "files" not in response.text


@shows("T-8.5")
def test_a_certificate_file_has_at_most_ten_megabytes(team: TeamClients, world: World) -> None:
    for number, size in enumerate((MOST_BYTES, MOST_BYTES + 1)):
        url = f"{FILE}{number}.pdf"
        world.simulate("file", url=url, content_type="application/pdf", bytes=size)
        response = team.live.post("/tax-certificates", {"url": url})
        if size > MOST_BYTES:
            assert invalid_fields(response) == ["url"]
        else:
            assert expect_status(response, 201).json()["size_bytes"] == MOST_BYTES


def test_a_setting_counts_a_megabyte_as_a_million_bytes(team: TeamClients, world: World) -> None:
    world.change_settings(tax_certificates__max_bytes=10_000_000)
    for number, size in enumerate((10_000_000, 10_000_001)):
        world.simulate("file", url=f"{FILE}{number}.pdf", content_type="application/pdf", bytes=size)
    expect_status(team.live.post("/tax-certificates", {"url": f"{FILE}0.pdf"}), 201)
    assert invalid_fields(team.live.post("/tax-certificates", {"url": f"{FILE}1.pdf"})) == ["url"]


@shows("T-2.40")
def test_file_metadata_of_the_world_overrides_the_file_name(team: TeamClients, world: World) -> None:
    world.simulate("file", url=f"{FILE}.pdf", content_type="text/html", bytes=10)
    assert invalid_fields(team.live.post("/tax-certificates", {"url": f"{FILE}.pdf"})) == ["url"]
    world.simulate("file", url=f"{FILE}.gif", content_type="image/png", bytes=10)
    assert team.live.post_json("/tax-certificates", {"url": f"{FILE}.gif"})["content_type"] == "image/png"


@shows("T-4.191")
def test_a_certificate_needs_an_idempotency_key(team: TeamClients) -> None:
    body = {"url": f"{FILE}.pdf"}
    expect_error(team.live.post("/tax-certificates", body, Idempotency_Key=None), 400, "idempotency_key_required")
    first = team.live.post_json("/tax-certificates", body)
    assert team.live.post_json("/tax-certificates", body)["id"] == first["id"] + 1


@pytest.mark.parametrize("outcome", ["accepted", "rejected"])
def test_a_certificate_is_reviewed_once(team: TeamClients, world: World, outcome: str) -> None:
    certificate = team.live.post_json("/tax-certificates", {"url": f"{FILE}.pdf"})
    reviewed = world.simulate("certificate", certificate_id=certificate["id"], outcome=outcome)
    assert (reviewed["status"], reviewed["reviewed_at"]) == (outcome, world.now)
    body = {"certificate_id": certificate["id"], "outcome": outcome}
    expect_error(world.control.post(f"/worlds/{world.id}/simulate/certificate", body), 409, "invalid_state")
    body = {"certificate_id": 999, "outcome": outcome}
    expect_error(world.control.post(f"/worlds/{world.id}/simulate/certificate", body), 404, "certificate_not_found")


MEMBERS = ("payment_status", "payment_id", "invoice_id", "receipt_id")


def shown(team: TeamClients, order: Any) -> tuple[Any, ...]:
    """Payment status, payment, invoice and receipt of an order."""
    reloaded = reload(team.live, order)
    return tuple(reloaded[name] for name in MEMBERS)


@pytest.mark.parametrize("paid", [0, 1])
def test_the_invoice_of_an_order_is_the_one_that_was_paid(team: TeamClients, paid: int) -> None:
    order = create_order(team.live)
    invoices = [fund(team.live, order, "bank_transfer")["invoice_id"] for _ in range(2)]
    assert shown(team, order) == ("unpaid", None, invoices[1], None)
    team.world.simulate("invoice", invoice_id=invoices[paid])
    rows = {row["id"]: row for row in team.live.list_all("/invoices")}
    status, payment, invoice, receipt = shown(team, order)
    assert (status, invoice, receipt) == ("paid", invoices[paid], rows[invoices[paid]]["receipt_id"])
    assert payment is not None


def test_an_order_paid_on_terms_shows_the_invoice_of_its_terms(team: TeamClients) -> None:
    order = create_order(team.live)
    deposit = fund(team.live, order, "bank_transfer")["invoice_id"]
    on_terms = fund(team.live, order)
    assert on_terms["invoice_id"] != deposit
    assert shown(team, order) == ("paid", on_terms["payment_id"], on_terms["invoice_id"], None)


def test_an_order_paid_from_the_balance_shows_no_invoice(team: TeamClients) -> None:
    order = create_order(team.live)
    fund(team.live, order, "bank_transfer")
    approved = approve_and_reload(team, order)
    assert (approved["payment_status"], approved["invoice_id"]) == ("paid", None)
    assert None not in (approved["payment_id"], approved["receipt_id"])


def test_a_pending_payment_is_named(team: TeamClients) -> None:
    order = create_order(team.live)
    first, second = (fund(team.live, order, "us_bank_account")["payment_id"] for _ in range(2))
    assert shown(team, order) == ("unpaid", second, None, None)
    team.world.simulate("payment", payment_id=second, outcome="failed")
    assert shown(team, order) == ("unpaid", first, None, None)
    team.world.simulate("payment", payment_id=first, outcome="uncertain")
    assert shown(team, order) == ("uncertain", first, None, None)
    team.world.simulate("payment", payment_id=first, outcome="failed")
    assert shown(team, order) == ("unpaid", None, None, None)


def test_the_pending_payment_of_a_canceled_order_is_named_no_more(team: TeamClients) -> None:
    order = create_order(team.live)
    fund(team.live, order, "us_bank_account")
    cancel(team.live, order)
    assert shown(team, order) == ("unpaid", None, None, None)


@shows("T-2.4")
def test_the_terms_of_a_test_key_are_not_live(team: TeamClients) -> None:
    for path in ("/credit-terms", "/billing/balance"):
        assert team.test.get_json(path)["livemode"] is False
    assert team.live.get_json("/credit-terms")["livemode"] is True


@pytest.mark.parametrize(("setting", "later"), [(False, "open"), (True, "past_due")])
def test_an_invoice_after_its_due_date_is_open_or_past_due(
    team: TeamClients, world: World, setting: bool, later: str
) -> None:
    world.change_settings(**{"invoices.past_due_status": setting})
    order = team.live.post_json("/team-orders", net_terms_order_body())
    [invoice] = team.live.list_all("/invoices")
    for wait, status in (
        (f"{invoice['due_on']}T20:00:00Z", "open"),
        (f"{invoice['due_on'][:4]}-12-31T00:00:00Z", later),
    ):
        world.advance(to=wait)
        [invoice] = team.live.list_all("/invoices")
        assert invoice["status"] == status
        assert status.replace("_", " ").capitalize() in pdf_text(team.live.get(f"/invoices/{invoice['id']}.pdf"))
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == invoice["amount_cents"]
    world.simulate("invoice", invoice_id=order["invoice_id"])
    assert team.live.list_all("/invoices")[0]["status"] == "paid"
