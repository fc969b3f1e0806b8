"""Rehearsals in the console: fields that say what one happens to, and on the page of a record what can happen to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from giftsim.console.rehearsals import fields_of
from giftsim.engine.gateway.rehearsal import Rehearsal
from giftsim.services.gifting.rehearsals.rehearsal_table import REHEARSALS
from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.orders import address_recipients, email_recipients
from tests.support.responses import created, expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift, create_order
from tests.support.worlds import World

Fields = Mapping[str, Any]
CONTACTS: Final = [
    {"id": "51", "name": "Zoe Alder", "email": "zoe@alder.example"},
    {"id": "52", "name": "Zoe A.", "email": "z@alder.example"},
]


def order_of(world: World, recipients: list[dict[str, Any]]) -> Any:
    return created(world.partner().create_order(recipients=recipients))["team_order"]["id"]


def parcels(world: World) -> Fields:
    return {"record": order_of(world, address_recipients(2))}


def claim_link(world: World) -> Fields:
    return {"record": order_of(world, email_recipients(2)), "recipient": "person1@example.com"}


def canceled_after_card(world: World) -> Fields:
    world.simulate("account", key="partner.prepaid", wallet_cents=0, card="good")
    order = order_of(world, address_recipients(1))
    expect_status(world.partner().post(f"/team-orders/{order}/cancel", {}), 200)
    return {"record": order}


def funded(world: World, method: str) -> tuple[Any, Any]:
    """A team's order and what pays it."""
    team = TeamClients(world).live
    order = create_order(team)["id"]
    return order, team.post_json("/funding", {"method": method, "campaign_id": order})


def invoiced(world: World) -> Fields:
    return {"record": funded(world, "bank_transfer")[1]["invoice_id"]}


def invoiced_and_rejected(world: World) -> Fields:
    order, funding = funded(world, "bank_transfer")
    world.simulate("approval", team_order_id=order, decision="reject")
    return {"record": funding["invoice_id"]}


def underpaid(world: World) -> Fields:
    return {**invoiced(world), "amount": "$91.85"}


def ach(world: World) -> Fields:
    return {"record": funded(world, "us_bank_account")[1]["payment_id"]}


def ach_settled(world: World) -> Fields:
    order, funding = funded(world, "us_bank_account")
    world.simulate("payment", payment_id=funding["payment_id"], outcome="settled")
    return {"record": order}


def contacts(*fields: str) -> Callable[[World], Fields]:
    def prepare(world: World) -> Fields:
        world.simulate("crm", provider="hubspot", upsert=CONTACTS)
        return dict(zip(fields, ("52", "51"), strict=False))

    return prepare


def hubspot(world: World) -> Fields:
    return {**contacts()(world), "provider": "hubspot"}


# What people write into the fields of each, in a world where it can happen.
WRITTEN: Final[Mapping[str, Callable[[World], Fields]]] = {
    **{row.name: parcels for row in REHEARSALS if row.about == "parcel"},
    "holiday": lambda _: {},
    "card-closed": lambda _: {"account": "partner.prepaid"},
    "refund-failed": canceled_after_card,
    "balance-spent": lambda _: {},
    "payment-uncertain": ach,
    "ach-returned": ach_settled,
    "paid-after-cancel": invoiced_and_rejected,
    "underpaid": underpaid,
    "paid-twice": invoiced,
    "product-gone": lambda _: {"product": "MUG-01"},
    "option-gone": lambda _: {"product": "TEE-01", "option": "M"},
    "file-gone": lambda _: {"url": "https://cdn.team.example/logo.png"},
    "address-corrected": lambda world: {"record": order_of(world, address_recipients(1))},
    "mail-bounced": claim_link,
    "more-people-than-seats": claim_link,
    "contact-merged": contacts("contact", "into"),
    "contact-deleted": contacts("contact"),
    "provider-half": hubspot,
    "provider-down": hubspot,
}


def rehearse(console: Console, page: str, name: str, **fields: Any) -> str:
    """Fill in the fields of a rehearsal on a page, and press its button; the text of the page then."""
    form = next(form for form in console.open(page).forms if form.fields.get("rehearsal") == name)
    known = {each: str(value) for each, value in fields.items() if each in form.fields}
    return console.submit(form, None, **known).text


def offered(console: Console, page: str) -> list[str]:
    """The rehearsals that a page has a button for."""
    return [form.fields["rehearsal"] for form in console.open(page).forms if "rehearsal" in form.fields]


@pytest.mark.parametrize("name", [row.name for row in REHEARSALS])
def test_each_works_by_what_people_write_into_its_fields(console: Console, world: World, name: str) -> None:
    fields = WRITTEN[name](world)
    text = rehearse(console, "faults", name, **fields)
    [row] = (row for row in REHEARSALS if row.name == name)
    assert f"{row.fear} Check: {row.check}".replace("`", "") in text
    assert world.call_control("GET", "/undo?all=true&limit=1")["undo"][0]["summary"] == f"Rehearse {name}"


@pytest.mark.parametrize("row", REHEARSALS, ids=lambda row: row.name)
def test_what_must_be_given_has_a_field_that_must_be_filled_in(console: Console, row: Rehearsal) -> None:
    required = {each["name"] for tag, each in console.open("faults").elements if tag == "input" and "required" in each}
    forms = [form for form in console.page.forms if form.fields.get("rehearsal") == row.name]
    assert len([name for name in forms[0].fields if name in required]) >= len(row.needs)


@pytest.mark.parametrize("row", REHEARSALS, ids=lambda row: row.name)
def test_each_member_that_one_takes_has_a_field(row: Rehearsal) -> None:
    fields = {member for shown in fields_of(row._asdict() | {"takes": row.takes}) for member in shown.field.members}
    assert {*row.takes} - {"address"} <= fields  # an address is by default one in Reno


def test_an_account_goes_by_its_id_too_and_a_team_by_a_key(console: Console, world: World) -> None:
    rehearse(console, "faults", "card-closed", account="501")
    assert world.rows("accounts")[0]["card"] == "declined"
    assert "The CRM does not answer." in rehearse(
        console, "faults", "provider-down", **hubspot(world), team="team.live_approver"
    )
    assert "Rehearse card-closed: " in rehearse(console, "faults", "card-closed", account="partner.nobody")


def test_a_recipient_goes_by_name_and_a_parcel_by_its_id(console: Console, world: World) -> None:
    order = order_of(world, address_recipients(3))
    asked = rehearse(console, "faults", "address-corrected", record=order)
    assert "say which recipient: Person 0, Person 1, Person 2" in asked
    rehearse(console, "faults", "parcel-rejected", record=order, recipient="person 1")
    assert [row["status"] for row in world.rows("parcels")] == ["submitted", "rejected", "submitted"]
    parcel = world.rows("parcels")[2]["order_id"]
    rehearse(console, "faults", "parcel-rejected", record=parcel)
    assert [row["status"] for row in world.rows("parcels")] == ["submitted", "rejected", "rejected"]
    named = rehearse(console, "faults", "parcel-rejected", record=order, recipient="Nobody")
    assert "there is no recipient 'Nobody'; there are Person 0, Person 1, Person 2" in named


def test_what_cannot_be_read_or_found_is_said_in_words_of_the_page(console: Console, world: World) -> None:
    assert "there is no order, gift, campaign or parcel 999" in rehearse(
        console, "faults", "parcel-rejected", record="999"
    )
    written = {**invoiced(world), "amount": "much"}
    assert "'much' is not an amount of money" in rehearse(console, "faults", "underpaid", **written)
    order = parcels(world)["record"]
    world.simulate("shipment", team_order_id=order, to="delivered")
    assert "delivered" in rehearse(console, "faults", "parcel-rejected", record=order)


def test_the_page_of_an_order_offers_what_can_happen_and_says_why_the_rest_cannot(
    console: Console, world: World
) -> None:
    order = order_of(world, address_recipients(2))
    page = f"orders/order/{order}"
    assert "parcel-lost" in offered(console, page)
    assert "mail-bounced" not in offered(console, page)
    assert "other situations are not possible now" in console.page.text
    world.simulate("shipment", team_order_id=order, to="delivered")
    assert "parcel-lost" not in offered(console, page)
    assert "The carrier loses a parcel. parcel-lost:" in console.page.text
    rehearsed = world.call_control("GET", f"/moves?kind=order&id={order}")["rehearsals"]
    assert {*offered(console, page)} == {row["name"] for row in rehearsed if row["allowed"]}


def test_one_of_several_recipients_is_chosen_and_a_single_one_is_named(
    console: Console, world: World, partner: PartnerClient
) -> None:
    order = order_of(world, address_recipients(2))
    form = next(
        form
        for form in console.open(f"orders/order/{order}").forms
        if form.fields.get("rehearsal") == "address-corrected"
    )
    assert "Person 0" in console.page.text
    second = world.call_control("GET", f"/moves?kind=order&id={order}")["rehearsals"]
    bodies = next(row["bodies"] for row in second if row["name"] == "address-corrected")
    assert [body["recipient"] for body in bodies] == [0, 1]
    assert "The recipient has moved" in console.submit(form).text
    alone = create_gift(TeamClients(world).live)["id"]
    world.simulate("approval", gift_id=alone, decision="approve")
    assert "The mail with a claim link bounces. Check:" in rehearse(console, f"orders/gift/{alone}", "mail-bounced")
    single = created(partner.create_order(recipients=address_recipients(1), idempotency_key="one"))["team_order"]["id"]
    assert "The recipient has moved" in rehearse(console, f"orders/order/{single}", "address-corrected")


def test_the_page_of_a_parcel_rehearses_with_that_one(console: Console, world: World) -> None:
    order = order_of(world, address_recipients(2))
    parcel = world.rows("parcels")[1]["order_id"]
    page = f"orders/order/{order}?parcel={parcel}"
    assert "address-corrected" in offered(console, page)
    assert "refund-failed" not in offered(console, page)
    rehearse(console, page, "parcel-lost")
    assert [row["status"] for row in world.rows("parcels")] == ["submitted", "rejected"]
