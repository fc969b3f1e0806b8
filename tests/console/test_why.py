"""The question "Why?" beside everything that waits or has failed, and the page that answers it."""

from __future__ import annotations

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.console import Console, claim_order
from tests.support.orders import email_recipients
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World

CLAIMED = "team_order.claimed"


def unheard(world: World, partner: PartnerClient) -> tuple[int, str]:
    """An order whose claim nobody is told of, and the id of the event."""
    order: int = partner.create_order(recipients=email_recipients(1)).json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0)
    return order, world.rows("events")[-1]["id"]


def test_why_a_webhook_is_silent_with_what_proves_it_and_the_line_that_mends_it(
    console: Console, world: World, partner: PartnerClient
) -> None:
    _, event = unheard(world, partner)
    console.open("webhooks")
    console.follow_row(CLAIMED)
    page = console.follow(f"Why? event {event}")
    assert page.heading == "Why?"
    assert f"was subscribed to {CLAIMED} when it happened" in page.text
    assert "Happened, and nobody was subscribed" in page.text
    assert (CLAIMED, f"/w/{world.id}/webhooks/{event}") in page.links
    for line in (f'giftsim.subscribe("{CLAIMED}")', f"await world.subscribe(['{CLAIMED}'])", "curl -s -X POST"):
        assert line in page.text
    with_why = world.control.get(f"/worlds/{world.id}/why?about=event:{event}").json()["verdicts"]
    assert [verdict["sentence"] for verdict in with_why if verdict["sentence"][1:] not in page.text] == []


def test_what_was_expected_is_part_of_the_question(console: Console, world: World, partner: PartnerClient) -> None:
    order, _ = unheard(world, partner)
    page = console.open(f"why?about=order:{order}&expected=team_order.delivered")
    assert "advance" in page.text.lower()
    assert "giftsim.advance(" in page.text


@pytest.mark.parametrize("about", ["order:77", "parcel:1", "order", ""])
def test_what_nobody_knows_is_refused(console: Console, about: str) -> None:
    console.open(f"why?about={about}")
    assert console.status in (400, 404)


def questions(console: Console, path: str) -> list[str]:
    """The questions that a page asks: what they are about."""
    return [href.partition("about=")[2] for text, href in console.open(path).links if text.startswith("Why?")]


def test_everything_that_waits_or_has_failed_asks_why(console: Console, world: World, partner: PartnerClient) -> None:
    unpaid = world.partner("partner.no_funds").create_order().json()["team_order_id"]
    order, event = unheard(world, partner)
    unclaimed = partner.create_order(idempotency_key="second").json()["team_order"]["id"]
    gift = create_gift(TeamClients(world).requester)["id"]
    approval = world.rows("approvals")[-1]["id"]
    asked = {
        "": f"order:{unpaid}",
        f"orders/order/{unpaid}": f"order:{unpaid}",
        f"orders/order/{unclaimed}": f"order:{unclaimed}",
        f"orders/order/{order}": f"order:{order}&expected=delivered",
        f"orders/gift/{gift}": f"gift:{gift}",
        f"webhooks/{event}": f"event:{event}",
        "inbox": f"approval:{approval}",
        "calls/1": "call:1",
    }
    for path, about in asked.items():
        assert about.replace(":", "%3A") in [each.replace(":", "%3A") for each in questions(console, path)], path
    for about in asked.values():
        assert console.open(f"why?about={about}").heading == "Why?", about


def test_a_webhook_that_arrived_asks_nothing(console: Console, world: World, partner: PartnerClient) -> None:
    claim_order(world, partner)
    world.advance("2h")
    event = world.rows("events")[-1]
    assert event["status"] == "delivered"
    assert f"event:{event['id']}" not in "".join(questions(console, f"webhooks/{event['id']}"))


def test_an_unpaid_order_is_paid_on_the_page_that_says_why(console: Console, world: World) -> None:
    order = world.partner("partner.no_funds").create_order().json()["team_order_id"]
    page = console.open(f"why?about=order:{order}")
    assert {"Scenario file", "Trace file"} <= {text for text, _ in page.links}
    page = console.press("Fund $26 and retry")
    assert page.heading == "Why?"
    assert "is paid." in page.text
    assert not page.has_button("Fund $26 and retry")
