"""An order whose payment failed: the page says why, and one button changes what is missing and makes the call again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.worlds import World


def fail_order(partner: PartnerClient, **given: Any) -> int:
    """Place an order that is not paid; its id."""
    answer = partner.create_order(recipients=[{"name": "Fay", "email": "fay@example.com"}], **given)
    assert answer.status == 402, answer.text
    order: int = answer.json()["team_order_id"]
    return order


def stands(console: Console) -> list[str]:
    """The steps of the page with their states."""
    steps = {"done", "here", "todo", "failed", "ended"}
    return [given["class"] for tag, given in console.page.elements if tag == "li" and given.get("class") in steps]


def test_a_402_is_paid_without_leaving_the_order_in_two_clicks_from_home(console: Console, world: World) -> None:
    order = fail_order(world.partner("partner.no_funds"))
    console.open()
    page = console.follow("Fay’s stoneware mug")
    assert page.heading == f"Fay’s stoneware mug #{order} unpaid"
    assert "Unpaid: insufficient funds." in page.text
    assert "Your app got 402." in page.text
    assert "its wallet has $0.00, and no card is saved" in console.follow(f"Why? order {order}").text
    console.open(f"orders/order/{order}")
    assert stands(console) == ["failed", "todo", "todo", "todo", "todo"]
    page = console.press("Fund $26 and retry")
    assert page.heading == f"Fay’s stoneware mug #{order} collecting addresses"
    assert "Fay’s stoneware mug is paid." in page.text
    assert stands(console) == ["here", "todo", "todo", "todo", "todo"]
    assert len(world.rows("orders")) == 1
    console.press("Undo")
    assert "unpaid" in console.page.heading


def test_a_fork_whose_log_has_other_calls_is_funded_and_repeats_none_of_them(console: Console, world: World) -> None:
    order = fail_order(world.partner("partner.no_funds"))
    fork = world.call_control("POST", "/fork", {})["id"]
    of_fork = Console(world.simulator, fork)
    for calls in (0, 1):
        of_fork.open(f"orders/order/{order}")
        page = of_fork.press("Fund $26 and retry" if not calls else "Retry")
        assert page.heading == f"Fay’s stoneware mug #{order} unpaid"
        assert "the app can try again with the same key" in page.text
        path = f"/_sim/v1/worlds/{fork}"
        credentials = console.client.call("GET", path).json()["credentials"]
        headers = credentials["partner.prepaid"]["headers"]
        body = {"idempotency_key": f"other-{calls}", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}]}
        body["recipients"] = [{"name": "Bo", "email": "bo@example.com"}]
        answer = console.client.call("POST", "/api/external/team-orders", body=body, headers=headers)
        assert answer.status == 201, answer.text
        assert len(console.client.call("GET", f"{path}/orders").json()["orders"]) == calls + 2


def test_an_order_that_was_not_paid_is_canceled(console: Console, world: World) -> None:
    order = fail_order(world.partner("partner.no_funds"))
    console.open(f"orders/order/{order}")
    page = console.press("Cancel")
    assert page.heading == f"Fay’s stoneware mug #{order} canceled"
    assert stands(console)[-1] == "ended"
    assert not page.has_button("Cancel")


@pytest.mark.parametrize(
    ("key", "account", "button"),
    [
        ("partner.prepaid", {"wallet_cents": 1000, "card": "declined"}, "Fund $16 and retry"),
        ("partner.prepaid", {"daily_limit_cents": 100}, "Remove the daily limit and retry"),
        ("partner.net_terms", {"credit_limit_cents": 100}, "Raise the credit line to $26 and retry"),
    ],
)
def test_each_refusal_has_what_mends_it(
    console: Console, world: World, key: str, account: dict[str, Any], button: str
) -> None:
    world.simulate("account", key=key, **account)
    order = fail_order(world.partner(key))
    console.open(f"orders/order/{order}")
    page = console.press(button)
    assert "Fay’s stoneware mug is paid." in page.text


def test_a_charge_that_a_fault_failed_is_only_made_again(
    console: Console, world: World, partner: PartnerClient
) -> None:
    world.add_fault({"charge": "card_charge_failed"}, when={"first": 1})
    order = fail_order(partner)
    page = console.open(f"orders/order/{order}")
    assert "Unpaid: the card was declined." in page.text
    page = console.press("Retry")
    assert page.heading == f"Fay’s stoneware mug #{order} collecting addresses"


def test_without_its_call_the_account_is_funded_and_the_app_tries_again(new_world: Callable[..., World]) -> None:
    world = new_world(fixture="default")
    console = Console(world.simulator, world.id)
    console.open("orders/order/1009")
    page = console.press("Fund $274")
    assert "Funded; the app can try again with the same key." in page.text
    assert "Unpaid, but its account has the money now." in page.text
    assert "insufficient funds." not in page.text.partition("Journey")[0]
    assert not page.has_button("Retry")


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_order_is_led_from_claim_to_delivery_by_its_first_button(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order(recipients=[{"name": "Bo", "email": "bo@example.com"}])
    page = console.open("orders/order/1001")
    assert "Bo has mail with a link to say where it goes." in page.text
    console.press("Claim as Bo")
    for button in ("Advance to in production 1 d", "Advance to labeled 1 d", "Advance to shipped 1 d"):
        console.press(button)
    page = console.press("Advance to delivered 2 d")
    assert stands(console) == ["done"] * 5
    assert "Everything has arrived." in page.text


def test_an_expired_claim_link_is_sent_again(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.advance("40d")
    console.open("orders/order/1001")
    console.press("Send a new link")
    assert [row["status"] for row in world.rows("parcels")] == ["awaiting"]


def test_a_402_leads_from_its_notice_and_from_its_call_to_the_order(console: Console, world: World) -> None:
    world.simulate("account", key="partner.prepaid", wallet_cents=0, card="none")
    console.open()
    page = console.press("Send a gift to Bo")
    assert "Send a gift: 402 team order 1001 exists unpaid" in page.text
    page = console.follow("Open order")
    assert page.has_button("Fund $26 and retry")
    console.open("calls/1")
    assert "402: the order was not paid." in console.page.text
    assert console.follow("Open order").heading == "Bo’s stoneware mug #1001 unpaid"


def test_another_refusal_leads_to_its_reference(console: Console, partner: PartnerClient) -> None:
    partner.get("/team-orders/99999")
    page = console.open("calls/1")
    assert "Your app got 404." in page.text
    assert "getTeamOrder" in console.follow("Look it up").text


def fail_webhooks(world: World, partner: PartnerClient, count: int) -> None:
    """Orders that are claimed while the receiver of their webhooks is down."""
    partner.subscribe("team_order.claimed")
    world.set_receiver(then={"status": 503})
    for n in range(count):
        order = partner.create_order(idempotency_key=f"order-{n}").json()["team_order"]["id"]
        world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("2h")


@pytest.mark.parametrize("after", ["1h", "5d"], ids=["pending", "dead"])
def test_all_that_failed_is_sent_again(console: Console, world: World, partner: PartnerClient, after: str) -> None:
    fail_webhooks(world, partner, 3)
    world.advance(after)
    console.open("webhooks")
    assert "Sent again: 3 webhooks, 3 failed." in console.press("Resend all failed").text
    world.set_receiver(then={"status": 200})
    assert "Sent again: 3 webhooks, all delivered." in console.press("Resend all failed").text
    assert not console.page.has_button("Resend all failed")


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_event_says_what_failed_and_ends_the_outage(console: Console, world: World, partner: PartnerClient) -> None:
    console.open("faults")
    partner.subscribe("team_order.claimed")
    form = next(form for form in console.open("faults").forms if form.action.endswith("/break/outage"))
    console.submit(form, next(each for each in form.buttons if each["text"] == "3 d"))
    world.simulate("claim", team_order_id=partner.create_order().json()["team_order"]["id"], recipient=0)
    world.advance("2h")
    console.open("webhooks")
    page = console.follow_row("team_order.claimed")
    assert "3 of 9 attempts failed with 503." in page.text
    assert "An outage of hooks.partner.example is simulated until Thu 7 Jan, 09:00." in page.text
    page = console.press("End outage and resend")
    assert "Sent again: 1 webhook, all delivered." in page.text
    assert "Delivered by resend after 3 failed attempts." in page.text
    assert page.heading == "team_order.claimed delivered"
