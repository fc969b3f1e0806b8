"""The line of health: the chip of the time bar, the counts of the navigation, and what the home offers to do."""

from __future__ import annotations

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.console import Console
from tests.support.orders import address_recipients
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World

DOWN = {"from": "+1h", "to": "+10d", "status": 503}


def break_all(world: World, partner: PartnerClient) -> None:
    """Two webhooks that wait in an outage, and two faults."""
    partner.subscribe("team_order.shipped")
    world.set_receiver(outage=DOWN)
    partner.create_order(recipients=address_recipients(2))
    world.advance("5d")
    world.advance(until="next")
    world.add_fault({"status": 503}, match={"operation": "getStore"}, id="store")
    world.add_fault({"webhook": "duplicate"}, when={"from": world.now, "to": "+9d"}, id="twice")


def chip(console: Console, path: str = "") -> str:
    """What the chip of a page says; "" if there is none."""
    page = console.open(path)
    return next((given["title"] for tag, given in page.elements if tag == "summary" and "title" in given), "")


def counts(console: Console) -> set[str]:
    """The counts of the navigation, as people hear them."""
    elements = console.open().elements
    return {given["title"] for _, given in elements if given.get("class", "").startswith("count ")}


def test_a_world_in_which_all_is_well_has_no_chip_and_no_counts(console: Console, world: World) -> None:
    assert (chip(console), counts(console)) == ("", set())


def test_the_chip_of_every_page_says_what_is_on_and_ends_it_all(
    console: Console, world: World, partner: PartnerClient
) -> None:
    break_all(world, partner)
    for path in ("", "orders", "webhooks", "people"):
        assert chip(console, path) == "Outage 4 d, 2 faults, 2 waiting"
    console.press("End all and resend")
    assert "Ended: 1 outage and 2 faults. Sent again: 2 webhooks." in console.page.text
    assert (chip(console, "people"), world.rows("faults")) == ("", [])
    console.press("Undo")
    assert chip(console) == "Outage 4 d, 2 faults, 2 waiting"


def test_each_fault_and_outage_has_an_end_of_its_own(console: Console, world: World, partner: PartnerClient) -> None:
    break_all(world, partner)
    console.open("orders")
    assert "503 at getStore\nnot hit yet" in console.page.text
    assert "Send webhooks twice\nnot hit yet" in console.page.text  # by the name of its preset
    console.press(f"End {WEBHOOK_HOST}")
    assert chip(console, "orders") == "2 faults, 2 waiting"
    console.press("End 503 at getStore")
    assert chip(console) == "1 fault, 2 waiting"


def test_what_was_given_up_is_said_in_red(console: Console, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    world.set_receiver(then={"status": 500})
    partner.create_order(recipients=address_recipients(1))
    world.advance("25d")
    assert chip(console) == "1 given up"
    assert any(tag == "summary" and given.get("class") == "bad" for tag, given in console.page.elements)


def test_the_navigation_counts_what_fails_and_waits(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.partner("partner.no_funds").create_order(idempotency_key="poor")
    create_gift(TeamClients(world).requester)
    world.add_fault({"status": 503}, match={"operation": "getStore"})
    lines = console.open().text.split("\n")
    for each in (
        "Orders1 failed1 waiting",
        "Gifts1 waiting",
        "Inbox1 waiting",
        "Calls1 failed",
        "Break something1 failed",
    ):
        assert each in lines


def test_home_offers_what_mends_each_thing_in_its_row(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Di", "email": "di@example.com"}])
    world.partner("partner.no_funds").create_order(idempotency_key="poor")
    create_gift(TeamClients(world).requester)
    text = console.open().text.partition("What needs you")[2]
    places = [text.index(each) for each in ("Unpaid", "Unclaimed", "Approval")]
    assert places == sorted(places)  # failures first
    console.press("Fund $26 and retry Bo’s stoneware mug")
    assert "Bo’s stoneware mug is paid." in console.page.text
    for name in ("Bo", "Di"):
        console.press(f"Claim as {name} {name}’s stoneware mug")
        assert f"{name}’s stoneware mug: Claim as {name}. Done." in console.page.text
    console.press("Approve Guest 0’s stoneware mug and 2 more")
    assert "Claim as Guest 0" in console.page.text
    assert "Approve" not in console.open().text


def test_a_parcel_that_is_delayed_goes_on_from_home(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=address_recipients(1))
    world.simulate("shipment", team_order_id=1001, to="delayed")
    assert "Parcel delayed: Person 0’s stoneware mug Why? order 1001 $26" in " ".join(console.open().text.split())
    console.press("Ship the delayed parcel Person 0’s stoneware mug")
    assert "Person 0’s stoneware mug: Ship the delayed parcel. Done." in console.page.text
    assert "Delayed" not in console.open().text


def test_webhooks_that_wait_are_mended_from_home(console: Console, world: World, partner: PartnerClient) -> None:
    break_all(world, partner)
    console.open()
    console.press(f"End outage and resend {WEBHOOK_HOST}")
    assert "Ended: 1 outage. Sent again: 2 webhooks." in console.page.text
    assert chip(console) == "2 faults"


def test_many_of_a_kind_are_one_row_that_leads_to_their_list(
    console: Console, world: World, partner: PartnerClient
) -> None:
    for n in range(4):
        partner.create_order(idempotency_key=f"many-{n}")
    page = console.open()
    assert page.text.count("Unclaimed:") == 1
    console.follow("3 more unclaimed")
    assert console.path == f"/w/{world.id}/orders?q=is:waiting"


def test_home_says_what_comes_next_by_name_and_what_it_cost(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order(recipients=address_recipients(2))
    text = " ".join(console.open().text.partition("What happens next")[2].split())
    assert text.startswith("Stoneware mug for Person 0 and 1 other: in production × 2 in 1 d")
    assert "Person 0 and 1 other · $52 · arrives " in text
    assert "What it cost Money Today $52.00 This world $52.00" in " ".join(console.page.text.split())


def test_an_act_that_is_none_is_refused(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Di", "email": "di@example.com"}])
    form = console.open().form("Claim as Di Di’s stoneware mug")
    console.submit(form, path="worlds/default")
    assert console.status == 400
    console.open()
    console.submit(form, body="{")
    assert console.status == 400


@pytest.mark.parametrize("name", ["End all", "End"])
def test_ends_of_what_is_over_are_refused_or_do_nothing(console: Console, world: World, name: str) -> None:
    world.add_fault({"status": 503}, match={"operation": "getStore"}, id="store")
    form = console.open().form("End all" if name == "End all" else "End 503 at getStore")
    world.call_control("DELETE", "/faults")
    console.submit(form)
    assert ("Nothing was on." if name == "End all" else "there is no fault 'store'") in console.page.text
