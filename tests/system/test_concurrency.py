"""Concurrent calls over HTTP: idempotency, limits and money under contention, and independent worlds."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.kernel.instants import HOUR, MINUTE, format_instant, parse_instant
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.concurrent_calls import call_concurrently
from tests.support.http_receiver import http_receiver, respond_always
from tests.support.instants import instant_from_now
from tests.support.mixed_workload import MixedWorkload
from tests.support.orders import address_recipients, claim_tokens, email_recipients, order_body
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import ledger_balances, payments, wallet_cents
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.worlds import World

Make = Callable[..., World]

THREADS = 32
WORLDS = 8


@pytest.fixture
def world(remote_world: Make) -> World:
    """A fresh world on a server."""
    return remote_world()


def count_statuses(*calls: Callable[[], Response]) -> Counter[int]:
    """Make these calls concurrently; the number of responses by status."""
    return Counter(response.status for response in call_concurrently(*calls))


@shows("P-4.17", "P-1.1")
def test_one_idempotency_key_in_many_threads_gives_one_order_and_one_charge(world: World) -> None:
    partner = world.partner()
    responses = call_concurrently(*[partial(partner.create_order, recipients=email_recipients(3))] * THREADS)
    assert {(response.status, response.body) for response in responses} == {(201, responses[0].body)}
    assert [response.headers.get("idempotent-replayed") for response in responses].count(None) == 1
    assert len({response.headers["x-request-id"] for response in responses}) == THREADS
    assert (len(list_orders(world)), len(payments(world)), len(world.mail())) == (1, 1, 3)
    assert wallet_cents(world) == 500_000 - 3 * ROW_CENTS
    assert ledger_balances(world)["order 1001"] == 3 * ROW_CENTS


@shows("P-4.19")
def test_many_retries_of_an_unpaid_order_charge_it_once(world: World) -> None:
    unfunded = world.partner("partner.no_funds")
    refusals = call_concurrently(*[unfunded.create_order] * THREADS)
    assert {response.json()["team_order_id"] for response in refusals} == {1001}
    world.change_account("partner.no_funds", add_cents=10 * ROW_CENTS)
    assert count_statuses(*[unfunded.create_order] * THREADS) == {201: THREADS}
    assert (len(list_orders(world)), len(payments(world, "paid"))) == (1, 1)
    assert wallet_cents(world, "partner.no_funds") == 9 * ROW_CENTS


@shows("P-7.21")
def test_of_different_bodies_with_one_idempotency_key_one_wins(world: World) -> None:
    partner = world.partner()
    responses = call_concurrently(*[partial(partner.create_order, name=f"name {n}") for n in range(THREADS)])
    winners = [n for n, response in enumerate(responses) if response.status == 201]
    assert len(winners) == 1
    losers = {status_and_code(response) for response in responses if response.status != 201}
    assert losers == {(409, "idempotency_payload_mismatch")}
    assert [row["name"] for row in list_orders(world)] == [f"name {winners[0]}"]


@shows("P-1.5", "P-7.12")
def test_a_wallet_is_never_spent_twice(world: World) -> None:
    world.change_account(wallet_cents=10 * ROW_CENTS + 1, card="none")
    partner = world.partner()
    responses = count_statuses(*[partial(partner.create_order, idempotency_key=str(n)) for n in range(THREADS)])
    assert responses == {201: 10, 402: THREADS - 10}
    assert wallet_cents(world) == 1
    assert Counter(row["status"] for row in list_orders(world)) == {"collecting_addresses": 10, "unpaid": THREADS - 10}


@shows("P-1.6")
def test_a_credit_limit_is_never_exceeded(world: World) -> None:
    world.change_account("partner.net_terms", credit_limit_cents=5 * ROW_CENTS)
    partner = world.partner("partner.net_terms")
    assert count_statuses(*[partial(partner.create_order, idempotency_key=str(n)) for n in range(THREADS)]) == {
        201: 5,
        402: THREADS - 5,
    }
    assert wallet_cents(world, "partner.net_terms") == -5 * ROW_CENTS


def test_a_seat_is_taken_once(world: World) -> None:
    partner = world.partner()
    order = created(partner.create_order(open_seats=5, return_claim_links=True))
    shared = order["team_order"]["shared_claim_link"].rsplit("/", 1)[1]
    guests = [partial(world.claim, shared, name=f"Guest {n}", email=f"guest{n}@example.com") for n in range(THREADS)]
    assert count_statuses(*guests) == {200: 5, 409: THREADS - 5}
    assert count_statuses(*[partial(world.claim, claim_tokens(order)[0])] * THREADS) == {200: 1, 410: THREADS - 1}
    assert world.partner().read_order(1001)["team_order"]["summary"]["claimed"] == 6


def test_a_recipient_is_refunded_once(world: World) -> None:
    partner = world.partner()
    order = created(partner.create_order(recipients=email_recipients(2)))
    rows = [row["recipient_id"] for row in order["recipients"]]
    cancel = partial(partner.post, "/team-orders/1001/cancel", {"recipient_ids": rows[:1]})
    assert count_statuses(*[cancel] * THREADS) == {200: 1, 409: THREADS - 1}
    assert wallet_cents(world) == 500_000 - ROW_CENTS


def test_the_limit_of_endpoints_holds_under_concurrency(world: World) -> None:
    partner = world.partner()
    url, kinds = "https://hooks.partner.example/{}", ["team_order.claimed"]
    subscribe = [partial(partner.post, "/webhooks", {"url": url.format(n), "events": kinds}) for n in range(THREADS)]
    assert count_statuses(*subscribe) == {201: 10, 409: THREADS - 10}


def test_reads_during_an_advance_never_see_half_an_instant(world: World) -> None:
    partner = world.partner()
    for n in range(20):
        created(partner.create_order(idempotency_key=str(n), recipients=email_recipients(20)))
        world.simulate("shipment", team_order_id=1001 + n, to="in_production")

    def read(n: int) -> Response:
        response = partner.get(f"/team-orders/{1001 + n}")
        summary = response.json()["team_order"]["summary"]
        statuses = Counter(row["status"] for row in response.json()["recipients"])
        assert summary["shipped"] == statuses["shipped"]
        assert summary["delivered"] == statuses["delivered"]
        assert sum(count for name, count in summary.items() if name != "total") == summary["total"] == 20
        return response

    call_concurrently(partial(world.advance, "10d"), *[partial(read, n % 20) for n in range(THREADS)])
    assert {read(n).json()["team_order"]["status"] for n in range(20)} == {"delivered"}


def test_worlds_used_concurrently_give_the_same_results_as_alone(remote_world: Make) -> None:
    seeds = range(1, WORLDS + 1)
    expected = [MixedWorkload(remote_world(seed=seed), seed).play(8) for seed in seeds]
    workloads = [MixedWorkload(remote_world(seed=seed), seed) for seed in seeds]
    assert call_concurrently(*[partial(workload.play, 8) for workload in workloads]) == expected
    assert len(set(expected)) == WORLDS


def test_a_second_advance_waits_for_one_without_deliveries(world: World) -> None:
    partner = world.partner()
    world.change_account(wallet_cents=10_000_000)
    for n in range(20):
        created(partner.create_order(idempotency_key=str(n), recipients=address_recipients(100)))
    path = f"/worlds/{world.id}"
    calls: list[Callable[[], Response]] = [
        partial(world.control.post, f"{path}/clock/advance", {"by": "30d"}),
        partial(world.control.post, f"{path}/clock/advance", {"by": "1h"}),
        partial(world.control.post, f"{path}/snapshots", {"name": "between"}),
        partial(world.control.call, "PUT", f"{path}/clock", {"mode": "manual"}),
        partial(world.control.get, f"{path}/fingerprint"),
    ]
    assert set(count_statuses(*calls * 3)) == {200, 201}


def test_calls_during_an_advance_do_not_reorder_its_deliveries(world: World) -> None:
    partner, done = world.partner(), threading.Event()
    world.advance(to=format_instant((parse_instant(world.now) // HOUR + 1) * HOUR))
    partner.subscribe("team_order.shipped")
    for n in range(5):
        created(partner.create_order(idempotency_key=str(n), recipients=address_recipients(60)))

    def read() -> None:
        while not done.is_set():
            assert partner.get("/team-orders?limit=1").status == 200

    def advance() -> None:
        try:
            world.advance("76h")
        finally:
            done.set()

    with http_receiver(respond_always(b"HTTP/1.1 503 Closed\r\nContent-Length: 0\r\n\r\n")) as machine:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        first = instant_from_now(world, milliseconds=72 * HOUR)
        call_concurrently(advance, *[read] * 3)
    instants = [format_instant(parse_instant(first) + span_ms) for span_ms in (0, 5 * MINUTE, 20 * MINUTE, 80 * MINUTE)]
    made_at = Counter(row["at"] for page in (0, 1_000) for row in world.deliveries(f"&after={page}"))
    assert made_at == dict.fromkeys(instants, 300)


def test_only_one_advance_runs_at_a_time(world: World) -> None:
    start = world.call_control("GET", "/clock")["now"]
    advance = partial(world.control.post, f"/worlds/{world.id}/clock/advance", {"by": "1h"})
    responses = call_concurrently(*[advance] * THREADS)
    assert {response.status for response in responses} == {200}
    spans = sorted((response.json()["from"], response.json()["to"]) for response in responses)
    assert spans[0][0] == start
    assert [begin for begin, _ in spans[1:]] == [end for _, end in spans[:-1]]


def test_a_rate_limit_is_never_exceeded(world: World) -> None:
    world.change_settings(rate_limits__starter=10)
    key: PartnerClient = world.partner_with_new_key(plan="starter")
    assert count_statuses(*[partial(key.get, "/webhooks")] * THREADS) == {200: 10, 429: THREADS - 10}


def test_request_ids_are_unique(world: World) -> None:
    partner = world.partner()
    responses = call_concurrently(
        *[partial(partner.post, "/team-orders", order_body(idempotency_key=str(n))) for n in range(THREADS)]
    )
    assert len({response.headers["x-request-id"] for response in responses}) == THREADS
    assert sorted(response.json()["team_order"]["id"] for response in responses) == list(range(1001, 1001 + THREADS))
