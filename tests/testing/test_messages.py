"""Assertions on webhooks and their messages, and delivery to an application."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from giftsim.testing import Giftsim, Webhook
from tests.support.application import WebhookApp, create_order, send_gift, serve_wsgi
from tests.support.waiting import wait_until


def ship_order(sim: Giftsim) -> Any:
    sim.subscribe("team_order.claimed", "team_order.shipped")
    order = create_order(sim)
    sim.claim(order)
    sim.advance("3d")
    return order.json()


def failure_message(check: Callable[[], object]) -> str:
    with pytest.raises(AssertionError) as error:
        check()
    return str(error.value)


def test_assert_webhook_returns_the_webhook(sim: Giftsim) -> None:
    order = ship_order(sim)
    hook = sim.assert_webhook("team_order.shipped", team_order={"id": order["team_order"]["id"]})
    assert hook.data["shipment"]["carrier"] == "USPS"
    assert (hook.outcome, hook.status, hook.attempt) == ("delivered", 200, 1)
    assert sim.assert_webhook("team_order.claimed", times=1, host="hooks.partner.example").type == "team_order.claimed"
    sim.assert_no_webhook("team_order.delivered")
    sim.assert_no_webhook("team_order.shipped", team_order={"id": 1})


def test_the_message_lists_the_webhooks_sent_and_the_differences_of_the_closest(local_sim: Giftsim) -> None:
    ship_order(local_sim)
    assert failure_message(lambda: local_sim.assert_webhook("team_order.shipped", team_order={"id": 7})) == (
        'expected a webhook team_order.shipped with {"team_order":{"id":7}}, found none\n'
        "webhooks sent up to 2027-01-07T09:00:00Z:\n"
        "  2027-01-04T10:00:00Z  team_order.claimed           attempt 1  delivered 200      "
        "https://hooks.partner.example/gifts  (seq 1)\n"
        "  2027-01-07T09:00:00Z  team_order.shipped           attempt 1  delivered 200      "
        "https://hooks.partner.example/gifts  (seq 2)\n"
        "the closest is seq 2, but:\n"
        "  data.team_order.id: expected 7, actual 1001"
    )


def test_the_message_counts_matches_and_shows_other_outcomes(local_sim: Giftsim) -> None:
    local_sim.receiver(script=[{"status": 503}])
    ship_order(local_sim)
    message = failure_message(lambda: local_sim.assert_webhook("team_order.claimed", times=2))
    assert message.startswith("expected 2 x team_order.claimed, found 1\n")
    assert "attempt 1  http_status 503" in message
    assert "  its outcome is http_status 503" in message
    assert local_sim.assert_webhook("team_order.claimed", outcome=None, times=2).status == 503
    message = failure_message(lambda: local_sim.assert_webhook("team_order.claimed", outcome="timeout"))
    assert message.startswith("expected a webhook team_order.claimed with the outcome 'timeout', found none\n")
    message = failure_message(lambda: local_sim.assert_no_webhook("team_order.claimed"))
    assert message.startswith("expected no webhook team_order.claimed, found 2:\n  2027-01-04T10:00:00Z")


def test_the_message_says_that_none_was_sent_and_leaves_the_reason_to_the_verdict(local_sim: Giftsim) -> None:
    order = create_order(local_sim)
    told = "expected a webhook team_order.claimed, found none\nno webhook was sent up to 2027-01-04T09:00:00Z"
    assert failure_message(lambda: local_sim.assert_webhook("team_order.claimed")) == told
    local_sim.claim(order)
    local_sim.advance("1h")
    assert failure_message(lambda: local_sim.assert_webhook("team_order.claimed")) == told.replace("T09:", "T10:")
    assert local_sim.why("order", order, expected="team_order.claimed")[0]["kind"] == "not_subscribed"


def test_subscribe_takes_a_team_credential(sim: Giftsim) -> None:
    endpoint = sim.subscribe("approval.decided", credential="team.live_approver")
    sim.approve(send_gift(sim))
    sim.advance("1h")
    assert endpoint["secret"].startswith("whsec_")
    assert sim.assert_webhook("approval.decided").url == "https://hooks.partner.example/gifts"


def test_mail_and_events_can_be_filtered(sim: Giftsim) -> None:
    create_order(sim)
    [letter] = sim.mail(to="bo@example.com")
    assert letter["to"] == "bo@example.com"
    assert sim.mail(to="nobody+at+all@example.com") == []
    assert sim.events("team_order.shipped") == []


def test_deliver_to_sends_each_captured_webhook_once(sim: Giftsim) -> None:
    app = WebhookApp(sim.subscribe("team_order.claimed", "team_order.shipped")["secret"])
    sim.claim(create_order(sim))
    sim.advance("1h")
    assert [result.status for result in sim.deliver_to(app)] == [204]
    sim.advance("3d")
    with serve_wsgi(app) as origin:
        assert [str(result) for result in sim.deliver_to(origin)] == ["team_order.shipped (seq 2): 204 b''"]
    assert sim.deliver_to(app) == []
    assert app.received == ["team_order.claimed", "team_order.shipped"]


def test_a_webhook_that_the_app_refuses_is_in_the_summary(sim: Giftsim) -> None:
    def no_such_page(_environ: object, start_response: Any) -> list[bytes]:
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"no such page"]

    ship_order(sim)
    assert "did not accept" not in sim.summary()
    sim.deliver_to(no_such_page)
    told = "did not accept:\n  team_order.claimed (seq 1): 404 b'no such page'\n  team_order.shipped (seq 2): 404"
    assert told in sim.summary()


def test_a_webhook_that_a_receiver_holds_is_shown_as_under_way(sim: Giftsim) -> None:
    sim.subscribe("team_order.claimed")
    sim.receiver(mode="hold")
    sim.claim(create_order(sim))
    with ThreadPoolExecutor(1) as pool:
        later = pool.submit(sim.advance, "2h")
        wait_until(lambda: sim.control("GET", "/deliveries/held")["held"] != [])
        (held,) = sim.control("GET", "/deliveries/held")["held"]
        try:
            message = failure_message(lambda: sim.assert_webhook("team_order.claimed"))
            summary = sim.summary()
        finally:
            sim.control("POST", f"/deliveries/{held['seq']}/answer", {"status": 200})
        assert later.result()["deliveries"]
    assert "  its outcome is not known yet" in message
    assert "team_order.claimed           attempt 1  under way " in message
    assert "attempt 1  under way " in summary


def test_deliver_to_takes_a_callable(local_sim: Giftsim) -> None:
    ship_order(local_sim)

    def handler(hook: Webhook) -> str:
        return f"{hook.type} {hook.headers['X-Service-Signature'][:2]}"

    results = local_sim.deliver_to(handler=handler, type="team_order.shipped", host="hooks.partner.example")
    assert [result.body for result in results] == ["team_order.shipped t="]


def test_deliver_to_refuses_other_hosts(local_sim: Giftsim) -> None:
    with pytest.raises(ValueError, match="deliver_to sends to this machine only"):
        local_sim.deliver_to("https://hooks.partner.example")
    with pytest.raises(
        TypeError, match=r"takes a WSGI application, an ASGI application, the URL .*: exactly one of them"
    ):
        local_sim.deliver_to()


def test_an_unknown_webhook_type_is_an_error(sim: Giftsim) -> None:
    for check in (sim.assert_webhook, sim.assert_no_webhook):
        with pytest.raises(
            ValueError, match=r"unknown webhook type 'team_order.shiped'; did you mean team_order.shipped\?"
        ):
            check("team_order.shiped")
