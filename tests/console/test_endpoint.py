"""The page of a webhook endpoint: how it is found, its secret, its switch, and what mends it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.console import Console, claim_order
from tests.support.team.clients import TeamClients
from tests.support.team.webhooks import subscribe
from tests.support.worlds import World

PATH = "webhooks/endpoints/1"


def test_every_endpoint_has_a_page(console: Console, world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.claimed")["secret"]
    subscribe(TeamClients(world).live, "gift.sent")
    for url, owner in (
        (f"https://{WEBHOOK_HOST}/gifts", "partner.prepaid"),
        ("https://hooks.team.example/gifts", "team"),
    ):
        console.open("webhooks")
        page = console.follow_row(url.split("/")[2])
        assert page.heading == url.split("/")[2]
        assert f"1 kind of event for {owner}" in page.text
    assert secret in console.open(PATH).text
    console.open("webhooks/endpoints/3")
    assert console.status == 404


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_a_failed_delivery_leads_to_its_endpoint_which_counts(
    console: Console, world: World, partner: PartnerClient
) -> None:
    world.set_receiver(script=[{"status": 503}, {"timeout": True}], then={"status": 200})
    claim_order(world, partner)
    world.advance("70m")
    console.open("webhooks")
    console.follow_row("team_order.claimed")
    page = console.follow("Open the endpoint")
    assert page.heading == WEBHOOK_HOST
    assert "0% delivered, 0 of 2 attempts since Mon 4 Jan, 10:00 · 1 event still pending" in page.text
    assert "Nothing was delivered for 10 min, from Mon 4 Jan, 10:00: 2 attempts failed" in page.text
    assert "Bo’s stoneware mug" in page.text
    world.advance("1h")
    assert "33% delivered, 1 of 3 attempts" in console.open(PATH).text
    assert "timeout" in console.follow("Failed").text
    assert "No attempts match." in console.follow("On its way").text


def test_a_test_event_is_sent_and_listed(console: Console, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    console.open(PATH)
    assert "Nothing has been sent to it yet." in console.page.text
    assert "The test event was answered with 200." in console.press("Send a test event").text
    assert "100% delivered, 1 of 1 attempt" in console.page.text
    assert console.follow("ping").heading.startswith("ping")


def test_all_that_failed_at_one_endpoint_is_sent_again(console: Console, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", host="hooks.other.example")
    claim_order(world, partner)
    for host in (WEBHOOK_HOST, "hooks.other.example"):
        world.set_receiver(host, outage={"from": world.now, "to": "+9000d", "status": 503})
    world.advance("2h")
    console.open("webhooks/endpoints/2")
    assert "Sent again: 1 webhook, all delivered." in console.press("End outage and resend all failed 1").text
    assert not console.page.has_button("Resend all failed 0")
    assert [row["endpoint"] for row in world.deliveries() if row["mark"] == "resend"] == [2]
    assert [row["host"] for row in world.rows("receivers")] == ["hooks.other.example"]


def test_an_event_is_sent_again_to_all_hosts_at_which_it_failed_and_no_other_outage_ends(
    console: Console, world: World, partner: PartnerClient
) -> None:
    others = "hooks.other.example", "hooks.third.example"
    partner.subscribe("team_order.claimed", host=others[0])
    claim_order(world, partner)
    for host in (WEBHOOK_HOST, *others):
        world.set_receiver(host, outage={"from": world.now, "to": "+9000d", "status": 503})
    world.advance("2h")
    console.open("webhooks")
    console.follow_row("team_order.claimed")
    for host in (WEBHOOK_HOST, others[0]):
        assert f"An outage of {host} is simulated until" in console.page.text
    assert "Sent again: 2 webhooks, all delivered." in console.press("End outages and resend").text
    assert [row["host"] for row in world.rows("receivers")] == [others[1]]


def test_one_switch_forwards_to_this_machine_and_back(console: Console, world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(outage={"from": "+1d", "to": "+2d", "status": 500})
    (form,) = (form for form in console.open(PATH).forms if form.action.endswith("/forward"))
    assert form.fields["to"] == "http://127.0.0.1:9000"
    console.submit(form, form.buttons[0], to="3000")
    assert f"Webhooks to {WEBHOOK_HOST} go to http://127.0.0.1:3000 now." in console.page.text
    assert "go to http://127.0.0.1:3000/gifts." in console.page.text
    (row,) = world.rows("receivers")
    assert (row["mode"], row["to"], row["outage"]["status"]) == ("forward", "http://127.0.0.1:3000", 500)
    (form,) = (form for form in console.page.forms if form.action.endswith("/forward"))
    console.submit(form, form.buttons[0])
    assert f"Webhooks to {WEBHOOK_HOST} stay here again." in console.page.text
    (row,) = world.rows("receivers")
    assert (row["mode"], row["outage"]["status"]) == ("capture", 500)
    (form,) = (form for form in console.page.forms if form.action.endswith("/forward"))
    assert form.fields["to"] == "http://127.0.0.1:3000"  # which the browser remembers


@pytest.mark.parametrize("target", ["https://elsewhere.example", "8.8.8.8:80", "localhost:x"])
def test_webhooks_are_forwarded_to_this_machine_only(
    console: Console, world: World, partner: PartnerClient, target: str
) -> None:
    partner.subscribe("team_order.claimed")
    (form,) = (form for form in console.open(PATH).forms if form.action.endswith("/forward"))
    console.submit(form, form.buttons[0], to=target)
    assert "Forward to your machine: Receiver" in console.page.text
    assert world.rows("receivers") == []
    (form,) = (form for form in console.open(PATH).forms if form.action.endswith("/forward"))
    assert form.fields["to"] == "http://127.0.0.1:9000"  # what was refused is not remembered


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"then": {"status": 503}}, "The answer 503 ends with that, until you undo it."),
        ({"then": {"refuse": True}}, "The failure “refuse” ends with that"),
        ({"mode": "hold"}, "The mode hold ends with that"),
    ],
)
def test_forwarding_says_which_rule_of_the_host_it_ends(
    console: Console, world: World, partner: PartnerClient, rule: dict[str, Any], said: str
) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(**rule)
    (before,) = world.rows("receivers")
    (form,) = (form for form in console.open(PATH).forms if form.action.endswith("/forward"))
    assert said in console.submit(form, form.buttons[0]).text
    console.press("Undo")
    assert world.rows("receivers") == [before]


def test_forwarding_and_its_end_keep_the_rest_of_a_script(
    console: Console, world: World, partner: PartnerClient
) -> None:
    claim_order(world, partner)
    world.set_receiver(script=[{"status": 500}, {"status": 503}, {"timeout": True}])
    world.advance(until="next")
    for said in ("go to http://127.0.0.1:9000 now.", "stay here again. They get 200."):
        (form,) = (form for form in console.open(PATH).forms if form.action.endswith("/forward"))
        text = console.submit(form, form.buttons[0]).text
        assert f"{said} 2 answers of its script come first." in text
        (row,) = world.rows("receivers")
        assert (row["script"], row["used"]) == ([{"status": 503}, {"timeout": True}], 0)
