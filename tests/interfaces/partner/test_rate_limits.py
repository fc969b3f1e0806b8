"""How many calls a key may make in a minute of the world's clock, and what every answer says of it."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.client.response import Response
from giftsim.kernel.instants import MINUTE, SECOND, format_instant, parse_instant
from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.orders import order_body
from tests.support.responses import created, status_and_code
from tests.support.worlds import World


def meter(answer: Response) -> tuple[int, int]:
    """The limit and what is left of it."""
    return int(answer.headers["x-ratelimit-limit"]), int(answer.headers["x-ratelimit-remaining"])


def starter(world: World, calls: int = 60) -> PartnerClient:
    """A funded key on the plan `starter`, which allows so many calls."""
    world.change_settings(rate_limits__starter=calls)
    return world.partner_with_new_key(plan="starter", account={"wallet_cents": 100_000})


def at_the_minute(world: World) -> int:
    """Go to the beginning of a minute; it, in Unix seconds of the world."""
    begin = (parse_instant(world.now) // MINUTE + 1) * MINUTE
    world.advance(to=format_instant(begin))
    return begin // SECOND


@claims("P-7.26")
def test_more_calls_than_allowed_are_429_until_the_wait_is_over(world: World, partner: PartnerClient) -> None:
    start_s = at_the_minute(world)
    key = starter(world, 3)
    world.advance("13s")
    assert [meter(key.get("/team-orders")) for _ in range(3)] == [(3, 2), (3, 1), (3, 0)]
    for _ in range(2):
        answer = key.get("/team-orders")
        assert status_and_code(answer) == (429, "rate_limited")
        assert answer.headers["retry-after"] == "47"
        assert meter(answer) == (3, 0)
        assert int(answer.headers["x-ratelimit-reset"]) == start_s + 60
    assert partner.get("/team-orders").status == 200
    world.advance("46s")
    assert status_and_code(key.get("/team-orders")) == (429, "rate_limited")
    world.advance("1s")
    assert meter(key.get("/team-orders")) == (3, 2)


@claims("P-7.26")
def test_a_refused_call_does_nothing(world: World) -> None:
    key = starter(world, 1)
    key.get("/team-orders")
    with world.assert_unchanged():
        assert status_and_code(key.create_order()) == (429, "rate_limited")
        assert status_and_code(key.post("/team-orders", "[")) == (429, "rate_limited")
    world.advance("1m")
    created(key.create_order())


@claims("P-7.26")
def test_two_keys_of_one_account_have_windows_of_their_own(world: World) -> None:
    world.change_settings(rate_limits__starter=1)
    first = world.call_control("POST", "/keys", {"interface": "partner", "plan": "starter"})
    second = world.partner_with_new_key(plan="starter", account={"id": first["account_id"]})
    assert [world.partner(key=first["key"]).get("/webhooks").status for _ in range(2)] == [200, 429]
    assert [second.get("/webhooks").status for _ in range(2)] == [200, 429]


@pytest.mark.parametrize(
    ("plan", "calls"), [("sandbox", 1_000_000), ("starter", 60), ("growth", 300), ("enterprise", 1_200)]
)
def test_every_plan_has_its_limit_and_keys_are_on_sandbox_unless_told(world: World, plan: str, calls: int) -> None:
    assert meter(world.partner().get("/webhooks")) == (1_000_000, 999_999)
    assert meter(world.partner_with_new_key(plan=plan).get("/webhooks")) == (calls, calls - 1)
    world.change_settings(**{f"rate_limits__{plan}": 7})
    assert meter(world.partner_with_new_key(plan=plan).get("/webhooks")) == (7, 6)


def metered(world: World) -> list[tuple[str, int, Response]]:
    """One answer of every status that a partner can get once the key is known: what it is, its status, the answer."""
    key, poor = starter(world), world.partner("partner.no_funds")
    order = created(key.create_order())["team_order"]["id"]
    unpaid = poor.create_order(idempotency_key="dead").json()["team_order_id"]
    poor.post(f"/team-orders/{unpaid}/cancel", {})
    bad: list[Any] = [{"name": "Bo", "email": "nobody"}]
    return [
        ("read", 200, key.get(f"/team-orders/{order}")),
        ("manifest", 200, key.get(f"/team-orders/{order}/manifest.csv")),
        ("create", 201, key.create_order(idempotency_key="second")),
        ("replay", 201, key.create_order(idempotency_key="second")),
        ("canceled", 200, poor.create_order(idempotency_key="dead")),
        ("no json", 400, key.post("/team-orders", "[")),
        ("query", 400, key.get("/team-orders?limit=x")),
        ("body", 400, key.create_order(idempotency_key="third", items=[])),
        ("charge", 402, poor.create_order()),
        ("unbound", 403, world.partner("partner.unbound").get("/webhooks")),
        ("unable", 403, world.partner("partner.no_capability").get("/webhooks")),
        ("unknown id", 404, key.get("/team-orders/1")),
        ("mismatch", 409, key.create_order(name="other")),
        ("rows", 422, key.create_order(idempotency_key="third", recipients=bad)),
        ("injected 429", 429, key.get("/webhooks", X_Sim_Fault="status=429")),
        ("injected 500", 500, key.get("/webhooks", X_Sim_Fault="status=500")),
        ("injected 503", 503, key.post("/team-orders", order_body(), X_Sim_Fault="status=503")),
        ("no such fault", 400, key.post("/webhooks", {}, X_Sim_Fault="nonsense")),
    ]


def test_every_answer_to_a_known_key_says_where_its_window_stands(world: World) -> None:
    reset_s = (parse_instant(world.now) // MINUTE + 1) * 60
    for name, status, answer in metered(world):
        assert answer.status == status, (name, answer.text)
        limit, remaining = meter(answer)
        assert 0 <= remaining < limit, name
        assert int(answer.headers["x-ratelimit-reset"]) == reset_s, name


def test_an_answer_to_nobody_says_nothing_of_windows(world: World, partner: PartnerClient) -> None:
    nobody = PartnerClient(world.client, partner.contract, {"X-Sim-World": world.id})
    for answer in (
        nobody.get("/webhooks"),
        nobody.get("/nothing"),
        partner.get("/nothing"),
        partner.call("PUT", "/webhooks"),
    ):
        assert answer.status in (401, 404, 405)
        assert "x-ratelimit-limit" not in answer.headers


def test_every_call_counts_one_whatever_its_answer(world: World) -> None:
    key = starter(world, 10)
    calls = [
        key.get("/webhooks"),
        key.post("/team-orders", "["),
        key.get("/team-orders/1"),
        key.create_order(),
        key.create_order(),
    ]
    assert [answer.status for answer in calls] == [200, 400, 404, 201, 201]
    assert [meter(answer)[1] for answer in calls] == [9, 8, 7, 6, 5]


def test_a_429_in_a_world_whose_clock_stands_says_how_far_to_advance_it(world: World) -> None:
    start_s = at_the_minute(world)
    key = starter(world, 1)
    world.advance("20s")
    key.get("/webhooks")
    answer = key.get("/webhooks")
    message = answer.json()["error"]["message"]
    assert "clock does not run" in message
    assert "40s" in message
    assert format_instant((start_s + 60) * SECOND) in message
    world.advance(f"{answer.headers['retry-after']}s")
    assert key.get("/webhooks").status == 200


def test_a_429_in_a_running_world_says_until_when_to_wait(world: World) -> None:
    key = starter(world, 1)
    world.call_control("PUT", "/clock", {"mode": "running", "rate": 0.000_001})
    key.get("/webhooks")
    answer = key.get("/webhooks")
    assert status_and_code(answer) == (429, "rate_limited")
    message = answer.json()["error"]["message"]
    assert "clock does not run" not in message
    assert format_instant(int(answer.headers["x-ratelimit-reset"]) * SECOND) in message


def test_windows_are_state_that_a_snapshot_brings_back(world: World) -> None:
    key = starter(world, 2)
    key.get("/webhooks")
    before = world.fingerprint()
    world.call_control("POST", "/snapshots", {"name": "one-left"})
    assert [key.get("/webhooks").status for _ in range(2)] == [200, 429]
    assert world.fingerprint() != before
    world.call_control("POST", "/snapshots/one-left/restore")
    assert world.fingerprint() == before
    assert [key.get("/webhooks").status for _ in range(2)] == [200, 429]


def test_a_lower_limit_holds_at_once_and_a_higher_one_too(world: World) -> None:
    key = starter(world, 5)
    assert [key.get("/webhooks").status for _ in range(3)] == [200] * 3
    world.change_settings(rate_limits__starter=3)
    assert status_and_code(key.get("/webhooks")) == (429, "rate_limited")
    world.change_settings(rate_limits__starter=4)
    assert meter(key.get("/webhooks")) == (4, 0)
