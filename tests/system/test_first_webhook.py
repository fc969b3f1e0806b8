"""A first integration end to end: a server process, a receiver process, the claim page and the clock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.http_receiver import OK_RESPONSE, Behaviour, hang_up, http_receiver, respond_always
from tests.support.instants import next_full_hour, unix_s
from tests.support.orders import RENO, order_body
from tests.support.partner.webhooks import EVENT_TYPES, received_webhooks, retry_instants, ship_order
from tests.support.served_simulator import (
    TIMEOUT_S,
    HttpClient,
    PythonProcess,
    ServedSimulator,
    example_receiver,
    serve_simulator,
)
from tests.support.worlds import World

STORY = ["team_order.claimed", "team_order.shipped", "team_order.delivered"]
SHIPPED = "team_order.shipped"


@pytest.fixture(scope="module")
def served() -> Iterator[ServedSimulator]:
    """One server for this file."""
    with serve_simulator() as served:
        yield served


@pytest.fixture
def world(served: ServedSimulator, request: pytest.FixtureRequest) -> Iterator[World]:
    """A fresh world on the server."""
    now = request.config.getoption("--world-now")
    world = served.world(**({"now": now} if now else {}))
    yield world
    served.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@pytest.fixture
def partner(world: World) -> PartnerClient:
    """The partner interface with a funded key."""
    return world.partner()


def to(port: int) -> dict[str, Any]:
    return {"mode": "forward", "to": f"http://127.0.0.1:{port}"}


def submit_claim_form(client: HttpClient, link: str) -> None:
    """Claim a gift in the browser: open the link, send the form and follow the redirect."""
    path = urlsplit(link).path
    page = client.call("GET", path, headers={"Accept": "text/html"})
    assert (page.status, "Ada has a gift for you" in page.text) == (200, True)
    form = urlencode({f"address.{name}": value for name, value in RENO.items()})
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
    redirect = client.call("POST", path, body=form, headers=kind)
    assert redirect.status == 303, redirect.text
    receipt = client.call("GET", urljoin(path, redirect.headers["location"]), headers={"Accept": "text/html"})
    assert (receipt.status, "Thank you" in receipt.text) == (200, True)


def next_event_types(receiver: PythonProcess) -> list[str]:
    """The types of the next three deliveries, whose signatures the receiver accepted."""
    lines = [receiver.line().split(" ") for _ in STORY]
    assert [line[0] for line in lines] == ["genuine"] * 3
    assert len({line[2] for line in lines}) == 3
    return [line[1] for line in lines]


@shows("P-4.19", "P-6.1", "P-6.2", "P-6.3", "P-6.13")
def test_from_an_empty_wallet_to_signed_webhooks_and_again_two_years_later(
    world: World, served: ServedSimulator
) -> None:
    client: Any = served.client
    partner = world.partner("partner.no_funds")
    with example_receiver(partner.subscribe(*EVENT_TYPES)["secret"]) as (receiver, address):
        world.set_receiver(mode="forward", to=address)
        refused = partner.create_order(return_claim_links=True)
        assert (refused.status, refused.json()["error"]["code"]) == (402, "insufficient_funds_no_card")
        world.change_account("partner.no_funds", wallet_cents=100_000)
        paid = partner.create_order(return_claim_links=True)
        assert paid.status == 201
        assert paid.json()["team_order"]["id"] == refused.json()["team_order_id"]
        submit_claim_form(client, paid.json()["recipients"][0]["claim"]["link"])
        world.advance("10d")
        assert next_event_types(receiver) == STORY
        assert partner.read_order(paid)["team_order"]["status"] == "delivered"

        world.advance("104w")
        later = partner.create_order(idempotency_key="two years later", return_claim_links=True)
        submit_claim_form(client, later.json()["recipients"][0]["claim"]["link"])
        world.advance("104w")
        assert next_event_types(receiver) == STORY
        assert receiver.lines.empty()
    assert [post.outcome for post in received_webhooks(world)] == ["delivered"] * 6


@shows("P-6.13", "P-6.16")
def test_a_receiver_that_rejects_a_bad_signature_gets_a_valid_retry(world: World, partner: PartnerClient) -> None:
    with example_receiver(partner.subscribe(SHIPPED)["secret"]) as (receiver, address):
        world.set_receiver(mode="forward", to=address)
        for effect in ("bad_signature", "stale_signature", "future_signature"):
            world.add_fault({"webhook": effect}, when={"first": 1})
            ship_order(world, partner)
            first = next_full_hour(world.now)
            world.advance("90m")
            forged, genuine = received_webhooks(world, kind=SHIPPED)[-2:]
            assert receiver.line() == f"FORGED {SHIPPED} {forged.event_id}"
            assert receiver.line() == f"genuine {SHIPPED} {forged.event_id}"
            assert [forged.at, genuine.at] == retry_instants(first)[:2]
            assert (forged.status, genuine.status) == (400, 200)
            assert forged.event_id == genuine.event_id
            world.call_control("DELETE", "/faults")


@shows("P-6.20")
def test_a_repeated_event_has_the_same_id(world: World, partner: PartnerClient) -> None:
    with example_receiver(partner.subscribe(SHIPPED)["secret"]) as (receiver, address):
        world.set_receiver(mode="forward", to=address)
        ship_order(world, partner)
        world.advance("1h")
        again = world.call_control("POST", "/deliveries/1/resend")
        assert (again["mark"], again["outcome"]) == ("resend", None)  # in flight when the response is sent
        lines = [receiver.line() for _ in range(2)]
    event_id = again["event_id"]
    assert lines == [f"genuine {SHIPPED} {event_id}", f"genuine {SHIPPED} {event_id} again"]


@shows("P-4.16")
def test_a_ping_is_delivered_during_its_call(world: World, partner: PartnerClient) -> None:
    with example_receiver(partner.subscribe(SHIPPED)["secret"]) as (receiver, address):
        world.set_receiver(mode="forward", to=address)
        response = partner.post("/webhooks/1/test")
        assert response.json()["ok"] is True
        assert receiver.line() == f"genuine ping {response.json()['event_id']}"


def receiver_that_calls(*calls: Callable[[], Response]) -> tuple[list[Response], Behaviour]:
    """A receiver that makes these calls before it responds; their responses."""
    inner_responses: list[Response] = []

    def behave(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        inner_responses.extend(call() for call in calls)
        connection.sendall(OK_RESPONSE)

    return inner_responses, behave


def test_a_receiver_can_call_the_api_but_not_move_the_clock(world: World, partner: PartnerClient) -> None:
    partner.subscribe(SHIPPED)
    partner.subscribe("order.shipped", host="captured.partner.example")
    order_id = ship_order(world, partner)["team_order"]["id"]
    path = f"/worlds/{world.id}"
    inner_responses, behave = receiver_that_calls(
        lambda: partner.get(f"/team-orders/{order_id}"),
        lambda: partner.post("/team-orders", order_body(idempotency_key="from inside")),
        lambda: partner.post("/webhooks/2/test"),
        lambda: world.control.get(f"{path}/clock"),
        lambda: world.control.post(f"{path}/clock/advance", {"by": "1h"}),
        lambda: world.control.call("PUT", f"{path}/clock", {"mode": "running"}),
        lambda: world.control.post(f"{path}/snapshots", {"name": "inside"}),
        lambda: world.control.post(f"{path}/fork", {}),
    )
    at = next_full_hour(world.now)
    with http_receiver(behave) as receiver:
        world.set_receiver(**to(receiver.port))
        report = world.advance("3h")
    read, create, ping, clock, *refused = inner_responses
    assert [response.status for response in (read, create, ping, clock)] == [200, 201, 200, 200]
    assert read.json()["recipients"][0]["shipment"]["status"] == "shipped"
    assert (ping.json()["ok"], clock.json()["now"]) == (True, at)
    assert [(response.status, response.json()["error"]["code"]) for response in refused] == [(409, "clock_busy")] * 4
    assert [row["outcome"] for row in report["deliveries"] if row["type"] == SHIPPED] == ["delivered"]
    assert received_webhooks(world, kind="ping")[0].at == at
    order = next(
        row for row in world.call_control("GET", "/orders")["orders"] if row["id"] == create.json()["team_order"]["id"]
    )
    assert order["created_at"] == at
    assert world.now == report["to"] > at


def test_a_slow_endpoint_does_not_delay_others(world: World, partner: PartnerClient) -> None:
    given_up = threading.Event()
    in_time: list[bool] = []

    def respond_slowly(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        connection.settimeout(TIMEOUT_S)
        connection.recv(1)  # returns when the sender hangs up
        given_up.set()

    def respond_quickly(connection: Any, receiver: Any) -> None:
        receiver.read(connection)
        in_time.append(not given_up.is_set())
        connection.sendall(OK_RESPONSE)

    world.change_settings(webhooks__forward_timeout_s=1)
    for host in ("slow.partner.example", "quick.partner.example"):
        partner.subscribe(SHIPPED, host=host)
    ship_order(world, partner)
    with http_receiver(respond_slowly) as slow_receiver, http_receiver(respond_quickly) as quick_receiver:
        world.set_receiver("slow.partner.example", **to(slow_receiver.port))
        world.set_receiver("quick.partner.example", **to(quick_receiver.port))
        report = world.advance(to=next_full_hour(world.now))
        assert given_up.wait(TIMEOUT_S)
    assert in_time == [True]
    outcomes = {row["url"].split("/")[2]: row["outcome"] for row in report["deliveries"]}
    assert outcomes == {"slow.partner.example": "timeout", "quick.partner.example": "delivered"}
    assert [row["host"] for row in report["slow"]] == ["slow.partner.example", "quick.partner.example"]
    assert report["slow"][0]["cost_s"] >= 1


@shows("P-6.16")
@pytest.mark.parametrize("code", [301, 302, 307])
def test_redirects_are_not_followed(world: World, partner: PartnerClient, code: int) -> None:
    partner.subscribe(SHIPPED)
    ship_order(world, partner)
    with http_receiver(respond_always(OK_RESPONSE)) as elsewhere:
        location = f"Location: http://127.0.0.1:{elsewhere.port}/gifts\r\nContent-Length: 0\r\n\r\n"
        with http_receiver(respond_always(f"HTTP/1.1 {code} Elsewhere\r\n{location}".encode())) as machine:
            world.set_receiver(**to(machine.port))
            world.advance(to=retry_instants(next_full_hour(world.now))[1])
            assert len(machine.requests) == 2
        assert elsewhere.connections == 0
    assert [(post.outcome, post.status) for post in received_webhooks(world)] == [("http_status", code)] * 2


@shows("P-6.16", "P-6.20")
def test_a_broken_connection_is_retried_with_the_same_event_id(world: World, partner: PartnerClient) -> None:
    partner.subscribe(SHIPPED)
    ship_order(world, partner)
    first = next_full_hour(world.now)
    with http_receiver(hang_up) as machine:
        world.set_receiver(**to(machine.port))
        world.advance(to=first)
        failed = machine.requests[0]
    world.advance("5m")  # the receiver's port is closed
    with http_receiver(respond_always(OK_RESPONSE)) as machine:
        world.set_receiver(**to(machine.port))
        world.advance("15m")
        delivered = machine.requests[0]
    posts = received_webhooks(world)
    assert [post.outcome for post in posts] == ["connection_reset", "connection_refused", "delivered"]
    assert [post.at for post in posts] == retry_instants(first)[:3]
    assert failed.partition(b"\r\n\r\n")[2] == delivered.partition(b"\r\n\r\n")[2]
    assert len({post.event_id for post in posts}) == 1


def test_a_running_clock_sends_webhooks_without_calls(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe(SHIPPED)["secret"]
    with example_receiver(secret) as (receiver, address):
        world.set_receiver(mode="forward", to=address)
        at = next_full_hour(world.now)
        ship_order(world, partner)
        world.call_control("PUT", "/clock", {"mode": "running", "rate": 100_000})
        assert receiver.line().startswith(f"genuine {SHIPPED} ")
        world.call_control("PUT", "/clock", {"mode": "manual"})
    (post,) = received_webhooks(world, kind=SHIPPED)
    assert post.at == at
    assert unix_s(world.now) >= unix_s(at)
