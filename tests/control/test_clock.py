"""The clock: it stands, runs and jumps, and says what happened on the way."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.worlds import World

Make = Callable[..., World]


def refused(world: World, body: object) -> tuple[int, str]:
    """Status and code of an advance that is refused."""
    response = world.control.post(f"/worlds/{world.id}/clock/advance", body)
    return response.status, response.json()["error"]["code"]


def test_a_clock_stands_unless_told(new_world: Make) -> None:
    world = new_world(now="2027-01-04T09:00:00Z")
    assert world.call_control("GET", "/clock") == {
        "now": "2027-01-04T09:00:00Z", "mode": "manual", "rate": None, "next_due": "2027-01-04T10:00:00Z", "pending": 0,
    }  # fmt: skip


def test_it_goes_by_a_span_to_an_instant_and_until_the_next_thing(new_world: Make) -> None:
    world = new_world(now="2027-01-04T09:00:00Z")
    assert world.advance("90s")["to"] == "2027-01-04T09:01:30Z"
    assert world.advance("PT36H")["to"] == "2027-01-05T21:01:30Z"
    assert world.advance(to="2027-01-06T00:00:00Z")["from"] == "2027-01-05T21:01:30Z"
    assert world.advance(until="next")["to"] == world.now == "2027-01-06T01:00:00Z"
    assert world.advance("0s")["to"] == "2027-01-06T01:00:00Z"


def test_until_idle_leaves_nothing_due(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    told = world.advance(until="idle")
    assert world.call_control("GET", "/clock")["pending"] == 0
    assert told["fired"][-1]["kind"].startswith("shipment.")


def test_it_never_goes_back(world: World) -> None:
    earlier = world.now
    world.advance("1d")
    assert refused(world, {"to": earlier}) == (409, "clock_backwards")
    assert refused(world, {"by": "999999999999w"}) == (409, "clock_backwards")


def test_an_advance_has_one_goal_that_can_be_read(world: World) -> None:
    for body in ({}, {"by": "1d", "until": "idle"}, {"by": "a while"}, {"until": "nxt"}, {"to": "tomorrow"}, {"by": 3}):
        assert refused(world, body) == (400, "invalid_body"), body


def test_what_fired_is_told_in_order_with_the_hourly_runs_among_it(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Bo", "email": "bo@example.com"}])
    world.simulate("claim", team_order_id=1001, recipient=0)
    told = world.advance("26h")
    assert told["fired_count"] == len(told["fired"]) == 27
    kinds = [entry["kind"] for entry in told["fired"]]
    assert kinds.count("webhooks.source") == 26
    produced = next(entry for entry in told["fired"] if entry["kind"] == "shipment.produce")
    assert produced["subject"] == "team_order 1001 recipient 200001"
    assert [entry["at"] for entry in told["fired"]] == sorted(entry["at"] for entry in told["fired"])


def test_a_list_is_cut_at_a_thousand_and_its_count_is_not(world: World) -> None:
    told = world.advance("100d")
    assert (len(told["fired"]), told["fired_count"]) == (1000, 2400)


def test_the_attempts_of_the_span_are_told(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    world.set_receiver(script=[{"status": 503}])
    partner.create_order()
    world.simulate("shipment", team_order_id=1001, to="shipped")
    told = world.advance("2h")
    assert told["delivery_count"] == 2
    assert [(row["type"], row["attempt"], row["outcome"], row["status"]) for row in told["deliveries"]] == [
        ("team_order.shipped", 1, "http_status", 503),
        ("team_order.shipped", 2, "delivered", 200),
    ]
    assert world.advance("1d")["delivery_count"] == 0
    assert told["slow"] == []


def test_too_many_events_stop_it_where_it_is(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    response = world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "30d", "max_events": 30})
    error = response.json()["error"]
    assert (response.status, error["code"]) == (409, "too_many_events")
    assert error["details"]["now"] == world.now
    assert error["details"]["fired_count"] >= 30
    assert "shipment.produce" in error["details"]["busiest"]
    world.advance("30d")


def test_a_dry_run_tells_the_same_and_leaves_the_world_as_it_is(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    before = world.fingerprint()
    dry = world.advance("10d", dry_run=True)
    assert world.fingerprint() == before
    assert world.deliveries() == []
    wet = world.advance("10d")
    assert (dry.pop("dry_run"), wet.pop("dry_run")) == (True, False)
    assert dry == wet
    assert dry["delivery_count"] == 2


def test_a_dry_run_sends_nothing_to_real_receivers(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(mode="forward", to="http://127.0.0.1:9")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    dry = world.advance("2h", dry_run=True)
    assert [row["outcome"] for row in dry["deliveries"]] == ["delivered"]
    assert dry["slow"] == []
    wet = world.advance("2h")
    assert wet["deliveries"][0]["outcome"] == "connection_refused"
    assert wet["slow"][0]["host"] == WEBHOOK_HOST


def test_timers_say_what_is_due_next_and_why(world: World, partner: PartnerClient) -> None:
    assert [timer["kind"] for timer in world.call_control("GET", "/timers")["timers"]] == ["webhooks.source"]
    partner.create_order(recipients=[{"name": name, "email": f"{name}@example.com"} for name in "abc"])
    first = world.call_control("GET", "/timers?limit=2")
    rest = world.call_control("GET", f"/timers?after={first['next']}")
    shown = first["timers"] + rest["timers"]
    assert [timer["kind"] for timer in shown] == ["webhooks.source"] + ["shipment.expire"] * 3
    assert rest["next"] is None
    assert shown[1]["subject"] == "team_order 1001 recipient 200001"
    assert shown[1]["because"] == "the claim link expires"
    assert [timer["due"] for timer in shown] == sorted(timer["due"] for timer in shown)


def test_the_hourly_run_is_one_timer_even_when_something_waits_for_it(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    kinds = [timer["kind"] for timer in world.call_control("GET", "/timers")["timers"]]
    assert kinds.count("webhooks.source") == 1


def test_a_running_clock_goes_on_and_can_be_stopped(new_world: Make) -> None:
    world = new_world(now="2027-01-04T09:00:00Z", clock={"mode": "running", "rate": 1_000_000})
    assert world.description["clock"] == {"mode": "running", "rate": 1_000_000}
    while world.now == "2027-01-04T09:00:00Z":
        pass
    stopped = world.call_control("PUT", "/clock", {"mode": "manual"})
    assert stopped["mode"] == "manual"
    assert stopped["now"] > "2027-01-04T09:00:00Z"
    assert world.now == stopped["now"]


def test_a_running_world_does_what_is_due_before_anybody_sees_it(new_world: Make) -> None:
    world = new_world(clock={"mode": "running", "rate": 1_000_000})
    partner = world.partner()
    partner.create_order()
    world.simulate("shipment", team_order_id=1001, to="shipped")
    while world.call_control("GET", "/parcels")["parcels"][0]["status"] != "delivered":
        pass
    parcel = world.call_control("GET", "/parcels")["parcels"][0]
    assert parcel["delivered_at"] <= world.now


def test_a_clock_takes_a_pace_within_bounds(world: World) -> None:
    for body in ({"mode": "running", "rate": 0}, {"mode": "running", "rate": 1_000_001}, {"mode": "fast"}, {"rate": 1}):
        response = world.control.call("PUT", f"/worlds/{world.id}/clock", body)
        assert (response.status, response.json()["error"]["code"]) == (400, "invalid_body"), body


def test_an_advance_from_inside_a_delivery_is_busy_and_other_calls_are_served(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    seen: list[tuple[str, int, str]] = []
    standing: list[str | None] = []

    def called_back() -> None:
        base = f"/worlds/{world.id}"
        for method, path, body in (
            ("POST", f"{base}/clock/advance", {"by": "1d"}),
            ("PUT", f"{base}/clock", {"mode": "manual"}),
            ("POST", f"{base}/reset", None),
            ("POST", f"{base}/fork", {}),
            ("POST", f"{base}/snapshots", {"name": "inside"}),
            ("GET", f"{base}/clock", None),
        ):
            response = world.control.call(method, path, body)
            shown = response.json()
            said = shown["error"]["code"] if "error" in shown else shown.get("now", "")
            seen.append((path.removeprefix(base), response.status, said))
        standing.extend(row["outcome"] for row in world.deliveries())

    world.set_receiver(mode="forward", to=start_receiver(called_back))
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    told = world.advance("3h")
    at = told["deliveries"][0]["at"]
    assert seen == [
        ("/clock/advance", 409, "clock_busy"),
        ("/clock", 409, "clock_busy"),
        ("/reset", 409, "clock_busy"),
        ("/fork", 409, "clock_busy"),
        ("/snapshots", 409, "clock_busy"),
        ("/clock", 200, at),
    ]
    assert standing == [None]
    assert told["deliveries"][0]["outcome"] == "delivered"
    assert told["slow"][0]["host"] == WEBHOOK_HOST


def test_deleting_the_world_ends_its_advance(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    world.set_receiver(mode="forward", to=start_receiver(lambda: world.control.delete(f"/worlds/{world.id}")))
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    assert refused(world, {"by": "3h"}) == (409, "world_gone")


def test_worlds_advance_beside_one_another(new_world: Make) -> None:
    worlds = [new_world() for _ in range(4)]
    threads = [threading.Thread(target=world.advance, args=("365d",)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({world.now for world in worlds}) == 1
