"""Questions about webhook events: endpoints of others, disabled ones, several attempts, and what an app answered."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients
from tests.support.worlds import World
from tests.why.test_questions import why

CLAIMED, SHIPPED = "team_order.claimed", "team_order.shipped"
HOST = "hooks.partner.example"
pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")


def subscribe(partner: PartnerClient, *kinds: str, host: str = HOST) -> int:
    """Create an endpoint; its id."""
    response = partner.call("POST", "/webhooks", {"url": f"https://{host}/gifts", "events": list(kinds)})
    assert response.status == 201, response.text
    return int(response.json()["endpoint"]["id"])


def claim(world: World, partner: PartnerClient, name: str = "Bo") -> int:
    """An order whose one recipient has claimed; its id."""
    recipients = [{**each, "name": name} for each in email_recipients(1)]
    key = f"order-{len(world.rows('orders'))}"
    created = partner.create_order(recipients=recipients, idempotency_key=key)
    assert created.status == 201, created.text
    order = int(created.json()["team_order"]["id"])
    world.simulate("claim", team_order_id=order, recipient=0)
    return order


def event_id(world: World, type_: str = CLAIMED) -> str:
    """The id of the last event of a type."""
    return str([row["id"] for row in world.rows("events") if row["type"] == type_][-1])


def first(world: World, type_: str = CLAIMED) -> Any:
    """The first verdict on the last event of a type."""
    return why(world, f"event:{event_id(world, type_)}")[0]


def entry(world: World, n: int) -> Any:
    """An entry of the world's trace."""
    return world.control.get(f"/worlds/{world.id}/trace?format=json").json()["entries"][n - 1]


def answer(world: World, seq: int, status: int, body: str = "") -> None:
    """Tell what an app answered to an attempt that a test passed on to it."""
    world.call_control("POST", f"/deliveries/{seq}/app-answer", {"status": status, "body": body})


def test_an_endpoint_of_another_account_is_not_a_subscription(world: World, partner: PartnerClient) -> None:
    subscribe(world.partner("partner.net_terms"), CLAIMED)
    claim(world, partner)
    [verdict] = [each for each in why(world, f"event:{event_id(world)}") if each["kind"] == "not_subscribed"]
    assert "no endpoint of account prepaid was subscribed" in verdict["sentence"]
    assert "it had none" in verdict["sentence"]
    [mark] = verdict["marks"]
    assert entry(world, mark["entry"])["event"]["type"] == CLAIMED


def test_endpoints_of_other_types_are_counted_and_their_types_told(world: World, partner: PartnerClient) -> None:
    subscribe(partner, SHIPPED)
    subscribe(partner, "team_order.delivered", SHIPPED, host="two.example")
    claim(world, partner)
    verdict = first(world)
    assert verdict["kind"] == "not_subscribed"
    assert "its 2 take team_order.shipped, team_order.delivered" in verdict["sentence"]
    assert [entry(world, mark["entry"])["kind"] for mark in verdict["marks"]] == ["event", "call", "call"]


def test_an_endpoint_that_was_disabled_before_is_named(world: World, partner: PartnerClient) -> None:
    endpoint = subscribe(partner, CLAIMED)
    assert partner.call("DELETE", f"/webhooks/{endpoint}").status == 200
    claim(world, partner)
    verdict = first(world)
    assert verdict["kind"] == "not_subscribed"
    assert f"endpoint {endpoint}, which takes it, was disabled before" in verdict["sentence"]
    assert entry(world, verdict["marks"][1]["entry"])["call"]["operation"] == "disableWebhook"
    assert verdict["mend"]["pytest"] == f'giftsim.subscribe("{CLAIMED}")'


def test_an_owner_with_disabled_endpoints_only_has_no_active_one(world: World, partner: PartnerClient) -> None:
    partner.call("DELETE", f"/webhooks/{subscribe(partner, SHIPPED)}")
    claim(world, partner)
    assert "it had no active one" in first(world)["sentence"]


def test_an_endpoint_that_came_later_is_late_even_if_it_is_disabled_by_now(
    world: World, partner: PartnerClient
) -> None:
    claim(world, partner)
    partner.call("DELETE", f"/webhooks/{subscribe(partner, CLAIMED)}")
    verdict = first(world)
    assert verdict["kind"] == "subscribed_late"
    assert entry(world, verdict["marks"][1]["entry"])["call"]["operation"] == "createWebhook"


def test_an_endpoint_of_another_account_is_not_late(world: World, partner: PartnerClient) -> None:
    claim(world, partner)
    subscribe(world.partner("partner.net_terms"), CLAIMED)
    assert first(world)["kind"] == "not_subscribed"


def test_an_event_waits_for_the_run_that_sends_it_to_the_second(world: World, partner: PartnerClient) -> None:
    subscribe(partner, CLAIMED)
    world.advance("17m")
    claim(world, partner)
    verdict = first(world)
    assert (verdict["kind"], verdict["mend"]["pytest"]) == ("not_sourced", 'giftsim.advance("43m")')
    world.advance("2579s")
    assert first(world)["mend"]["pytest"] == 'giftsim.advance("1s")'
    world.advance("1s")
    assert first(world)["kind"] == "captured"


def test_an_event_does_not_wait_for_an_endpoint_that_is_disabled(world: World, partner: PartnerClient) -> None:
    endpoint = subscribe(partner, CLAIMED)
    claim(world, partner)
    partner.call("DELETE", f"/webhooks/{endpoint}")
    verdict = first(world)
    assert verdict["kind"] == "not_subscribed"
    assert "it was disabled before it was sent" in verdict["sentence"]
    assert verdict["mend"]["pytest"] == 'giftsim.advance("1h")'
    world.advance("2h")
    assert first(world) == verdict


def test_every_endpoint_that_was_subscribed_is_named_once_all_are_disabled(
    world: World, partner: PartnerClient
) -> None:
    endpoints = [subscribe(partner, CLAIMED), subscribe(partner, CLAIMED, host="two.example")]
    claim(world, partner)
    partner.call("DELETE", f"/webhooks/{endpoints[0]}")
    assert first(world)["kind"] == "not_sourced"
    partner.call("DELETE", f"/webhooks/{endpoints[1]}")
    assert (
        "endpoints 1 and 2 were subscribed to it, but they were disabled before it was sent" in first(world)["sentence"]
    )


def test_an_event_does_not_wait_for_the_run_alone_while_the_signing_key_is_missing(
    world: World, partner: PartnerClient
) -> None:
    subscribe(partner, CLAIMED)
    claim(world, partner)
    world.add_fault({"signing_key": "missing"})
    kinds = [verdict["kind"] for verdict in why(world, f"event:{event_id(world)}")]
    assert "not_sourced" not in kinds


def test_an_endpoint_that_is_disabled_between_two_attempts_ends_them(world: World, partner: PartnerClient) -> None:
    endpoint = subscribe(partner, CLAIMED)
    world.set_receiver(HOST, then={"status": 500})
    claim(world, partner)
    world.advance("70m")
    partner.call("DELETE", f"/webhooks/{endpoint}")
    verdicts = why(world, f"event:{event_id(world)}")
    assert [verdict["kind"] for verdict in verdicts] == ["not_subscribed", "refused_by_app"]
    assert "it was disabled after 2 attempts" in verdicts[0]["sentence"]
    assert verdicts[0]["why_not"]


def test_one_of_two_endpoints_is_enough(world: World, partner: PartnerClient) -> None:
    subscribe(partner, CLAIMED)
    partner.call("DELETE", f"/webhooks/{subscribe(partner, CLAIMED, host='two.example')}")
    claim(world, partner)
    assert first(world)["kind"] == "not_sourced"


def test_attempts_that_ended_in_another_way_are_not_counted(world: World, partner: PartnerClient) -> None:
    subscribe(partner, CLAIMED)
    world.set_receiver(HOST, script=[{"timeout": True}, {"status": 500}, {"status": 503}], then={"status": 503})
    claim(world, partner)
    world.advance("150m")
    verdict = first(world)
    assert verdict["kind"] == "refused_by_app"
    assert f"answered 500 and 503 to 3 attempts to send {CLAIMED}" in verdict["sentence"]
    shown = [entry(world, mark["entry"]) for mark in verdict["marks"]]
    assert [each["kind"] for each in shown] == ["control", "attempt", "attempt", "attempt"]
    assert [each["attempt"]["status"] for each in shown[1:]] == [500, 503, 503]


def test_an_attempt_that_was_accepted_at_last_was_not_refused(world: World, partner: PartnerClient) -> None:
    subscribe(partner, CLAIMED)
    world.set_receiver(HOST, script=[{"status": 500}])
    claim(world, partner)
    world.advance("2h")
    assert {verdict["kind"] for verdict in why(world, f"event:{event_id(world)}")} == {"unknown"}


def test_a_receiver_that_waits_for_an_answer_by_hand_is_not_the_app(world: World, partner: PartnerClient) -> None:
    subscribe(partner, CLAIMED)
    claim(world, partner)
    world.set_receiver(HOST, addresses=["10.0.0.1"])
    world.advance("1h")
    verdict = first(world)
    assert verdict["kind"] == "no_answer_from_app"
    assert "has an address that is not public" in verdict["sentence"]
    assert verdict["mend"]["pytest"] == f'giftsim.receiver("{HOST}")'


@pytest.mark.parametrize(
    ("names", "statuses", "said"),
    [
        (["Bo", "Zoë"], [200, 500], "this body has letters outside ASCII (Zoë), not the accepted one"),
        (["Bo", "Zoë", "Åsa"], [200, 500, 500], "both refused bodies have letters outside ASCII (Zoë, Åsa)"),
        (["Bo", "Zoë", "Åsa"], [200, 200, 500], None),
        (["Bo", "Cy"], [200, 500], None),
        (["Bo", "B" * 180], [200, 413], "bytes, more than"),
        (["Zoë", "Zoë"], [500, 500], None),
    ],
)
def test_what_refused_bodies_have_in_common_is_said_only_if_no_accepted_one_has_it(
    world: World, partner: PartnerClient, names: list[str], statuses: list[int], said: str | None
) -> None:
    subscribe(partner, CLAIMED)
    for name in names:
        claim(world, partner, name)
    world.advance("1h")
    for seq, status in enumerate(statuses, 1):
        answer(world, seq, status, "no")
    verdict = first(world)
    assert verdict["kind"] == "refused_by_app"
    assert verdict["sentence"].startswith(f"the app answered {statuses[-1]} to {CLAIMED}")
    assert (said in verdict["sentence"]) if said else (";" not in verdict["sentence"]), verdict["sentence"]


def test_a_type_that_the_app_refuses_is_named(world: World, partner: PartnerClient) -> None:
    subscribe(partner, *PARTNER_KINDS)
    claim(world, partner)
    world.advance("4d")
    kinds = [row["type"] for row in world.rows("deliveries")]
    assert kinds == [CLAIMED, SHIPPED]
    answer(world, 1, 204)
    answer(world, 2, 404, "no handler\nmore")
    verdict = first(world, SHIPPED)
    assert "and said 'no handler'; this body is of the type team_order.shipped" in verdict["sentence"]


def test_news_of_a_world_before_its_reset_is_not_judged(world: World, partner: PartnerClient) -> None:
    claim(world, partner)
    event = event_id(world)
    world.call_control("POST", "/reset")
    subscribe(partner, CLAIMED)
    claim(world, partner)
    assert event_id(world) == event  # ids begin again
    assert why(world, f"event:{event}")[0]["kind"] == "not_sourced"


def test_a_snapshot_brings_back_what_stood_then(world: World, partner: PartnerClient) -> None:
    endpoint = subscribe(partner, CLAIMED)
    world.call_control("POST", "/snapshots", {"name": "with"})
    partner.call("DELETE", f"/webhooks/{endpoint}")
    claim(world, partner)
    assert first(world)["kind"] == "not_subscribed"
    world.call_control("POST", "/snapshots/with/restore")
    claim(world, partner)
    assert first(world)["kind"] == "not_sourced"
