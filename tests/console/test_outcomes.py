"""What the console says of a webhook that is on its way: it is neither delivered nor failed, and it is one webhook."""

from __future__ import annotations

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.worlds import World


def page_text(console: Console, path: str = "") -> str:
    """The text of a page, in one line."""
    return " ".join(console.open(path).text.split())


def hold(world: World, partner: PartnerClient) -> int:
    """A webhook that waits for its answer; the number of the change before it was sent."""
    partner.subscribe("team_order.claimed")
    world.set_receiver(mode="hold")
    before = int(world.call_control("GET", "/changes?from=now")["next"])
    assert world.call_control("POST", "/endpoints/1/test")["outcome"] is None
    return before


def test_a_held_webhook_is_on_its_way_wherever_it_is_told(
    console: Console, world: World, partner: PartnerClient
) -> None:
    before = hold(world, partner)
    home = page_text(console)
    assert "ping on its way" in home.partition("Live flow")[2]
    assert "Webhooks delivered – 0 of 0 attempts" in home
    assert "on its way" not in page_text(console, "?flow=failures").partition("Live flow")[2]
    assert "ping waiting → on its way" in page_text(console, f"time/happened?after={before}")
    assert not [given for tag, given in console.page.elements if "failed" in given.get("class", "").split()]


def test_a_webhook_that_was_on_its_way_is_told_once_when_it_failed(
    console: Console, world: World, partner: PartnerClient
) -> None:
    before = hold(world, partner)
    world.call_control("POST", "/deliveries/1/answer", {"status": 503})
    home = page_text(console)
    assert home.partition("Live flow")[2].count("ping 503") == 1
    assert "Webhooks delivered 0% 0 of 1 attempt" in home
    assert "ping waiting → answered 503" in page_text(console, f"time/happened?after={before}")
