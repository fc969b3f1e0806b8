"""The clock: advances and their results, running clocks, dry runs and timers."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from giftsim.engine.client.response import Response
from tests.support.actors import create_actor
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.instants import later
from tests.support.orders import address_recipients
from tests.support.responses import expect_error, status_and_code
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World


def test_an_advance_is_canceled_while_it_waits_for_a_delivery(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    def cancel() -> None:
        states.append(world.call_control("GET", "/clock")["advancing"])
        answers.append(world.control.delete(f"/worlds/{world.id}/clock/advance"))

    states: list[bool] = []
    answers: list[Response] = []
    partner.subscribe("team_order.claimed")
    world.set_receiver(mode="forward", to=start_receiver(cancel))
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    result = world.advance("30d")
    assert ([answer.status for answer in answers], states) == ([202], [True])
    assert result["canceled"]
    assert result["to"] == world.now == result["deliveries"][0]["at"]
    assert [row["outcome"] for row in world.deliveries()] == ["delivered"]
    rest = world.advance("30d")
    assert (rest["canceled"], rest["from"], rest["fired_by_kind"]["shipment.deliver"]) == (False, result["to"], 1)


def test_only_an_advance_that_is_under_way_can_be_canceled(world: World) -> None:
    response = world.control.delete(f"/worlds/{world.id}/clock/advance")
    assert status_and_code(response) == (409, "no_advance")
    assert not world.advance("1d")["canceled"]


def test_a_world_with_a_canceled_advance_is_recorded_and_replayed(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(
        mode="forward", to=start_receiver(lambda: world.control.delete(f"/worlds/{world.id}/clock/advance"))
    )
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance("30d")
    text = world.recording
    report = world.client.call(
        "POST", "/_sim/v1/scenarios/play", body=text, headers={"Content-Type": "application/yaml"}
    )
    assert (report.json()["outcome"], report.json()["fingerprint"]) == ("passed", world.fingerprint())


def test_a_dry_run_has_the_same_result_and_does_not_change_the_world(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    before = world.fingerprint()
    dry_run = world.advance("10d", dry_run=True)
    assert world.fingerprint() == before
    assert world.deliveries() == []
    result = world.advance("10d")
    assert (dry_run.pop("dry_run"), result.pop("dry_run")) == (True, False)
    assert dry_run == result
    assert dry_run["delivery_count"] == 2
    assert dry_run["events_by_type"] == {"team_order.delivered": 1, "team_order.shipped": 1}


def test_a_dry_run_shows_the_mail_that_would_be_sent(world: World) -> None:
    create_gift(TeamClients(world).live)
    create_actor(world, approver="any", decides="approve", after="2h")
    dry_run = world.advance("3h", dry_run=True)
    assert world.mail() == []
    world.advance("3h")
    members = ("seq", "at", "to", "kind", "subject")
    assert dry_run["mail"] == [{name: mail[name] for name in members} for mail in world.mail()]
    assert dry_run["mail_count"] == len(world.mail()) == 1


def test_a_dry_run_ends_early_after_max_events_without_an_error(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=address_recipients(2))
    report = world.advance("30d", dry_run=True, max_events=3)
    assert (report["canceled"], report["fired_count"] - report["hourly_runs"]) == (True, 3)
    assert report["to"] < later(world.now, "30d")
    whole = world.advance("30d", dry_run=True, max_events=8)
    assert (whole["canceled"], whole["fired_by_kind"]) == (False, world.advance("30d")["fired_by_kind"])


def test_a_dry_run_makes_no_network_calls(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(mode="forward", to="http://127.0.0.1:9")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    dry_run = world.advance("2h", dry_run=True)
    assert [row["outcome"] for row in dry_run["deliveries"]] == ["delivered"]
    assert dry_run["slow"] == []
    result = world.advance("2h")
    assert result["deliveries"][0]["outcome"] == "connection_refused"
    assert result["slow"][0]["host"] == WEBHOOK_HOST


Make = Callable[..., World]


def refused_advance(world: World, body: object) -> tuple[int, str]:
    """Status and code of an advance that is refused."""
    return status_and_code(world.control.post(f"/worlds/{world.id}/clock/advance", body))


def test_a_clock_is_stopped_by_default(new_world: Make) -> None:
    world = new_world(now="2027-01-04T09:00:00Z")
    assert world.call_control("GET", "/clock") == {
        "now": "2027-01-04T09:00:00Z", "mode": "manual", "rate": None, "next_due": "2027-01-04T10:00:00Z", "pending": 0,
        "advancing": False,
    }  # fmt: skip


def test_an_advance_goes_by_a_duration_to_an_instant_or_until_the_next_timer(new_world: Make) -> None:
    world = new_world(now="2027-01-04T09:00:00Z")
    assert world.advance("90s")["to"] == "2027-01-04T09:01:30Z"
    assert world.advance("PT36H")["to"] == "2027-01-05T21:01:30Z"
    assert world.advance(to="2027-01-06T00:00:00Z")["from"] == "2027-01-05T21:01:30Z"
    assert world.advance(until="next")["to"] == world.now == "2027-01-06T01:00:00Z"
    assert world.advance("0s")["to"] == "2027-01-06T01:00:00Z"


@pytest.mark.begins("2027-01-04T09:00:00Z")  # at a full hour, when webhooks are sent too
def test_an_advance_includes_what_is_due_at_its_end(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    assert [row["kind"] for row in world.fired(by="86399s")["fired"] if row["kind"] != "webhooks.source"] == []
    assert [row["kind"] for row in world.fired(by="1s")["fired"]] == ["shipment.produce", "webhooks.source"]


def test_an_advance_until_idle_leaves_no_timer(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    result = world.fired(until="idle")
    assert world.call_control("GET", "/clock")["pending"] == 0
    assert result["fired"][-1]["kind"].startswith("shipment.")


def test_the_clock_never_goes_back(world: World) -> None:
    earlier = world.now
    world.advance("1d")
    assert refused_advance(world, {"to": earlier}) == (409, "clock_backwards")
    assert refused_advance(world, {"by": "999999999999w"}) == (409, "end_of_calendar")


def test_an_advance_needs_exactly_one_valid_goal(world: World) -> None:
    for body in ({}, {"by": "1d", "until": "idle"}, {"by": "a while"}, {"until": "nxt"}, {"to": "tomorrow"}, {"by": 3}):
        assert refused_advance(world, body) == (400, "invalid_body"), body


def test_fired_timers_are_listed_in_order_with_the_hourly_runs(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Bo", "email": "bo@example.com"}])
    world.simulate("claim", team_order_id=1001, recipient=0)
    result = world.fired(by="26h")
    assert result["fired_count"] == len(result["fired"]) == 27
    kinds = [entry["kind"] for entry in result["fired"]]
    assert kinds.count("webhooks.source") == 26
    produced = next(entry for entry in result["fired"] if entry["kind"] == "shipment.produce")
    assert produced["subject"] == "team_order 1001 recipient 200001"
    assert [entry["at"] for entry in result["fired"]] == sorted(entry["at"] for entry in result["fired"])


def test_an_advance_says_what_changed_and_counts_the_hourly_runs(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Bo", "email": "bo@example.com"}])
    world.simulate("claim", team_order_id=1001, recipient=0)
    result = world.advance("30d")
    assert "fired" not in result
    assert (result["fired_count"], result["hourly_runs"]) == (30 * 24 + 4, 30 * 24)
    kinds = ["shipment.produce", "shipment.label", "shipment.ship", "shipment.deliver"]
    assert result["fired_by_kind"] == dict.fromkeys(sorted(kinds), 1)
    assert result["changed"] == [
        {
            "subject": "team_order 1001 recipient 200001", "about": {"kind": "team_order", "id": 1001},
            "kinds": kinds, "at": later(result["from"], "120h"),
        }
    ]  # fmt: skip


def test_what_changed_is_cut_at_100_subjects_but_the_counts_are_not(world: World, partner: PartnerClient) -> None:
    world.change_account(add_cents=5_000_000)
    partner.create_order(recipients=address_recipients(80))
    partner.create_order(idempotency_key="second", recipients=address_recipients(40))
    result = world.advance("30d")
    assert (len(result["changed"]), result["fired_by_kind"]["shipment.deliver"]) == (100, 120)


def test_the_list_of_fired_timers_is_cut_at_1000_but_the_count_is_not(world: World) -> None:
    result = world.fired(by="100d")
    assert (len(result["fired"]), result["fired_count"]) == (1000, 2400)


def test_an_advance_lists_the_attempts_it_caused(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    world.set_receiver(script=[{"status": 503}])
    partner.create_order()
    world.simulate("shipment", team_order_id=1001, to="shipped")
    result = world.advance("2h")
    assert result["delivery_count"] == 2
    assert [(row["type"], row["attempt"], row["outcome"], row["status"]) for row in result["deliveries"]] == [
        ("team_order.shipped", 1, "http_status", 503),
        ("team_order.shipped", 2, "delivered", 200),
    ]
    assert world.advance("1d")["delivery_count"] == 0
    assert result["slow"] == []


def test_hourly_runs_are_counted_apart_and_do_not_use_up_max_events(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    exact = world.fired(by="30d", max_events=4)
    assert (exact["fired_count"], exact["hourly_runs"]) == (30 * 24 + 4, 30 * 24)
    assert len([row for row in exact["fired"] if row["kind"] != "webhooks.source"]) == 4
    quiet = world.advance("365d", max_events=1)
    assert quiet["fired_count"] == quiet["hourly_runs"] == 365 * 24


def test_one_event_more_than_max_events_stops_the_advance_before_it(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    start = world.now
    response = world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "30d", "max_events": 3})
    error = expect_error(response, 409, "too_many_events")
    assert error["details"]["now"] == later(start, "72h")
    assert error["details"]["fired_count"] - error["details"]["hourly_runs"] == 3
    assert "after 3 events besides hourly runs" in error["message"]
    rest = world.advance("30d", max_events=1)
    assert rest["fired_count"] - rest["hourly_runs"] == 1


def test_an_hourly_run_with_events_to_send_is_not_an_event_either(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    report = world.advance("2h", max_events=1)
    assert (report["fired_count"], report["hourly_runs"], report["delivery_count"]) == (3, 2, 1)


def test_an_advance_stops_after_max_events(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    response = world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "30d", "max_events": 2})
    error = expect_error(response, 409, "too_many_events")
    assert error["details"]["now"] == world.now
    assert error["details"]["fired_count"] >= 2
    assert "shipment.produce" in error["details"]["busiest"]
    world.advance("30d")


def test_timers_are_listed_in_pages_with_subject_and_reason(world: World, partner: PartnerClient) -> None:
    assert [timer["kind"] for timer in world.call_control("GET", "/timers")["timers"]] == ["webhooks.source"]
    partner.create_order(recipients=[{"name": name, "email": f"{name}@example.com"} for name in "abc"])
    first = world.call_control("GET", "/timers?limit=2")
    rest = world.call_control("GET", f"/timers?after={first['next']}")
    timers = first["timers"] + rest["timers"]
    assert [timer["kind"] for timer in timers] == ["webhooks.source"] + ["shipment.expire"] * 3
    assert rest["next"] is None
    assert timers[1]["subject"] == "team_order 1001 recipient 200001"
    assert timers[1]["because"] == "the claim link expires"
    assert [timer["due"] for timer in timers] == sorted(timer["due"] for timer in timers)


def test_the_hourly_run_is_listed_once_when_an_event_waits_for_it(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    kinds = [timer["kind"] for timer in world.call_control("GET", "/timers")["timers"]]
    assert kinds.count("webhooks.source") == 1


def test_a_running_clock_can_be_stopped(new_world: Make) -> None:
    world = new_world(now="2027-01-04T09:00:00Z", clock={"mode": "running", "rate": 1_000_000})
    assert world.description["clock"] == {"mode": "running", "rate": 1_000_000}
    while world.now == "2027-01-04T09:00:00Z":
        pass
    stopped = world.call_control("PUT", "/clock", {"mode": "manual"})
    assert stopped["mode"] == "manual"
    assert stopped["now"] > "2027-01-04T09:00:00Z"
    assert world.now == stopped["now"]


def test_a_running_world_runs_due_timers_before_a_read(new_world: Make) -> None:
    world = new_world(clock={"mode": "running", "rate": 1_000_000})
    partner = world.partner()
    partner.create_order()
    world.simulate("shipment", team_order_id=1001, to="shipped")
    while world.call_control("GET", "/parcels")["parcels"][0]["status"] != "delivered":
        pass
    parcel = world.call_control("GET", "/parcels")["parcels"][0]
    assert parcel["delivered_at"] <= world.now


def test_an_invalid_rate_is_refused(world: World) -> None:
    for body in ({"mode": "running", "rate": 0}, {"mode": "running", "rate": 1_000_001}, {"mode": "fast"}, {"rate": 1}):
        response = world.control.call("PUT", f"/worlds/{world.id}/clock", body)
        assert status_and_code(response) == (400, "invalid_body"), body


def test_calls_during_a_delivery_are_served_unless_they_need_the_clock(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    responses: list[tuple[str, int, str]] = []
    outcomes: list[str | None] = []

    def call_back() -> None:
        base = f"/worlds/{world.id}"
        for method, path, body in (
            ("POST", f"{base}/clock/advance", {"by": "1d"}),
            ("PUT", f"{base}/clock", {"mode": "manual"}),
            ("POST", f"{base}/fork", {}),
            ("POST", f"{base}/snapshots", {"name": "inside"}),
            ("GET", f"{base}/clock", None),
        ):
            response = world.control.call(method, path, body)
            content = response.json()
            code_or_now = content["error"]["code"] if "error" in content else content.get("now", "")
            responses.append((path.removeprefix(base), response.status, code_or_now))
        outcomes.extend(row["outcome"] for row in world.deliveries())

    world.set_receiver(mode="forward", to=start_receiver(call_back))
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    result = world.advance("3h")
    at = result["deliveries"][0]["at"]
    assert responses == [
        ("/clock/advance", 409, "clock_busy"),
        ("/clock", 409, "clock_busy"),
        ("/fork", 409, "clock_busy"),
        ("/snapshots", 409, "clock_busy"),
        ("/clock", 200, at),
    ]
    assert outcomes == [None]
    assert result["deliveries"][0]["outcome"] == "delivered"
    assert result["slow"][0]["host"] == WEBHOOK_HOST


def test_deleting_the_world_ends_its_advance(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    world.set_receiver(mode="forward", to=start_receiver(lambda: world.control.delete(f"/worlds/{world.id}")))
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    assert refused_advance(world, {"by": "3h"}) == (409, "world_gone")


def test_worlds_advance_concurrently(new_world: Make) -> None:
    worlds = [new_world() for _ in range(4)]
    threads = [threading.Thread(target=world.advance, args=("365d",)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({world.now for world in worlds}) == 1
