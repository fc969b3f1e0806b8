"""Point your app here: what a newcomer reads on Home until the first webhook of an order is in their app."""

from __future__ import annotations

import pytest

from tests.support.console import Console
from tests.support.worlds import World

HEADING = "Point your app here"


def words_of(console: Console) -> str:
    """What Home says, with single spaces."""
    return " ".join(console.open().text.split())


def test_a_port_where_nobody_listens_is_said_in_place(console: Console, world: World) -> None:
    console.open()
    console.press("Send webhooks there", to="1/hooks")
    assert "No answer: connection refused at 127.0.0.1:1 The first webhook of an order" in words_of(console)


def test_the_secret_the_header_and_the_check_are_told_with_the_port(console: Console, world: World) -> None:
    assert "X-Service-Signature" not in words_of(console)
    console.press("Send webhooks there", to="1/hooks")
    text = words_of(console)
    assert f"Secret {world.call_control('GET', '/endpoints/1')['secret']} " in text
    assert "Header X-Service-Signature: t=…,v1=… It is right if v1 is the HMAC-SHA256 of t, a dot" in text
    assert console.follow("Verify webhooks").heading == "Verify webhooks"


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_the_webhook_of_a_first_gift_goes_out_by_the_button_in_its_place(console: Console, world: World) -> None:
    console.open()
    console.press("Send webhooks there", to="1/hooks")
    console.press("Send a gift to Bo")
    console.open()
    console.press("Claim as Bo Bo’s stoneware mug")
    assert "of the clock, which stands until you move it. Webhooks go out in 1 h What needs you" in words_of(console)
    console.press("Webhooks go out in 1 h")
    assert world.now == "2027-01-04T10:00:00Z"
    assert world.rows("events")[-1]["type"] == "team_order.claimed"
    assert "Webhooks go out in" not in words_of(console)


def test_the_start_stays_until_it_is_hidden(console: Console, world: World) -> None:
    console.open()
    console.press("Send a gift to Bo")
    assert HEADING in console.open().text.partition("What needs you")[0]
    console.press("Hide")
    assert HEADING not in console.open().text.partition("What needs you")[0]
    assert HEADING in console.page.text  # in the card of the world


def test_a_browser_that_did_not_see_the_world_as_new_has_no_start(console: Console, world: World) -> None:
    world.partner().create_order()
    assert HEADING not in console.open().text.partition("What needs you")[0]
