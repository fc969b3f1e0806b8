"""The CSV manifest of an order."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.services.gifting.domain.fulfilment.cancellation import cancel_recipients
from giftsim.services.gifting.domain.fulfilment.fulfilment import PartnerOrder
from giftsim.services.gifting.domain.fulfilment.manifest import COLUMNS, escape_formula, manifest_csv
from tests.support.domain.partner_orders import LONDON, RENO, PartnerDomain, address_order_body, email_order_body

TEE = {"merchant_product_id": 102, "fixed_options": {"1022": 10222, "1021": 10211}, "quantity": 2}


def read_rows(partner: PartnerDomain, order: PartnerOrder) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(manifest_csv(partner.state, partner.order(order)))))


def test_every_recipient_has_a_row() -> None:
    partner = PartnerDomain()
    body = address_order_body(
        RENO, LONDON, items=[{"sku_code": "MUG-01"}, TEE], po_number="PO-7", reference="R", event={"date": "2027-02-01"}
    )
    body["recipients"][0]["company"] = "Berg"
    order = partner.buy(body)
    partner.advance("5d")
    first, second = read_rows(partner, order)
    assert tuple(first) == COLUMNS
    assert first | {"carrier": "", "tracking_number": ""} == {
        "recipient_id": "200001", "name": "Bo 0", "company": "Berg", "email": "", "address1": "1 Main St",
        "city": "Reno", "state": "NV", "zip": "89501", "country": "US", "claim_status": "submitted",
        "order_status": "delivered", "carrier": "", "tracking_number": "", "shipped_at": "2027-01-07T09:00:00Z",
        "delivered_at": "2027-01-09T09:00:00Z",
        "items": "1 x MUG-01 Mug; 2 x tee-01 Tee (Size: S, Colour: Navy)",
        "subtotal_cents": "6000", "shipping_cents": "800", "event_fees_cents": "0", "total_cents": "6800",
        "po_number": "PO-7", "reference": "R", "quote_number": order.quote_number, "duties_cents": "0",
        "event_date": "2027-02-01", "rush": "false", "on_time": "true",
    }  # fmt: skip
    assert first["carrier"]
    assert first["tracking_number"]
    assert (second["country"], second["state"], second["shipping_cents"]) == ("GB", "", "1800")


def test_unknown_values_are_empty_and_claim_links_are_left_out() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body(open_seats=1))
    first, seat = read_rows(partner, order)
    assert (first["claim_status"], first["order_status"], first["address1"]) == ("awaiting", "awaiting", "")
    assert (seat["name"], seat["email"], first["event_date"], first["rush"], first["on_time"]) == ("", "", "", "", "")
    text = manifest_csv(partner.state, order)
    assert str(partner.rows(order)[0][0].token) not in text
    assert str(order.share_token) not in text


def test_a_canceled_recipient_keeps_the_row() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body("Bo", "Cy"))
    with partner.state.transaction():
        cancel_recipients(partner.state, order, [partner.rows(order)[0][0].id])
    rows = read_rows(partner, order)
    assert [(row["name"], row["claim_status"], row["order_status"]) for row in rows] == [
        ("Bo", "canceled", "canceled"),
        ("Cy", "awaiting", "awaiting"),
    ]


FORMULAS = (
    *(
        "=1+1",
        "+1",
        "-1",
        "@cmd",
        '=HYPERLINK("x")',
        "\uff1d1+1",
        "\uff0b1",
        "\uff0d1",
        "\uff20cmd",
        "\ufe66cmd",
        "\ufe6bcmd",
    ),
    *("\ufe621", "\ufe631", "\u22121", " =1+1", "  \t@cmd", "\u00a0-1", "\u3000\uff1d1", "\ufeff=1+1", "\u200b+1"),
)
TEXTS = (
    "Bo",
    "1 + 1",
    "a=b",
    "a@b.example",
    "Zo\u00eb",
    " Bo",
    "\u3000Bo",
    "(=1)",
    "\u2013 dash",
    "'=1",
    "\u00b1 5",
    " ",
)


@pytest.mark.parametrize("name", FORMULAS)
def test_text_that_looks_like_a_formula_is_escaped_by_the_setting_alone(name: str) -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body(name, po_number=name, reference=name))
    for neutralized, text in ((False, name), (True, f"'{name}")):
        partner.change_settings(partner__manifest_neutralized=neutralized)
        row = read_rows(partner, order)[0]
        assert [row[column] for column in ("name", "po_number", "reference")] == [text] * 3


@pytest.mark.parametrize("name", TEXTS)
def test_other_text_stays_as_it_is(name: str) -> None:
    assert escape_formula(name) == name


@given(st.text(min_size=1, alphabet=st.characters(exclude_categories=["Cs"])).filter(lambda text: "\x00" not in text))
def test_any_text_survives_a_csv_round_trip(name: str) -> None:
    partner = PartnerDomain()
    person: dict[str, Any] = {"name": name, "email": "a@b.example"}
    order = partner.buy(email_order_body(recipients=[person]))
    rows = list(csv.reader(io.StringIO(manifest_csv(partner.state, order), newline="")))
    assert len(rows) == 2
    assert rows[1][1] == name
