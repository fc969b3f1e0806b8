"""How a receiver knows who sent a delivery, and when (P-2.40, P-6.10 to P-6.14, B43, B46, G24)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.engine.worlds import system_clock
from tests.shows import shows
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.instants import unix_s
from tests.support.partner.catalogue import ADDRESSES, COLOUR, SIZE, SMALL, TEE
from tests.support.partner.orders import move_parcels
from tests.support.partner.webhooks import (
    EVENT_TYPES,
    ReceivedWebhook,
    assert_webhook_conforms,
    fail_host,
    is_valid_signature,
    received_webhooks,
    retry_instants,
    run_next_hour,
    ship_order,
)
from tests.support.responses import created, error_code
from tests.support.worlds import World, temporary_world

Path = tuple[str | int, ...]

COMMON: dict[str, Any] = {
    "idempotency_key": "first", "name": "Welcome", "reference": "REF-1", "po_number": "PO-1", "gift_sender": "Ada",
    "gift_message": "Hi", "card": {"message": "Hi", "sender": "Ada"}, "claim_expiry_days": 10,
    "event": {"date": "2999-06-01", "rush": True, "kit_assembly": False}, "return_claim_links": True,
    "destination_countries": ["US", "GB"],
}  # fmt: skip
BY_LINK: dict[str, Any] = {
    **COMMON, "open_seats": 2,
    "items": [{"merchant_product_id": TEE, "fixed_options": {str(SIZE): SMALL}, "choice_variation_ids": [COLOUR]},
              {"sku_code": "MUG-01", "quantity": 2}],
    "recipients": [{"name": "Bo", "email": "bo@example.com", "company": "Berg", "gift_message": "You"},
                   {"name": "Cy", "email": "cy@example.com"}],
}  # fmt: skip
BY_ADDRESS: dict[str, Any] = {
    **COMMON,
    "items": [{"merchant_sku_id": 10100, "quantity": 2}, {"sku_code": "PEN-01"}],
    "recipients": [{"name": "Bo", "company": "Berg", "quantity": 2, "ship_on": "2999-05-01",
                    "address": ADDRESSES["CA"]},
                   {"name": "Cy", "email": "cy@example.com", "address": {**ADDRESSES["GB"], "state": "London"}}],
}  # fmt: skip


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place inside a body."""
    if isinstance(value, dict):
        inner: list[tuple[str | int, Any]] = list(value.items())
    else:
        inner = list(enumerate(value)) if isinstance(value, list) else []
    for name, member in inner:
        yield (*path, name)
        yield from places(member, (*path, name))


def at(body: Any, path: Path) -> Any:
    for part in path:
        body = body[part]
    return body


PLACES = [(kind, path) for kind, body in (("link", BY_LINK), ("address", BY_ADDRESS)) for path in places(body)]

scalars = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
anything = st.recursive(
    scalars | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
)
of_rows = ("name", "email", "company", "gift_message", "quantity", "ship_on", "address")
new_names = st.text(min_size=1, max_size=8).filter(lambda name: name not in (*BY_LINK, *of_rows))


def is_wrong(good: Any, name: str | int, value: Any) -> bool:
    """Whether the value is of another type than the good one, so that it must be refused there."""
    if value is None:
        return isinstance(name, int) or name.isdigit()
    return type(value) is not type(good)


def expected(path: Path) -> tuple[int, str]:
    """The status and the code of a wrong type at that place, by the error table."""
    if path[0] == "items" and len(path) > 1:
        return 400, "invalid_item"
    if path[0] == "recipients" and len(path) > 2:
        return 422, "invalid_recipients"
    return 400, "invalid_event" if path[0] == "event" else "invalid_body"


@shows("P-7.1", "P-7.3", "P-7.7", "P-7.10", "P-7.25")
@settings(max_examples=100)
@given(place=st.sampled_from(PLACES), value=anything)
def test_a_value_of_another_type_is_refused_with_the_code_of_its_place(
    simulator: Simulator, place: tuple[str, Path], value: Any
) -> None:
    kind, path = place
    body = deepcopy(BY_LINK if kind == "link" else BY_ADDRESS)
    if not is_wrong(at(body, path), path[-1], value):
        return
    at(body, path[:-1])[path[-1]] = value
    with temporary_world(simulator) as world:
        with world.assert_unchanged():
            answer = world.partner().post("/team-orders", body)
        created(world.partner().post("/team-orders", deepcopy(BY_LINK)))
    status, said = expected(path)
    assert error_code(answer, status) == said
    if status == 422:
        (row,) = answer.json()["errors"]
        assert row["recipient_index"] == path[1]
        assert {error["field"] for error in row["errors"]} == {".".join(map(str, path[2:]))}


# What each member may not be left without; the rest is optional.
NEEDED = {
    "idempotency_key": "invalid_body", "items": "items_required", "recipients": "recipients_required",
    "gift_sender": "gift_sender_required", "event.date": "invalid_event", "items.0.merchant_sku_id": "invalid_item",
    "items.0.fixed_options": "invalid_item", f"items.0.fixed_options.{SIZE}": "invalid_item",
    "items.0.choice_variation_ids": "invalid_item", "items.0.choice_variation_ids.0": "invalid_item",
    "items.0.merchant_product_id": "invalid_item", "items.1.sku_code": "invalid_item",
    "recipients.0.address": "mixed_address_modes", "recipients.1.address": "mixed_address_modes",
    **{f"recipients.{row}.name": "invalid_recipients" for row in (0, 1)},
}  # fmt: skip
NEEDED_BY_LINK = {f"recipients.{row}.email": "invalid_recipients" for row in (0, 1)}
NEEDED_IN_ADDRESS = {
    f"recipients.{row}.address.{field}": "invalid_recipients"
    for row in (0, 1)
    for field in ("address1", "city", "zip", "country")
} | {"recipients.0.address.state": "invalid_recipients"}


def with_null(kind: str, path: Path) -> Any:
    """The body with null for a member; without an entry of a list."""
    body = deepcopy(BY_LINK if kind == "link" else BY_ADDRESS) | {"idempotency_key": "another"}
    if isinstance(path[-1], int):
        del at(body, path[:-1])[path[-1]]
    else:
        at(body, path[:-1])[path[-1]] = None
    return body


@shows("P-7.2", "P-7.4", "P-7.6", "P-7.10", "P-2.1")
@pytest.mark.parametrize(("kind", "path"), PLACES)
def test_only_what_may_be_missing_may_be_missing(world: World, kind: str, path: Path) -> None:
    body = deepcopy(BY_LINK if kind == "link" else BY_ADDRESS)
    del at(body, path[:-1])[path[-1]]
    needed = NEEDED | (NEEDED_BY_LINK if kind == "link" else NEEDED_IN_ADDRESS)
    said = needed.get(".".join(map(str, path)))
    for missing in (body, with_null(kind, path)):
        if said is None:
            created(world.partner().post("/team-orders", missing))
            continue
        with world.assert_unchanged():
            answer = world.partner().post("/team-orders", missing)
        assert error_code(answer, 422 if said == "invalid_recipients" else 400) == said


@given(members=st.dictionaries(new_names, anything, max_size=3))
def test_unknown_members_change_nothing(simulator: Simulator, members: dict[str, Any]) -> None:
    body = deepcopy(BY_LINK) | members
    body["recipients"][0] |= members
    with temporary_world(simulator) as plain, temporary_world(simulator) as decorated:
        first = created(plain.partner().post("/team-orders", deepcopy(BY_LINK)))
        second = created(decorated.partner().post("/team-orders", body))
    assert second["totals"] == first["totals"]
    assert [row["name"] for row in second["recipients"]] == [row["name"] for row in first["recipients"]]


SIGNATURE = "X-Service-Signature"
SHIFTED = {"stale_signature": -600, "future_signature": 600}


def told(world: World, partner: PartnerClient) -> list[ReceivedWebhook]:
    """One delivery of every kind, a ping too."""
    move_parcels(world, partner.create_order(), "delivered")
    move_parcels(world, partner.create_order(idempotency_key="second"), "rejected")
    world.simulate("single_order", key="partner.prepaid", to="delivered")
    partner.post("/webhooks/1/test")
    run_next_hour(world)
    posts = received_webhooks(world)
    assert {post.type for post in posts} == {*EVENT_TYPES, "ping"}
    return posts


@shows("P-2.40", "P-6.12")
def test_the_create_answer_names_the_header_that_every_delivery_has(world: World, partner: PartnerClient) -> None:
    named = partner.subscribe(*EVENT_TYPES)["signature_header"]
    assert named == SIGNATURE
    for post in told(world, partner):
        assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", post.headers[named])


@shows("P-6.10", "P-6.11")
def test_headers_name_the_kind_and_the_event_of_the_body(world: World, partner: PartnerClient) -> None:
    partner.subscribe(*EVENT_TYPES)
    for post in told(world, partner):
        assert post.headers["X-Service-Event"] == post.body["type"] == post.type
        assert post.headers["X-Service-Event-Id"] == post.body["id"] == post.event_id
        assert post.headers["Host"] == WEBHOOK_HOST


@shows("P-6.13", "P-6.14")
def test_a_receiver_s_own_check_by_the_documents_accepts_every_delivery(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe(*EVENT_TYPES)["secret"]
    for post in told(world, partner):
        assert is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), unix_s(post.at))
        assert post.signed_at_s == unix_s(post.at)


@shows("P-6.13")
def test_the_signature_is_over_the_raw_bytes_with_the_whole_secret(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    ship_order(world, partner)
    now = unix_s(run_next_hour(world))
    (post,) = received_webhooks(world)
    header, body = post.headers[SIGNATURE], post.text.encode()
    assert not is_valid_signature(secret.removeprefix("whsec_"), header, body, now)
    assert not is_valid_signature(secret, header, json.dumps(post.body).encode(), now)
    assert not is_valid_signature(secret, header, body + b"\n", now)
    assert not is_valid_signature(secret, header.replace(f"t={now}", f"t={now + 1}"), body, now)
    assert not is_valid_signature(secret, header, body, now + 301)


@shows("P-6.13")
def test_each_endpoint_is_signed_for_by_its_own_secret(world: World, partner: PartnerClient) -> None:
    hosts = ("a.partner.example", "b.partner.example")
    secrets = [partner.subscribe("team_order.shipped", host=host)["secret"] for host in hosts]
    ship_order(world, partner)
    now = unix_s(run_next_hour(world))
    posts = [received_webhooks(world, host=host)[0] for host in hosts]
    fits = [
        [is_valid_signature(s, post.headers[SIGNATURE], post.text.encode(), now) for s in secrets] for post in posts
    ]
    assert fits == [[True, False], [False, True]]


@shows("P-6.14", "P-6.13")
def test_every_retry_is_signed_anew_at_its_own_time(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    fail_host(world)
    ship_order(world, partner)
    first = run_next_hour(world)
    world.advance("60d")
    posts = received_webhooks(world)
    assert [post.signed_at_s for post in posts] == [unix_s(at) for at in retry_instants(first)]
    assert len({post.headers[SIGNATURE].partition("v1=")[2] for post in posts}) == 9
    assert all(
        is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), unix_s(post.at)) for post in posts
    )


def test_a_resend_and_a_ping_are_signed_when_they_are_sent(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    ship_order(world, partner)
    run_next_hour(world)
    world.advance("700d")
    world.call_control("POST", "/deliveries/1/resend")
    partner.post("/webhooks/1/test")
    for post in received_webhooks(world)[1:]:
        assert is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), unix_s(world.now))


def test_a_captured_delivery_can_be_signed_for_the_real_present(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    ship_order(world, partner)
    run_next_hour(world)
    (post,) = received_webhooks(world)
    as_sent = world.call_control("GET", "/deliveries/1/request")
    assert as_sent == {"headers": post.headers, "body": post.text}
    fresh = world.call_control("GET", "/deliveries/1/request?sign=now")
    assert_webhook_conforms(post.type, fresh["headers"], fresh["body"])
    assert fresh["body"] == post.text
    assert is_valid_signature(secret, fresh["headers"][SIGNATURE], fresh["body"].encode(), int(system_clock.seconds()))


@pytest.mark.parametrize(("choice", "real"), [("auto", False), ("simulated", False), ("wall", True)])
def test_a_world_may_choose_the_clock_of_its_signatures(
    world: World, partner: PartnerClient, choice: str, real: bool
) -> None:
    world.change_settings(webhooks__signature_time=choice)
    secret = partner.subscribe("team_order.shipped")["secret"]
    ship_order(world, partner)
    run_next_hour(world)
    (post,) = received_webhooks(world)
    now_s = int(system_clock.seconds()) if real else unix_s(post.at)
    assert is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), now_s)


@pytest.mark.parametrize("effect", ["bad_signature", *SHIFTED])
def test_a_fault_sends_what_a_receiver_must_refuse_and_the_next_is_good_again(
    world: World, partner: PartnerClient, effect: str
) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    world.add_fault({"webhook": effect}, when={"first": 1})
    world.set_receiver(script=[{"status": 400}])
    ship_order(world, partner)
    run_next_hour(world)
    world.advance("5m")
    bad, good = received_webhooks(world)
    checks: list[Any] = [
        is_valid_signature(secret, post.headers[SIGNATURE], post.text.encode(), unix_s(post.at)) for post in (bad, good)
    ]
    assert checks == [False, True]
    assert bad.signed_at_s - unix_s(bad.at) == SHIFTED.get(effect, 0)
    off_s = SHIFTED.get(effect, 0)
    shift_only = is_valid_signature(secret, bad.headers[SIGNATURE], bad.text.encode(), unix_s(bad.at) + off_s)
    assert shift_only == (effect in SHIFTED)
    assert (bad.event_id, bad.text) == (good.event_id, good.text)


def test_the_same_seed_and_calls_sign_the_same_bytes(new_world: Any) -> None:
    sent = []
    for _ in range(2):
        world = new_world()
        world.partner().subscribe(*EVENT_TYPES)
        sent.append([(post.headers, post.text) for post in told(world, world.partner())])
    assert sent[0] == sent[1]
