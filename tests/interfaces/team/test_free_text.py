"""Addresses and claim links in names, notes and messages: removed alike in JSON, CSV and PDF (A7.26)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.domain.team.address_removal import remove_addresses
from tests.claims import claims
from tests.support.team.clients import TeamClients
from tests.support.team.orders import KIT
from tests.support.team.payments import pdf_text

EMAIL = "zq.sentinel+1@leak-domain.example"
WORDS = st.text(st.characters(exclude_characters="<>@%/", exclude_categories=["Z", "C"]), min_size=1, max_size=12)


def paid_order(team: TeamClients, text: str) -> Any:
    """An order paid on terms with a text in its recipient's name, its PO number and its message."""
    body = {"collection": KIT, "headcount": 1, "recipients": [{"name": f"Bo {text}", "email": EMAIL}],
            "po_number": f"PO-7 for {text}", "gift_message": f"Dear {text} and 5 @ noon"}  # fmt: skip
    return team.live.post_json("/team-orders", {**body, "payment_method": "net_terms"})


@claims("T-1.9", "T-1.10", "T-1.11")
@pytest.mark.parametrize(
    "text", [EMAIL, EMAIL.upper(), quote(EMAIL), f"<{EMAIL}>", f"mailto:{EMAIL}", "anyone@else.example"]
)
def test_an_address_in_free_text_is_removed_alike_in_json_csv_and_pdf(team: TeamClients, text: str) -> None:
    order, removed = paid_order(team, text), "<[removed]>" if text.startswith("<") else "[removed]"
    for shown in (order, team.live.get_json(f"/team-orders/{order['id']}"), team.live.list_all("/team-orders")[0]):
        assert [row["name"] for row in shown["recipients"]] == [f"Bo {removed}"]
        assert shown["po_number"] == f"PO-7 for {removed}"
        assert shown["gift_message"] == f"Dear {removed} and 5 @ noon"
    csv = team.live.get(f"/team-orders/{order['id']}/manifest.csv").text
    assert f'"Bo {removed}"' in csv
    assert f'"PO-7 for {removed}"' in csv
    assert f"PO-7 for {removed}" in pdf_text(team.live.get(f"/invoices/{order['invoice_id']}.pdf"))


def test_a_claim_link_in_free_text_is_removed_and_the_recipient_sees_the_text_whole(team: TeamClients) -> None:
    order = paid_order(team, EMAIL)
    [link] = [mail["links"][0] for mail in team.world.mail() if mail["to"] == EMAIL]
    page = team.world.client.call("GET", f"/{link.split('/', 3)[3]}", headers={"Accept": "application/json"}).json()
    assert page["message"] == f"Dear {EMAIL} and 5 @ noon"
    changed = team.live.patch(f"/team-orders/{order['id']}", {"po_number": f"See {link} now"}).json()
    assert changed["po_number"] == "See [removed] now"


def test_a_replay_returns_the_text_as_it_was_first_returned(team: TeamClients) -> None:
    body = {"collection": KIT, "headcount": 1, "po_number": EMAIL}
    first = team.live.post("/team-orders", body, Idempotency_Key="one")
    assert first.json()["po_number"] == "[removed]"
    assert team.live.post("/team-orders", body, Idempotency_Key="one").body == first.body


def test_the_url_of_a_file_is_no_free_text(team: TeamClients) -> None:
    url = "https://cdn.example.com/logo@2x.png"
    artwork = team.live.post_json("/artwork", {"url": url, "name": "Logo @2x"})
    assert (artwork["url"], artwork["name"]) == (url, "Logo @2x")


@given(local=WORDS, domain=WORDS, before=st.sampled_from(["", "to ", "<", "(", "mailto:"]))
def test_no_word_with_an_address_is_left(local: str, domain: str, before: str) -> None:
    text = remove_addresses(f"{before}{local}@{domain} ok")
    assert "@" not in text
    assert text.endswith("[removed] ok")
    assert remove_addresses(text) == text
