"""The home of a world: figures, the live flow, and the list of things to try in the demo."""

from __future__ import annotations

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.orders import address_recipients
from tests.support.worlds import World


def test_the_demo_opens_on_a_list_that_is_ticked_as_each_thing_is_done(console: Console, world: World) -> None:
    console.open()
    assert "Get to know giftsim" not in console.page.text
    console.press("Play the demo")
    home = console.path
    assert "0 of 5" in console.page.text
    console.follow("Open the event")
    assert "1 of 5" in console.open(home).text
    console.follow("Mend the event")
    console.press("End outage and resend")
    assert "2 of 5" in console.open(home).text
    console.follow("Open Fay’s order")
    console.press("Fund $26 and retry")
    assert "3 of 5" in console.open(home).text
    console.follow("Open Fay’s order to undo")
    console.press("Undo")
    assert "unpaid" in console.page.heading
    assert "4 of 5" in console.open(home).text
    console.follow("Compare worlds")
    console.press("Fork and compare now")
    other = console.path.partition("with=")[2]
    assert "That was all." in console.open(home).text
    console.press("Hide this list")
    assert "Get to know giftsim" not in console.page.text
    for name in (other, home.split("/")[2]):
        world.control.delete(f"/worlds/{name}")


def test_each_demo_of_a_browser_keeps_its_own_ticks(console: Console, world: World) -> None:
    homes = []
    for _ in range(2):
        console.open()
        console.press("Play the demo")
        homes.append(console.path)
        console.follow("Open the event")
        _, _, ticks = console.response.headers["set-cookie"].partition("giftsim-guide-")
        assert "; Path=/;" in ticks  # they count for the page that has no path, too
    console.press("End outage and resend")
    assert [next(n for n in range(6) if f"{n} of 5" in console.open(home).text) for home in homes] == [1, 2]
    for home in homes:
        world.control.delete(f"/worlds/{home.split('/')[2]}")


def test_what_was_refused_is_not_ticked(console: Console, world: World) -> None:
    console.open()
    console.press("Play the demo")
    home = console.path
    form = console.page.form("Undo")
    form.fields["to"] = "99999"
    console.submit(form)
    assert "Nothing was undone" in console.page.text
    assert "0 of 5" in console.open(home).text
    world.control.delete(f"/worlds/{home.split('/')[2]}")


def test_the_live_flow_tells_calls_webhooks_and_mail_in_order_of_time(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(then={"status": 503})
    order = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance(until="next")
    text = console.open().text.partition("Live flow")[2]
    told = ["POST /team-orders 201", "Ada has a gift for you, to bo@example.com", "team_order.claimed 503"]
    places = [" ".join(text.split()).index(each) for each in told]
    assert places == sorted(places)
    failures = " ".join(console.open("?flow=failures").text.partition("Live flow")[2].split())
    assert "team_order.claimed 503" in failures
    assert "POST /team-orders" not in failures


def test_the_figures_of_home_say_how_many_calls_failed_and_webhooks_arrived(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    order = partner.create_order().json()["team_order"]["id"]
    partner.get("/team-orders/99999")
    world.simulate("claim", team_order_id=order, recipient=0)
    world.advance(until="next")
    text = " ".join(console.open().text.split())
    assert "Your app’s calls 3 1 failed lately" in text
    assert "Webhooks delivered 100% 1 of 1 attempt" in text


def test_a_share_of_webhooks_is_rounded(console: Console, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(script=[{"status": 503}], then={"status": 200})
    for _ in range(3):
        world.call_control("POST", "/endpoints/1/test")
    assert "Webhooks delivered 67% 2 of 3 attempts" in " ".join(console.open().text.split())


def test_home_names_what_comes_next_in_its_first_rows(console: Console, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    order = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    text = " ".join(console.open().text.split())
    first, _, rest = text.partition("What needs you")
    assert "Next: Webhooks go out, in " in first
    assert "What happens next Webhooks go out in " in rest
    world.advance(until="next")
    world.advance(until="next")
    assert "Next: Bo’s stoneware mug in production, in " in " ".join(console.open().text.split())


def test_an_outage_that_holds_webhooks_stands_in_what_needs_you_alone(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.shipped")
    world.set_receiver(outage={"from": world.now, "to": "+30d", "status": 503})
    assert "Broken on purpose" in console.open().text
    partner.create_order(recipients=address_recipients(1))
    world.advance("5d")
    text = console.open().text
    assert "Broken on purpose" not in text
    assert "1 webhook waits for" in text.partition("What needs you")[2]
