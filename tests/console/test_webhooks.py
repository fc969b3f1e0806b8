"""The pages about webhooks: events, ladders, attempts and signatures, and what to do about a failure."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.console import Console, claim_order
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def open_newest(console: Console) -> None:
    """Open the page of the newest event of an order that was claimed."""
    console.open("webhooks")
    console.follow_row("team_order.claimed")


def test_without_endpoints_the_page_says_why_and_makes_one(console: Console, world: World) -> None:
    page = console.open("webhooks")
    assert (console.status, page.heading) == (200, "Webhooks")
    assert "No endpoint yet" in page.text
    assert "curl -s -X POST" in page.text
    console.press("Subscribe hooks.partner.example")
    assert "Endpoint 1 has the secret whsec_" in console.page.text
    (endpoint,) = world.rows("endpoints")
    assert endpoint["url"] == f"https://{WEBHOOK_HOST}/gifts"
    assert f"{WEBHOOK_HOST} #1 active, 3 types for partner.prepaid" in console.page.text
    assert "Nothing has happened yet" in console.page.text


def test_events_are_shown_by_status_and_found_by_text(console: Console, world: World, partner: PartnerClient) -> None:
    world.set_receiver(script=[{"status": 503}])
    claim_order(world, partner)
    assert "waiting 1" in console.open("webhooks").text
    world.advance(until="next")
    console.open("webhooks")
    assert "team_order.claimed attempt 1: 503 Bo’s stoneware mug" in console.page.text
    assert "team_order.claimed" in console.follow("pending 1").text
    assert "Nothing fits." in console.open("webhooks?q=status:dead").text
    for search in ("bo@example.com", "stoneware", "is:failed attempt:1 answer:503"):
        assert "Found, newest first 1" in console.open(f"webhooks?q={quote(search)}").text, search
    assert "Nothing fits." in console.open("webhooks?q=nobody").text


def test_events_that_fail_alike_are_one_row_that_opens_to_all_of_them(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(then={"status": 503})
    for n in range(5):
        order = partner.create_order(idempotency_key=f"{n}").json()["team_order"]["id"]
        world.simulate("claim", team_order_id=order, recipient=0)
    world.advance("70m")
    assert "5 × team_order.claimed, attempt 2: 503" in console.open("webhooks").text
    assert "Found, newest first 5" in console.follow("All 5").text


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_event_shows_its_ladder_and_its_newest_attempt(
    console: Console, world: World, partner: PartnerClient
) -> None:
    world.set_receiver(script=[{"status": 503}, {"timeout": True}], then={"status": 500, "body": "no paper"})
    claim_order(world, partner)
    open_newest(console)
    assert "1: to come" in console.page.text
    assert "the hourly run sends new events" in console.page.text
    world.advance("80m")
    open_newest(console)
    text = console.page.text
    assert console.page.heading == "team_order.claimed pending"
    for line in ("1: answered 503", "2: timeout", "3: answered 500", "4: to come", "+1 h 20 min", "Mon 4 Jan, 11:20"):
        assert line in text, line
    assert "3 of 9 attempts made, 3 failed; it is pending, and 6 attempts are to come." in text
    assert "If all fail, it is given up after Fri 8 Jan, 08:20." in text
    assert "no paper" in text
    assert "Delivery 3" in text
    shown = world.call_control("GET", "/deliveries/3")["request"]
    assert shown["body"] in text
    assert shown["headers"]["X-Service-Signature"] in text
    console.follow("1: answered 503")
    assert "Delivery 1" in console.page.text
    assert "No body." in console.page.text


def test_the_signature_is_explained_and_a_secret_verified(
    console: Console, world: World, partner: PartnerClient
) -> None:
    secret = claim_order(world, partner)
    world.advance(until="next")
    open_newest(console)
    steps = world.call_control("GET", "/deliveries/1")["signature"]
    for part in (f"t={steps['timestamp']}", steps["expected"], "whsec_***", "the same", "Your app should accept it."):
        assert part in console.page.text, part
    assert 'openssl dgst -sha256 -hmac "$SECRET"' in console.page.text
    assert secret not in console.response.text
    console.press("Verify", secret=secret)
    assert "this is the endpoint's secret" in console.page.text
    console.press("Verify", secret="whsec_of_another")
    assert "was signed with another secret" in console.page.text
    assert "whsec_of_another" not in console.path


def test_a_spoiled_signature_is_named(console: Console, world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/faults", {"effect": {"webhook": "bad_signature"}})
    secret = claim_order(world, partner)
    world.advance(until="next")
    open_newest(console)
    assert "not the same" in console.page.text
    assert "Your app must refuse it." in console.page.text
    console.press("Verify", secret=secret)
    assert "a fault spoiled it" in console.page.text


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_outage_is_clicked_together_ended_and_the_event_resent(
    console: Console, world: World, partner: PartnerClient
) -> None:
    world.set_receiver(then={"status": 204}, script=[{"status": 202}])
    claim_order(world, partner)
    console.open("webhooks/endpoints/1")
    console.press("Begin the outage")
    assert f"{WEBHOOK_HOST} answers 503 from 2027-01-04T09:00:00Z until 2027-01-05T09:00:00Z." in console.page.text
    world.advance(until="next")
    open_newest(console)
    assert "1: answered 503" in console.page.text
    console.follow("Open the endpoint")
    console.press("End the outage")
    (receiver,) = world.call_control("GET", "/receivers")["receivers"]
    assert (receiver["outage"], receiver["then"], receiver["script"]) == (None, {"status": 204}, [{"status": 202}])
    open_newest(console)
    console.press("Resend")
    assert "Sent again: delivery 2 was answered with 202." in console.page.text
    assert console.page.heading == "team_order.claimed delivered"
    assert "Delivery 2" in console.page.text
    console.press("Undo")
    assert len(world.deliveries()) == 1


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_outage_that_is_over_is_not_offered_to_be_ended(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    console.open("webhooks/endpoints/1")
    console.press("Begin the outage")
    assert console.page.has_button("End the outage")
    world.advance("30d")
    assert not console.open("webhooks/endpoints/1").has_button("End the outage")


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_outage_of_a_host_without_an_entry_leaves_none(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.claimed")
    console.open("webhooks/endpoints/1")
    console.press("Begin the outage", **{"from": "2027-01-04 10:00:00", "to": "2027-01-04T11:00:00Z", "status": "502"})
    (receiver,) = world.call_control("GET", "/receivers")["receivers"]
    assert receiver["outage"] == {"from": "2027-01-04T10:00:00Z", "to": "2027-01-04T11:00:00Z", "status": 502}
    console.press("End the outage")
    assert world.call_control("GET", "/receivers")["receivers"] == []
    console.open("webhooks/endpoints/1")
    console.press("Begin the outage", status="none")
    assert "Say which host is down" in console.page.text
    console.press("Begin the outage", to="2020-01-01T00:00:00Z")
    assert "an outage must end after it begins" in console.page.text
    assert world.call_control("GET", "/receivers")["receivers"] == []


def test_a_held_delivery_is_answered(console: Console, world: World) -> None:
    world.set_receiver(mode="hold")
    headers = {**world.credentials["team.live_approver"]["headers"], "Idempotency-Key": "hook"}
    hook = {"url": f"https://{WEBHOOK_HOST}/gifts", "events": ["gift.sent"]}
    created = world.json_of(world.client.call("POST", "/api/teams/v1/webhooks", body=hook, headers=headers))
    path = f"/api/teams/v1/webhooks/{created['id']}/test"
    world.json_of(world.client.call("POST", path, body={}, headers={**headers, "Idempotency-Key": "test"}))
    assert "Waiting for your answer" in console.open("webhooks").text
    console.follow_row("webhook.test")
    console.press("Answer 1", status="x")
    assert "is not a number" in console.page.text
    console.press("Answer 1", status="418", body=HOSTILE)
    assert "Answered: delivery 1 was answered with 418." in console.page.text
    assert "Waiting for your answer" not in console.open("webhooks").text
    console.open("deliveries/1")
    assert console.status == 302 or console.page.heading.startswith("webhook.test")


def test_an_unknown_event_or_delivery_is_a_page_that_says_so(console: Console) -> None:
    for path in ("webhooks/evt_0", "deliveries/7"):
        page = console.open(path)
        assert console.status == 404
        assert "There is no" in page.text


def test_hostile_text_of_names_answers_and_faults_is_text(
    console: Console, world: World, partner: PartnerClient
) -> None:
    world.set_receiver(then={"status": 500, "body": HOSTILE})
    claim_order(world, partner, HOSTILE)
    world.advance(until="next")
    open_newest(console)
    assert console.page.text.count(HOSTILE) >= 1
    assert ("script", {}) not in console.page.elements
    assert "&<b>" not in console.response.text
    assert not any("onclick" in attributes or "style" in attributes for _, attributes in console.page.elements)
    console.open(f"webhooks?q={quote(HOSTILE)} status:pending".replace(" ", "%20"))
    assert ("script", {}) not in console.page.elements


@pytest.mark.parametrize("path", ["webhooks", "webhooks?q=status:nonsense", "webhooks?before=x"])
def test_a_query_that_means_nothing_is_refused_in_words(console: Console, path: str) -> None:
    page = console.open(path)
    assert console.status == (400 if "before" in path else 200)
    assert page.heading
    assert ("an event has no such status; it can be waiting" in page.text) == ("nonsense" in path)


def test_reading_the_pages_changes_no_fingerprint(console: Console, world: World, partner: PartnerClient) -> None:
    claim_order(world, partner)
    world.advance(until="next")
    before = json.dumps(world.call_control("GET", "/fingerprint"))
    open_newest(console)
    console.press("Verify", secret="whsec_x")
    assert json.dumps(world.call_control("GET", "/fingerprint")) == before


def test_an_endpoint_that_nobody_answers_at_is_not_simply_active(
    console: Console, world: World, partner: PartnerClient
) -> None:
    world.set_receiver(script=[{"timeout": True}])
    claim_order(world, partner)
    world.advance(until="next")
    page = console.open("webhooks")
    assert f"{WEBHOOK_HOST} #1 1 pending last attempt: timeout, 1 type for partner.prepaid" in page.text
    assert 'placeholder="Search, e.g. status:pending"' in console.response.text
    assert "badge bad" in console.response.text.partition("<h1>team_order.claimed")[2][:40]
