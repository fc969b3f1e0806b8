"""Running clocks: timers fire without calls, in order and at their instant, and time never goes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.kernel.instants import DAY, HOUR, MINUTE, SECOND, format_instant, parse_instant
from giftsim.engine.system import SYSTEM
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.http_receiver import OK_RESPONSE, http_receiver
from tests.support.orders import address_recipients, email_recipients, order_body
from tests.support.refusing_disk import RefusingDisk
from tests.support.responses import created
from tests.support.served_simulator import serve_simulator
from tests.support.waiting import TIMEOUT_S, wait_until
from tests.support.worlds import World

Make = Callable[..., World]

FAST = 1_000_000
STAGES = ("submitted", "in_production", "labeled", "shipped", "delivered")
LADDER_MINUTES = (0, 5, 20, 80, 260, 620, 1340, 2780, 5660)


@pytest.fixture
def world(remote_world: Make) -> World:
    """A fresh world on a server, with a manual clock."""
    return remote_world()


def start_clock(world: World, rate: float = FAST) -> str:
    """Start the clock; the instant at which it started."""
    return str(world.call_control("PUT", "/clock", {"mode": "running", "rate": rate})["now"])


def stop_clock(world: World) -> str:
    """Stop the clock; the instant at which it stopped."""
    return str(world.call_control("PUT", "/clock", {"mode": "manual"})["now"])


def world_ids(world: World) -> list[str]:
    """The ids of all worlds of the server. Listing them does not count as a use of a world."""
    return [row["id"] for row in world.control.get("/worlds").json()["worlds"]]


def after(instant: str, span_ms: int) -> str:
    """The instant that much later."""
    return format_instant(parse_instant(instant) + span_ms)


def test_due_timers_fire_without_calls(world: World) -> None:
    requests: list[bytes] = []
    complete = threading.Event()

    def behave(connection: Any, receiver: Any) -> None:
        while request := receiver.read(connection):
            requests.append(request)
            connection.sendall(OK_RESPONSE)
            if b"team_order.delivered" in request:
                complete.set()

    partner = world.partner()
    partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.delivered")
    created(partner.create_order())
    claimed = world.now
    world.simulate("claim", team_order_id=1001, recipient=0)
    with http_receiver(behave) as machine:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        start_clock(world)
        assert complete.wait(TIMEOUT_S)
        stop_clock(world)
    assert [b"claimed" in request for request in requests] == [True, False, False]
    (parcel,) = world.call_control("GET", "/parcels")["parcels"]
    stamps = [parcel[name] for name in ("produced_at", "labeled_at", "shipped_at", "delivered_at")]
    assert stamps == [after(claimed, days * DAY) for days in (1, 2, 3, 5)]


def test_retries_are_exact_however_fast_the_clock_runs(world: World) -> None:
    partner = world.partner()
    world.set_receiver(then={"status": 500})
    partner.subscribe("team_order.claimed")
    created(partner.create_order())
    world.simulate("claim", team_order_id=1001, recipient=0)
    start_clock(world)
    wait_until(lambda: partner.get("/webhooks").json()["endpoints"][0]["dead_count"] == 1)
    rows = world.deliveries()
    first = rows[0]["at"]
    assert parse_instant(first) % HOUR == 0
    assert [row["at"] for row in rows] == [after(first, minutes * MINUTE) for minutes in LADDER_MINUTES]


def test_no_call_sees_a_time_past_an_unfired_timer(world: World) -> None:
    partner = world.partner()
    order = created(partner.create_order(recipients=address_recipients(3)))
    paid_ms = parse_instant(world.call_control("GET", "/orders")["orders"][0]["paid_at"])
    due_ms = [paid_ms + days * DAY for days in (0, 1, 2, 3, 5)]
    seen = set[str]()
    start_clock(world, FAST // 4)

    def delivered() -> bool:
        response = partner.get(f"/team-orders/{order['team_order']['id']}")
        earliest_ms = (int(response.headers["x-ratelimit-reset"]) - 60) * SECOND
        reached = max(place for place, due in enumerate(due_ms) if place == 0 or due <= earliest_ms)
        statuses = {row["status"] for row in response.json()["recipients"]}
        assert len(statuses) == 1
        assert STAGES.index(min(statuses)) >= reached
        seen.update(statuses)
        return statuses == {"delivered"}

    wait_until(delivered)
    assert len(seen) > 1


def test_the_next_due_timer_is_never_in_the_past(world: World) -> None:
    partner = world.partner()
    created(partner.create_order(recipients=email_recipients(5), claim_expiry_days=2))
    partner.subscribe("team_order.needs_attention")
    started = start_clock(world)

    def expired() -> bool:
        clock = world.call_control("GET", "/clock")
        assert clock["next_due"] >= clock["now"]
        assert (clock["mode"], clock["rate"]) == ("running", FAST)
        return bool(clock["now"] > after(started, 3 * DAY))

    wait_until(expired)
    assert [row["status"] for row in partner.read_order(1001)["recipients"]] == ["expired"] * 5
    assert {row["at"] for row in world.deliveries()} == {world.events()[0]["created_at"]}


def test_a_rate_change_keeps_the_elapsed_time(world: World) -> None:
    last = world.now
    for rate in (FAST, 1, FAST, 0.001, FAST, 100):
        started = start_clock(world, rate)
        assert started >= last
        if rate == FAST:
            wait_until(lambda started=started: world.now > after(started, HOUR))  # type: ignore[misc]
        seen = world.now
        stopped = stop_clock(world)
        assert last <= started <= seen <= stopped
        assert world.now == world.now == stopped
        last = stopped


def test_the_clock_runs_at_its_rate(world: World) -> None:
    before_s = time.perf_counter()
    started = start_clock(world, 50_000)
    started_s = time.perf_counter()
    wait_until(lambda: world.now > after(started, HOUR))
    seen_s = time.perf_counter()
    stopped = stop_clock(world)
    after_s = time.perf_counter()
    passed_s = (parse_instant(stopped) - parse_instant(started)) / SECOND
    assert (seen_s - started_s) * 50_000 - 1 <= passed_s <= (after_s - before_s) * 50_000 + 1


def test_after_an_advance_the_clock_runs_on(world: World) -> None:
    created(world.partner().create_order(recipients=address_recipients(1)))
    start_clock(world, 1)
    report = world.fired(by="10d")
    assert report["to"] >= after(report["from"], 10 * DAY - SECOND)
    assert [row["kind"] for row in report["fired"] if row["kind"].startswith("shipment.")] == [
        "shipment.produce", "shipment.label", "shipment.ship", "shipment.deliver",
    ]  # fmt: skip
    wait_until(lambda: world.now > report["to"])
    assert world.now < after(report["to"], HOUR)


def test_retry_after_is_in_seconds_of_the_world(world: World) -> None:
    world.change_settings(rate_limits__starter=1)
    key = world.partner_with_new_key(plan="starter")
    start_clock(world, 600)
    wait_until(lambda: key.get("/webhooks").status == 429)
    wait_until(lambda: key.get("/webhooks").status == 200)
    stop_clock(world)
    wait_until(lambda: key.get("/webhooks").status == 429)
    assert "clock does not run" in key.get("/webhooks").json()["error"]["message"]


def test_a_released_call_runs_at_the_instant_of_its_release(world: World) -> None:
    partner = world.partner()
    world.add_fault({"hold": True}, when={"first": 1})
    responses: list[Any] = []
    caller = threading.Thread(
        target=lambda: responses.append(partner.post("/team-orders", order_body(claim_expiry_days=1)))
    )
    started = start_clock(world)
    caller.start()
    wait_until(lambda: world.call_control("GET", "/faults")["faults"][0]["hits"] == 1)
    wait_until(lambda: world.now > after(started, 4 * DAY))
    stopped = stop_clock(world)
    world.call_control("DELETE", "/faults")
    caller.join(TIMEOUT_S)
    assert created(responses[0])["team_order"]["claim_expires_at"] == after(stopped, DAY)


def test_reset_restores_the_start_time_and_rate(remote_world: Make) -> None:
    world = remote_world(clock={"mode": "running", "rate": 7})
    start = world.description["now"]
    world.advance("100d")
    stop_clock(world)
    world.call_control("POST", "/reset")
    clock = world.call_control("GET", "/clock")
    assert (clock["mode"], clock["rate"]) == ("running", 7)
    assert start <= clock["now"] < after(start, 10 * DAY)


def test_a_claim_link_expires_on_a_running_clock(world: World) -> None:
    partner = world.partner()
    order = created(partner.create_order(claim_expiry_days=1, return_claim_links=True))
    link = order["recipients"][0]["claim"]["link"].rsplit("/", 1)[1]
    start_clock(world)
    wait_until(lambda: world.now >= order["team_order"]["claim_expires_at"])
    assert world.claim(link).status == 410


def test_the_default_worlds_clock_follows_the_options() -> None:
    with serve_simulator("--clock", f"running@{FAST}", "--now", "2031-01-01T00:00:00Z", "--fixture", "empty") as served:
        clock = served.client.call("GET", "/_sim/v1/worlds/default/clock").json()
        assert (clock["mode"], clock["rate"]) == ("running", FAST)
        assert clock["now"] >= "2031-01-01T00:00:00Z"
        path, key = "/api/external/team-orders", {"Authorization": "Bearer pk_live_default_prepaid"}
        assert (
            served.client.call("POST", path, body=order_body(recipients=address_recipients(1)), headers=key).status
            == 201
        )
        wait_until(lambda: '"status":"delivered"' in served.client.call("GET", f"{path}/1001", headers=key).text)
        manual = served.world().call_control("GET", "/clock")
        assert (manual["mode"], manual["rate"]) == ("manual", None)


def test_the_default_world_starts_at_the_real_time() -> None:
    with serve_simulator("--fixture", "bare") as served:
        response = served.client.call("GET", "/_sim/v1/worlds/default/clock")
        date_s = parsedate_to_datetime(response.headers["date"]).timestamp()
        assert abs(parse_instant(response.json()["now"]) / SECOND - date_s) <= 2
        assert (response.json()["mode"], response.json()["rate"]) == ("running", 1)


def test_failed_deliveries_are_retried_on_a_running_clock(world: World) -> None:
    partner = world.partner()
    world.set_receiver(WEBHOOK_HOST, script=[{"status": 503}, {"timeout": True}], then={"status": 204})
    partner.subscribe("order.shipped")
    at = world.now
    start_clock(world)
    world.simulate("single_order", key="partner.prepaid", to="shipped")
    wait_until(lambda: partner.get("/webhooks/1").json()["deliveries"][:1] != [])
    wait_until(lambda: partner.get("/webhooks/1").json()["deliveries"][0]["status"] == "delivered")
    rows = world.deliveries()
    assert [row["outcome"] for row in rows] == ["http_status", "timeout", "delivered"]
    gaps = [parse_instant(row["at"]) - parse_instant(rows[0]["at"]) for row in rows]
    assert gaps == [0, 5 * MINUTE, 20 * MINUTE]
    assert rows[0]["at"] > at


def test_an_idle_world_ends_within_a_second_of_its_ttl(remote_world: Make) -> None:
    began = time.perf_counter()
    ending = remote_world(ttl=0.3)
    assert ending.id in world_ids(ending)
    wait_until(lambda: ending.id not in world_ids(ending))
    assert 0.3 <= time.perf_counter() - began < 1.3


def test_a_world_in_use_outlives_its_ttl(remote_world: Make) -> None:
    world = remote_world(ttl=0.4)
    began = time.perf_counter()
    while time.perf_counter() - began < 1.2:
        assert world.call_control("GET", "")["id"] == world.id
    wait_until(lambda: world.id not in world_ids(world))


def test_a_full_disk_is_not_a_bug_of_a_running_clock(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    disk = RefusingDisk()
    system = SYSTEM._replace(open_file=disk.open)
    simulator = Simulator(fixture="empty", rate=3_600_000, journal=tmp_path / "journal", system=system)
    world = simulator.registry.worlds["default"]
    order = order_body(recipients=address_recipients())
    key = {"Authorization": "Bearer pk_live_default_prepaid"}
    assert simulator.client.call("POST", "/api/external/team-orders", body=order, headers=key).status == 201
    disk.is_full = True
    simulator.ticker.start()
    try:
        wait_until(lambda: world.clock.fired_count > 0)
        assert simulator.client.call("GET", "/_sim/v1/worlds/default/clock").status == 503
        disk.is_full = False
        wait_until(lambda: simulator.client.call("GET", "/_sim/v1/worlds/default/clock").status == 200)
    finally:
        simulator.close()
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
