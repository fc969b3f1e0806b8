"""What the app has met, in the console."""

from __future__ import annotations

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.worlds import World


def test_the_map_leads_from_an_operation_to_its_gap_and_to_its_errors(
    console: Console, world: World, partner: PartnerClient
) -> None:
    page = console.open("coverage")
    assert page.heading == "Coverage"
    assert "Partner API" in page.text
    partner.create_order()
    page = console.open("coverage")
    called = next(text for text, _ in page.links if text.startswith("Create a team order and charge it: called, 0 of"))
    assert "402 insufficient_funds" in console.follow(called).text
    console.open("coverage")
    gap = console.follow("Cancel a team order or some of its recipients: not called")
    assert gap.text.count("A test with pytest") == 1


def test_machines_are_drawn_with_the_moves_that_nobody_walked(console: Console, partner: PartnerClient) -> None:
    partner.create_order()
    shown = console.open("coverage")
    assert "Shipment" in [text for text, _ in shown.links]
    drawn = [given["aria-label"] for tag, given in shown.elements if tag == "svg" and "aria-label" in given]
    assert "shipment: 0 of 28 moves walked" in drawn
    assert "unclaimed to submitted: claim, not walked" in shown.text
    assert "produce: submitted → in production" in console.open("coverage?area=transitions").text


def test_an_area_shows_what_was_met_and_what_is_missing(console: Console, world: World, partner: PartnerClient) -> None:
    assert "Nothing of this area concerns the app yet." in console.open("coverage?area=operations").text
    partner.create_order()
    partner.get("/team-orders/7")
    page = console.open("coverage?area=operations")
    assert "createTeamOrder" in page.text.partition("Not counted")[0].partition("Met 2")[2]
    assert "cancelTeamOrder" in page.text.partition("Met 2")[0]
    errors = console.open("coverage?area=errors").text
    assert "getTeamOrder 404 team_order_not_found" in errors.partition("Met 1")[2]
    assert "402 insufficient_funds" in errors.partition("Met 1")[0]
    world.advance("40d")
    partner.get("/team-orders/7")
    assert "month turned" in console.open("coverage?area=clock").text.partition("Met")[2]


def test_a_gap_is_opened_alone_with_its_next_step(console: Console, partner: PartnerClient) -> None:
    partner.create_order()
    page = console.open("coverage?area=errors")
    assert "A test with pytest" not in page.text
    page = console.follow("402 insufficient_funds")
    assert page.text.count("A test with pytest") == 1
    assert "A test with pytest" not in console.follow("402 insufficient_funds").text


def test_an_area_that_does_not_exist_is_the_map(console: Console) -> None:
    assert "Operations" in console.open("coverage?area=nonsense").text
