"""Invoices, receipts and statements as PDF: the records' figures, reproducible bytes, no email."""

from __future__ import annotations

import io
from datetime import datetime, timedelta
from typing import Any
from unicodedata import category, normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from giftsim.services.gifting.interfaces.team.document import Column, Document, format_dollars
from giftsim.services.gifting.interfaces.team.font_file import printable
from giftsim.services.gifting.interfaces.team.pdf import render_pdf
from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.local_time import LOS_ANGELES, advance_to, local_month, local_time, next_month_start
from tests.support.team.orders import reload
from tests.support.team.payments import kit_order_body, net_terms_order_body, pdf_text, unit_cents
from tests.support.worlds import World

NAMES = (
    "Żółw Œuvres Đặng Saṃgha", "Ελένη Παπαδοπούλου", "Иван Щукин Їжак", "שרה כהן", "محمد الأمين", "प्रियंका क्षत्रिय",
    "ณัฐวุฒิ ศรีสุข", "张伟 山田太郎 カナ 김민수", "Nguyễn Thị Phượng Ấn", "שָׁלוֹם", "น้ำ ปู่ กี่ ผู้ใหญ่",
)  # fmt: skip
SENTINEL = "sentinel.leak@recipients.example"
LETTERS = st.text(max_size=40)


def letters(text: str) -> str:
    """The letters of a text beyond ASCII, with their marks: readers of files put blanks between letters."""
    return "".join(char for char in text if char > "\x7f" and category(char)[0] in "LM")


def paid_order_and_invoice(team: TeamClients, world: World) -> tuple[Any, Any]:
    """An order paid on terms and its paid invoice."""
    order = team.live.post_json(
        "/team-orders", net_terms_order_body(2, po_number="PO-77", recipients=[recipient_with_sentinel()])
    )
    world.simulate("invoice", invoice_id=order["invoice_id"])
    [invoice] = team.live.list_all("/invoices")
    return reload(team.live, order), invoice


def recipient_with_sentinel() -> Any:
    """A recipient whose address must not appear in any document."""
    return {"name": "Sen Tinel", "email": SENTINEL}


def long_date(world: World) -> str:
    """The world's date in Los Angeles, as documents print it."""
    day = local_time(world)
    return f"{day:%B} {day.day}, {day.year}"


@shows("T-4.78")
def test_an_invoice_is_rendered_as_pdf(team: TeamClients, world: World) -> None:
    order = team.live.post_json("/team-orders", net_terms_order_body(2, po_number="PO-77"))
    [invoice] = team.live.list_all("/invoices")
    response = expect_status(team.live.get(f"/invoices/{invoice['id']}.pdf"), 200)
    text = pdf_text(response)
    for part in ("Invoice", invoice["number"], "PO-77", f"Team order {order['id']}", long_date(world), "Open"):
        assert part in text
    assert format_dollars(invoice["amount_cents"]) in text
    assert f'filename="invoice-{invoice["id"]}.pdf"' in response.headers["content-disposition"]
    for unknown in ("999999", "none", "x.pdf"):
        expect_error(team.live.get(f"/invoices/{unknown}.pdf"), 404, "not_found")
    expect_error(team.other.get(f"/invoices/{invoice['id']}.pdf"), 404, "not_found")
    expect_error(team.test.get(f"/invoices/{invoice['id']}.pdf"), 404, "not_found")


@shows("T-4.80")
def test_the_receipt_of_a_paid_invoice_is_rendered_as_pdf(team: TeamClients, world: World) -> None:
    created, invoice = paid_order_and_invoice(team, world)
    assert created["receipt_id"] == invoice["receipt_id"] is not None
    text = pdf_text(expect_status(team.live.get(f"/receipts/{invoice['receipt_id']}.pdf"), 200))
    for part in ("Receipt", invoice["number"], format_dollars(invoice["amount_cents"]), f"Team order {created['id']}"):
        assert part in text
    expect_error(team.live.get("/receipts/999999.pdf"), 404, "not_found")
    expect_error(team.other.get(f"/receipts/{invoice['receipt_id']}.pdf"), 404, "not_found")
    assert "Amount due\n$0.00" in pdf_text(team.live.get(f"/invoices/{invoice['id']}.pdf")).replace("due $", "due\n$")


def test_the_same_document_has_the_same_bytes(team: TeamClients, world: World) -> None:
    _, invoice = paid_order_and_invoice(team, world)
    paths = [f"/invoices/{invoice['id']}.pdf", f"/receipts/{invoice['receipt_id']}.pdf"]
    paths += [f"/statements/{local_month(world)}?format=pdf"]
    first = [team.live.get(path).body for path in paths]
    assert [team.live.get(path).body for path in paths] == first
    world.advance("40d")
    team.live.put("/billing/profile", {"legal_name": "Somebody Else"})
    assert [team.live.get(path).body for path in paths[:2]] == first[:2]


def test_a_document_is_dated_by_the_worlds_clock(team: TeamClients, world: World) -> None:
    _, invoice = paid_order_and_invoice(team, world)
    reader = PdfReader(io.BytesIO(team.live.get(f"/invoices/{invoice['id']}.pdf").body))
    assert reader.metadata is not None
    assert reader.metadata.creation_date is not None
    assert reader.metadata.creation_date.strftime("%Y-%m-%dT%H:%M:%SZ") == world.now


def test_documents_are_addressed_by_the_billing_profile(team: TeamClients, world: World) -> None:
    address = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
    body = {"legal_name": "Żółw Œuvres GmbH", "billing_email": "accounts@analytical.example", "address": address}
    expect_status(team.live.put("/billing/profile", body), 200)
    invoice = paid_order_and_invoice(team, world)[1]
    for path in (f"/invoices/{invoice['id']}.pdf", f"/statements/{local_month(world)}?format=pdf"):
        text = pdf_text(team.live.get(path))
        for part in ("Żółw Œuvres GmbH", "1 Main St", "Reno, NV 89501", "US"):
            assert part in text
        assert "accounts" not in text


@shows("T-1.11")
def test_no_document_contains_an_email_or_a_claim_link(team: TeamClients, world: World) -> None:
    order = team.live.post_json(
        "/team-orders",
        net_terms_order_body(
            2, po_number=f"PO {SENTINEL}", recipients=[recipient_with_sentinel()], gift_message=SENTINEL
        ),
    )
    [link] = [mail["links"][0] for mail in world.mail() if mail["to"] == SENTINEL]
    expect_status(team.live.put("/billing/profile", {"legal_name": f"Mail {SENTINEL} or {link}"}), 200)
    world.simulate("invoice", invoice_id=order["invoice_id"])
    receipt = reload(team.live, order)["receipt_id"]
    token = link.rsplit("/", 1)[1]
    for path in (
        f"/invoices/{order['invoice_id']}.pdf", f"/receipts/{receipt}.pdf",
        f"/statements/{local_month(world)}?format=pdf",
    ):  # fmt: skip
        response = team.live.get(path)
        text = pdf_text(response) + response.body.decode("latin-1")
        assert not [text_part for text_part in (SENTINEL, "Sen Tinel", token, "/claim/") if text_part in text]


@shows("T-4.82", "T-4.84")
def test_a_statement_lists_the_balance_movements_of_a_month(team: TeamClients, world: World) -> None:
    cents = unit_cents(team)
    order = team.live.post_json("/team-orders", kit_order_body())
    world.simulate("approval", team_order_id=order["id"], decision="approve")
    paid = reload(team.live, order)
    deposit = team.live.post_json("/deposit-invoices", {"amount_cents": 700})
    world.simulate("invoice", invoice_id=deposit["id"])
    team.live.post_json(f"/team-orders/{order['id']}/cancel", {}, 200)
    team.live.post_json("/team-orders", net_terms_order_body())
    statement = team.live.get_json(f"/statements/{local_month(world)}")
    entries = [(each["kind"], each["amount_cents"]) for each in statement["entries"]]
    assert entries == [("adjustment", 2_500_000), ("charge", -cents), ("deposit", 700), ("refund", cents)]
    assert statement["closing_balance_cents"] == team.live.get_json("/billing/balance")["balance_cents"]
    charge, paid_in = statement["entries"][1:3]
    assert (charge["resource_type"], charge["resource_id"]) == ("team_order", order["id"])
    assert (charge["receipt_id"], paid_in["invoice_id"]) == (paid["receipt_id"], deposit["id"])
    assert team.live.get_json(f"/statements/{local_month(world)}?format=json") == statement
    text = pdf_text(expect_status(team.live.get(f"/statements/{local_month(world)}?format=pdf"), 200))
    assert all(format_dollars(cents) in text for _, cents in entries)
    expect_error(team.live.get(f"/statements/{local_month(world)}?format=xml"), 400, "invalid_parameter")


@shows("T-4.82")
@pytest.mark.parametrize("text", ["2027", "2027-13", "2027-1", "202701", "January", "2027-01-01"])
def test_a_malformed_month_is_refused(team: TeamClients, text: str) -> None:
    expect_error(team.live.get(f"/statements/{text}"), 400, "invalid_parameter")


def test_statements_are_continuous_from_the_first_month_to_the_present(team: TeamClients, world: World) -> None:
    first, now = local_month(world), next_month_start(world)
    before, after = team.live.get_json(f"/statements/{first}"), f"/statements/{now:%Y-%m}"
    assert before["partial"] is True
    expect_error(team.live.get(after), 404, "not_found")
    world.advance(to=now.isoformat())
    assert team.live.get_json(f"/statements/{first}") == {**before, "partial": False}
    next_one = team.live.get_json(after)
    assert (next_one["opening_balance_cents"], next_one["entries"]) == (before["closing_balance_cents"], [])
    begun = datetime.fromisoformat(team.live.get_json("/team")["created_at"]).astimezone(LOS_ANGELES)
    assert team.live.get_json(f"/statements/{begun:%Y-%m}")["entries"] == []
    expect_error(team.live.get(f"/statements/{begun.replace(day=1) - timedelta(days=1):%Y-%m}"), 404, "not_found")


def test_midnight_in_los_angeles_belongs_to_the_new_month(team: TeamClients, world: World) -> None:
    first, midnight = local_month(world), next_month_start(world)
    deposits = [team.live.post_json("/deposit-invoices", {"amount_cents": cents}) for cents in (100, 200)]
    advance_to(world, midnight - timedelta(seconds=1))
    world.simulate("invoice", invoice_id=deposits[0]["id"])
    advance_to(world, midnight)
    world.simulate("invoice", invoice_id=deposits[1]["id"])
    old, new = (team.live.get_json(f"/statements/{name}")["entries"] for name in (first, local_month(world)))
    assert [entry["amount_cents"] for entry in old][-1:] == [100]
    assert [entry["amount_cents"] for entry in new] == [200]


def test_invoices_are_due_by_the_terms_and_deposits_in_two_weeks(team: TeamClients, world: World) -> None:
    world.simulate("team", credit={"net_days": 45})
    team.live.post_json("/team-orders", net_terms_order_body())
    team.live.post_json("/deposit-invoices", {"amount_cents": 100})
    today = local_time(world).date()
    due = [invoice["due_on"] for invoice in team.live.list_all("/invoices")]
    assert due == [str(today + timedelta(days=days)) for days in (14, 45)]


@shows("T-1.17")
def test_a_sandbox_statement_shows_its_fixed_balance(team: TeamClients, world: World) -> None:
    team.live.post_json("/team-orders", net_terms_order_body())
    statement = team.test.get_json(f"/statements/{local_month(world)}")
    cents = team.test.get_json("/billing/balance")["balance_cents"]
    assert (statement["livemode"], statement["entries"]) == (False, [])
    assert statement["opening_balance_cents"] == statement["closing_balance_cents"] == cents
    assert "Sandbox" in pdf_text(team.test.get(f"/statements/{local_month(world)}?format=pdf"))


@pytest.mark.parametrize("name", NAMES)
def test_names_of_all_scripts_are_printed_in_reading_order(team: TeamClients, world: World, name: str) -> None:
    expect_status(team.live.put("/billing/profile", {"legal_name": name}), 200)
    response = team.live.get(f"/statements/{local_month(world)}?format=pdf")
    text = pdf_text(response)
    assert letters(name) in letters(text)
    assert "?" not in text
    assert "▯" not in text


def test_fonts_are_part_of_the_file(team: TeamClients, world: World) -> None:
    expect_status(team.live.put("/billing/profile", {"legal_name": " ".join(NAMES)}), 200)
    body = team.live.get(f"/statements/{local_month(world)}?format=pdf").body
    fonts = PdfReader(io.BytesIO(body)).pages[0]["/Resources"]["/Font"].values()  # type: ignore[index]
    descriptors = [font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"] for font in fonts]
    assert len(descriptors) == 4
    assert all("/FontFile2" in each or "/FontFile3" in each for each in descriptors)


def test_a_letter_without_a_font_is_a_box_and_never_a_question_mark(team: TeamClients, world: World) -> None:
    expect_status(team.live.put("/billing/profile", {"legal_name": "Acme \U0001f600 {nb}"}), 200)
    text = pdf_text(team.live.get(f"/statements/{local_month(world)}?format=pdf"))
    assert "Acme ▯ {nb}" in text
    assert "Page 1 of 1" in text


@given(LETTERS)
def test_text_is_printed_with_the_letters_that_the_fonts_have(name: str) -> None:
    shown = printable(name)
    assert shown.count("?") <= normalize("NFKD", name).count("?")
    assert printable(shown) == shown
    assert all(char.isprintable() or char in "\u200c\u200d" for char in shown)


@settings(max_examples=15, deadline=None)
@given(LETTERS)
def test_every_text_can_be_rendered(name: str) -> None:
    paper = Document(
        "Invoice", name, 0, (("For", name),), (name,), (Column("Item", 1),), ((name,),), ((name, name),), name
    )
    assert render_pdf(paper).startswith(b"%PDF-")


def test_a_long_document_repeats_its_headings_on_each_page() -> None:
    rows = [(f"Item {i}", str(i)) for i in range(200)]
    columns = (Column("What", 70), Column("Many", 30, figures=True))
    reader = PdfReader(
        io.BytesIO(render_pdf(Document("Invoice", "INV-1", 0, (), (), columns, rows, (), "Small print")))
    )
    pages = [page.extract_text() for page in reader.pages]
    assert len(pages) > 3
    assert all("What" in page and f"Page {i} of {len(pages)}" in page for i, page in enumerate(pages, 1))
    assert all(f"Item {i}" in "".join(pages) for i in range(200))
