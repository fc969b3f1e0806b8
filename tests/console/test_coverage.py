"""What the app has met, in the console."""

from __future__ import annotations

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.worlds import World


def test_the_page_shows_what_was_met_and_what_is_missing(
    console: Console, world: World, partner: PartnerClient
) -> None:
    page = console.open("coverage")
    assert page.heading == "Coverage"
    assert "Nothing of this area concerns the app yet." in page.text
    partner.create_order()
    partner.get("/team-orders/7")
    page = console.open("coverage")
    assert "createTeamOrder" in page.text.partition("Apart")[0].partition("Met 2")[2]
    assert "cancelTeamOrder" in page.text.partition("Met 2")[0]
    errors = console.open("coverage?area=errors").text
    assert "getTeamOrder 404 team_order_not_found" in errors.partition("Met 1")[2]
    assert "createTeamOrder 402 insufficient_funds" in errors.partition("Met 1")[0]
    world.advance("40d")
    partner.get("/team-orders/7")
    assert "month turned" in console.open("coverage?area=clock").text.partition("Met")[2]


def test_a_gap_is_opened_alone_with_its_next_step(console: Console, partner: PartnerClient) -> None:
    partner.create_order()
    page = console.open("coverage?area=errors")
    assert "A test with pytest" not in page.text
    page = console.follow("createTeamOrder 402 insufficient_funds")
    assert page.text.count("A test with pytest") == 1
    assert "A test with pytest" not in console.follow("createTeamOrder 402 insufficient_funds").text


def test_an_area_that_does_not_exist_is_the_first_one(console: Console) -> None:
    assert "Operations that the app called" in console.open("coverage?area=nonsense").text
