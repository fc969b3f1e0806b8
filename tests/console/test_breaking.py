"""Break something: presets with durations, which say when they acted and how long they still do."""

from __future__ import annotations

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.console import Console
from tests.support.orders import address_recipients, email_recipients
from tests.support.worlds import World

OUTAGE = "Webhooks get 503"


def choose(console: Console, name: str, choice: str) -> str:
    """Press one of the buttons of a preset; the text of the page then."""
    form = next(form for form in console.open("faults").forms if form.action.endswith(f"/break/{name}"))
    pressed = next(each for each in form.buttons if each["text"] == choice)
    return console.submit(form, pressed).text


def end(console: Console, name: str) -> str:
    """End a preset; the text of the page then."""
    form = next(form for form in console.open("faults").forms if form.action.endswith(f"/break/{name}/end"))
    return console.submit(form).text


def rehearse(console: Console, page: str, name: str, record: str = "", **fields: str) -> str:
    """Press the button of a rehearsal on a page, perhaps with an id in its field; the text of the page then."""
    form = next(form for form in console.open(page).forms if form.fields.get("rehearsal") == name)
    assert {*fields} <= {*form.fields}
    form.fields |= {**fields, **({"id": record} if record else {})}
    return console.submit(form).text


def test_the_next_charge_fails_and_the_page_says_when_it_was_used(
    console: Console, world: World, partner: PartnerClient
) -> None:
    console.open("money")
    page = console.press("Once")
    assert "Fail the next charge: Your app gets 402" in page.text
    assert "waits for the next one" in page.text
    assert partner.create_order().status == 402
    assert "Used 1 time, last by call 1." in console.open("money").text
    assert "waits for the next one" not in console.page.text
    assert partner.create_order(idempotency_key="second").status == 201
    assert "waits for the next one" in choose(console, "decline", "Once")
    assert partner.create_order(idempotency_key="third").status == 402


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_webhooks_fail_for_a_day_and_the_end_of_the_outage_is_shown(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    text = choose(console, "outage", "1 d")
    assert f"{WEBHOOK_HOST} answers 503 until Tue 5 Jan 2027, 09:00." in text
    assert "1 d left" in text
    assert "No fault is active" not in text
    assert f"Outage: {WEBHOOK_HOST}\nEvery delivery gets 503, until" in console.open("faults").text
    world.simulate("claim", team_order_id=partner.create_order().json()["team_order"]["id"], recipient=0)
    world.advance("1h")
    assert [row["status"] for row in world.deliveries()] == [503]
    assert "23 h left" in console.open("faults").text
    world.advance("1d")
    assert "left" not in console.open("faults").text
    assert not console.open("webhooks").has_button("End the outage")
    choose(console, "outage", "3 d")
    assert "Ended: Webhooks get 503." in end(console, "outage")
    assert "No fault is active" in console.open("faults").text
    choose(console, "outage", "1 d")
    console.open("faults")
    console.press(f"End {WEBHOOK_HOST}")
    assert "Ended: 1 outage." in console.page.text
    assert "left" not in console.open("faults").text


@pytest.mark.parametrize(
    ("name", "choice", "statuses"), [("lose", "3 times", [0, 0, 0, 200]), ("too-many", "5 calls", [429] * 5 + [200])]
)
def test_calls_go_wrong_a_few_times(
    console: Console, partner: PartnerClient, name: str, choice: str, statuses: list[int]
) -> None:
    choose(console, name, choice)
    got = []
    for _ in statuses:
        try:
            got.append(partner.get("/team-orders").status)
        except ConnectionError:
            got.append(0)
    assert got == statuses
    assert f"Used {len(statuses) - 1} times" in console.open("faults").text


@pytest.mark.parametrize(("name", "hits"), [("twice", 2), ("out-of-order", 1)])
def test_webhooks_come_twice_or_out_of_order_for_an_hour(
    console: Console, world: World, partner: PartnerClient, name: str, hits: int
) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped")
    choose(console, name, "1 d")
    world.simulate("claim", team_order_id=partner.create_order().json()["team_order"]["id"], recipient=0)
    world.advance("2h")
    assert len(world.deliveries()) >= hits - 1
    assert "left" in console.open("faults").text
    end(console, name)
    assert "left" not in console.open("faults").text


def test_an_unknown_preset_or_duration_is_refused(console: Console) -> None:
    console.open("faults")
    form = next(form for form in console.page.forms if form.action.endswith("/break/decline"))
    console.submit(form, None, choice="for ever")
    assert console.status == 404


def test_a_balance_is_set(console: Console, world: World) -> None:
    console.open("money")
    page = console.press("Set to", amount="12.50")
    assert "has $12.50." in page.text
    assert world.rows("accounts")[0]["wallet_cents"] == 1250
    page = console.press("Set team to", amount="0")
    assert "is $0.00." in page.text
    assert "is not an amount of money" in console.press("Set to", amount="-1").text


def test_a_situation_is_rehearsed_by_id_and_on_the_page_of_an_order(
    console: Console, world: World, partner: PartnerClient
) -> None:
    order = partner.create_order(recipients=address_recipients(2)).json()["team_order"]["id"]
    assert "there is no team order 999" in rehearse(console, "faults", "parcel-rejected", "999")
    text = rehearse(console, f"orders/order/{order}", "parcel-rejected")
    assert "A parcel cannot be made. Your app tells somebody" in text
    assert [row["status"] for row in world.rows("parcels")] == ["rejected", "rejected"]
    assert "The card on file was closed." in rehearse(console, "faults", "card-closed", "501")
    assert world.rows("accounts")[0]["card"] == "declined"


def test_what_has_no_id_of_its_own_is_named_by_each_field(console: Console, world: World) -> None:
    rehearse(console, "faults", "option-gone", product="tee-01", option="M")
    tee = next(row for row in world.rows("catalogue") if row["slug"] == "tee-01")
    sizes = tee["variations"][0]["options"]
    assert (tee["on_sale"], [each["name"] for each in sizes if not each["on_sale"]]) == (True, ["M"])
    contacts = [{"id": each, "name": "Zoe Alder", "email": "zoe@alder.example"} for each in ("51", "52")]
    before = world.simulate("crm", provider="zoho", upsert=contacts)["contacts"]
    assert "no contact with this object_type and id" in rehearse(console, "faults", "contact-deleted", contact="51")
    world.simulate("crm", provider="hubspot", upsert=contacts)
    text = rehearse(console, "faults", "contact-merged", contact="52", into="51")
    assert "Somebody merges two contacts in the CRM." in text
    assert "Somebody deletes a contact in the CRM." in rehearse(console, "faults", "contact-deleted", contact="51")
    assert [row["provider"] for row in world.rows("contacts") if row["name"] == "Zoe Alder"] == ["zoho"] * before
    assert "The CRM does not answer." in rehearse(console, "faults", "provider-down", provider="zoho")
    assert world.simulate("crm", provider="zoho")["outage"] is True
    assert world.simulate("crm", provider="hubspot")["outage"] is False


def test_a_recipient_is_named_on_the_page_of_an_order_and_beside_its_id(
    console: Console, world: World, partner: PartnerClient
) -> None:
    order = partner.create_order(recipients=email_recipients(2)).json()["team_order"]["id"]
    asked = [form.fields.get("rehearsal") for form in console.open(f"orders/order/{order}").forms]
    assert "mail-bounced" not in asked
    second = world.rows("parcels")[-1]["order_id"]
    assert "bounces." in rehearse(console, f"orders/order/{order}?parcel={second}", "mail-bounced")
    assert [bool(mail["bounced_at"]) for mail in world.mail()] == [False, True]
    assert "bounces." in rehearse(console, "faults", "mail-bounced", str(order), recipient="0")
    assert [bool(mail["bounced_at"]) for mail in world.mail()] == [True, True]
    single = partner.create_order(idempotency_key="second").json()["team_order"]["id"]
    assert "bounces." in rehearse(console, f"orders/order/{single}", "mail-bounced")
    assert bool(world.mail()[-1]["bounced_at"])
