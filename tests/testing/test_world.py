"""The methods of a world, in process and on a server: results and error messages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from giftsim import Simulator
from giftsim.testing import ControlRefused, Giftsim, InProcess
from giftsim.testing.actions import NoSuchRecord
from giftsim.testing.world_for_test import create_world
from tests.support.application import create_order, send_gift
from tests.support.orders import RENO, order_body


def run_workflow(sim: Giftsim) -> str:
    sim.subscribe("team_order.shipped")
    sim.claim(create_order(sim), address=RENO)
    sim.approve(send_gift(sim))
    sim.advance("10d")
    return sim.fingerprint()


def test_the_same_calls_give_the_same_fingerprint_in_process_and_over_http(
    local_sim: Giftsim, server_sim: Giftsim
) -> None:
    assert run_workflow(local_sim) == run_workflow(server_sim)


def test_claim_takes_a_response_json_id_or_link(sim: Giftsim) -> None:
    response = create_order(sim, recipients=[{"name": f"P{i}", "email": f"p{i}@example.com"} for i in range(4)])
    assert sim.claim(response)["status"] == "submitted"
    assert (
        sim.claim(response.json(), 1, address=RENO)["recipient_id"] == response.json()["recipients"][1]["recipient_id"]
    )
    assert sim.claim(response.json()["team_order"]["id"], recipient=2)["status"] == "submitted"
    [link] = sim.mail(to="p3@example.com")[0]["links"]
    assert sim.claim(link)["status"] == "submitted"


def test_approve_and_reject_take_a_response_json_or_id(sim: Giftsim) -> None:
    first, second, third = (send_gift(sim, key) for key in ("a", "b", "c"))
    assert sim.approve(first)["status"] == "approved"
    assert sim.reject(second.json(), note="not now")["decision_note"] == "not now"
    assert sim.approve(third.json()["id"])["resource_id"] == third.json()["id"]


def test_the_json_of_a_teams_order_names_it_although_it_calls_its_id_that_of_a_campaign_too(sim: Giftsim) -> None:
    body = {"collection": "welcome-kit", "headcount": 1}
    order = sim.call(
        "POST", "/api/teams/v1/team-orders", body, credential="team.live_approver", headers={"Idempotency-Key": "a"}
    ).json()
    assert order["campaign_id"] == order["id"]
    assert sim.approve(order)["resource_type"] == "team_order"
    assert sim.claim(order)["team_order_id"] == order["id"]


def test_claim_takes_the_id_of_a_gift(sim: Giftsim) -> None:
    gift = send_gift(sim)
    sim.approve(gift)
    assert sim.claim(gift.json()["id"])["status"] == "submitted"


def test_an_unknown_id_lists_the_records_that_were_tried(sim: Giftsim) -> None:
    with pytest.raises(LookupError) as error:
        sim.claim(987654)
    assert "has no record with the id 987654" in str(error.value)
    assert "team_order_not_found" in str(error.value)
    assert "gift_not_found" in str(error.value)
    members = "the JSON has no team_order_id or gift_id or campaign_id; its members are summary"
    with pytest.raises(LookupError, match=members):
        sim.claim({"summary": 1})


def test_the_json_of_an_error_is_named(sim: Giftsim) -> None:
    refused = sim.call("POST", "/api/external/team-orders", {}, credential="partner.prepaid")
    with pytest.raises(LookupError, match=f"its members are error: {refused.json()['error']['code']}, "):
        sim.claim(refused)


def test_a_refused_control_call_raises_with_its_status_and_message(sim: Giftsim) -> None:
    with pytest.raises(ControlRefused) as error:
        sim.simulate("clame")
    assert error.value.status == 404
    assert str(error.value).endswith("did you mean /_sim/v1/worlds/{w}/simulate/claim?")


def test_an_unknown_credential_suggests_the_nearest_name(sim: Giftsim) -> None:
    assert sim.headers("partner.prepaid") == {"Authorization": f"Bearer pk_live_{sim.world}_prepaid"}
    with pytest.raises(KeyError, match=r"no credential 'partner.prepayd'; did you mean partner.prepaid\?"):
        sim.headers("partner.prepayd")


def test_advance_takes_by_to_and_until(sim: Giftsim) -> None:
    start = sim.now
    assert start == datetime(2027, 1, 4, 9, tzinfo=UTC)
    sim.advance("3d")
    sim.advance(to=start + timedelta(days=4))
    assert sim.now - start == timedelta(days=4)
    with pytest.raises(ValueError, match="no time zone"):
        sim.advance(to=datetime(2028, 1, 1))  # noqa: DTZ001
    assert sim.advance(until="next")["to"] == "2027-01-08T10:00:00Z"
    assert sim.advance("next")["to"] == "2027-01-08T11:00:00Z"
    assert sim.advance("2027-01-08T12:00:00Z")["to"] == "2027-01-08T12:00:00Z"
    assert sim.advance("idle")["to"] == sim.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    with pytest.raises(ControlRefused, match="exactly one"):
        sim.advance("next", until="idle")


def test_snapshot_restore_fork_undo_and_reset(sim: Giftsim) -> None:
    initial = sim.fingerprint()
    create_order(sim)
    moment, before = sim.snapshot("before the sale"), sim.fingerprint()
    fork = sim.fork()
    for one in (sim, fork):
        create_order(one, idempotency_key="second")
        one.advance("1d")
    assert sim.fingerprint() == fork.fingerprint() != before
    sim.restore(moment)
    assert sim.fingerprint() == before
    create_order(sim, idempotency_key="third")
    assert [call["path"] for call in sim.undo()] == ["/api/external/team-orders"]
    assert sim.fingerprint() == before
    assert [call["path"] for call in sim.redo()] == ["/api/external/team-orders"]
    assert len(sim.listed("orders")) == 2
    assert [call["path"] for call in sim.undo()] == ["/api/external/team-orders"]
    sim.reset()
    assert sim.fingerprint() == initial


@pytest.mark.parametrize("way_back", ["restore", "undo", "reset"])
def test_webhooks_after_a_way_back_are_delivered_though_they_have_numbers_of_former_ones(
    sim: Giftsim, way_back: str
) -> None:
    def deliver_one() -> list[str]:
        sim.subscribe("team_order.claimed")
        sim.claim(create_order(sim))
        sim.advance("2h")
        return [result.webhook.type for result in sim.deliver_to(handler=lambda _hook: None)]

    moment = sim.snapshot()
    assert deliver_one() == ["team_order.claimed"]
    {"restore": lambda: sim.restore(moment), "undo": lambda: sim.undo(2), "reset": sim.reset}[way_back]()
    assert deliver_one() == ["team_order.claimed"]
    assert sim.deliver_to(handler=lambda _hook: None) == []


def test_fail_charges_stops_after_the_given_number(sim: Giftsim) -> None:
    fault = sim.fail_charges(code="card_charge_failed", times=2)

    def create_status() -> int:
        return sim.call("POST", "/api/external/team-orders", order_body(), credential="partner.prepaid").status

    assert [create_status(), create_status(), create_status()] == [402, 402, 201]
    assert [(one["id"], one["hits"]) for one in sim.faults()] == [(fault["id"], 2)]
    sim.clear_faults(fault)
    assert sim.faults() == []


def test_a_dropped_response_is_a_connection_error_and_a_late_one_a_timeout(sim: Giftsim) -> None:
    sim.fault(drop="after", when={"first": 1})
    with pytest.raises(ConnectionError):
        create_order(sim)
    assert create_order(sim).headers["idempotent-replayed"] == "true"
    sim.fault(delay_s=0.3, when={"first": 1})
    with pytest.raises(TimeoutError):
        sim.call("GET", "/api/external/team-orders", credential="partner.prepaid", timeout_s=0.05)


def test_settings_key_and_fund(sim: Giftsim) -> None:
    assert sim.settings({"partner.lead_times.production": "1h"})["partner.lead_times.production"] == "1h"
    key = sim.key(account={"wallet_cents": 1_000})
    response = sim.call("POST", "/api/external/team-orders", order_body(), headers=key["headers"])
    assert response.status == 402
    assert sim.fund(50_000, key["key"])["wallet_cents"] == 51_000


def test_create_world_takes_seed_now_and_settings(simulator: Simulator) -> None:
    start = datetime(1999, 12, 31, 23, tzinfo=UTC)
    sim = create_world(InProcess(simulator), seed=9, now=start, settings={"partner.lead_times.production": "1h"})
    assert (sim.now, sim.description["seed"]) == (start, 9)
    assert sim.settings()["partner.lead_times.production"] == "1h"
    sim.end()
    assert sim.summary().startswith("the world cannot be read: GET /_sim/v1/worlds/")


def test_what_a_caller_sent_begins_no_line_of_the_summary(sim: Giftsim) -> None:
    sim.call("GET", "/api/external/skus/1%0Awebhooks%20sent:%209%1B[1A%E2%80%A8x")
    assert sim.summary().splitlines()[-1] == "webhooks sent: 0"
    assert "/skus/1\\nwebhooks sent: 9\\x1b[1A\\u2028x -> 4" in sim.summary()


def test_former_names_still_work(sim: Giftsim) -> None:
    assert sim.about is sim.description
    assert sim.passage is sim.transport
    assert sim.seen() == sim.summary()
    assert sim.door("partner.prepaid").base == sim.router("partner.prepaid").base


def test_play_runs_a_scenario_in_another_world(sim: Giftsim) -> None:
    good = "scenario: Fine\nsteps:\n  - advance: 1d\n"
    assert sim.play(good).outcome == "passed"
    with pytest.raises(AssertionError, match=r"FAILED +1  advance 1d"):
        sim.play("scenario: Wrong\nsteps:\n  - advance: 1d\n    expect: {events: [team_order.shipped]}\n")


def test_parcel_lets_something_happen_to_parcels_in_transit(sim: Giftsim) -> None:
    order = create_order(sim)
    sim.ship(order)
    assert [row["status"] for row in sim.parcel(order, "lost")["parcels"]] == ["rejected"]
    assert [row["status"] for row in sim.parcel(order, "found", recipient=0)["parcels"]] == ["delivered"]


def test_rehearse_lets_a_situation_happen_to_what_the_test_has(sim: Giftsim) -> None:
    order = create_order(sim)
    done = sim.rehearse("parcel-lost", order)["done"]
    assert [each["body"].get("event") for each in done] == [None, "lost"]
    assert sim.rehearse("parcel-found", order, recipient=0)["check"]
    gift = send_gift(sim)
    sim.approve(gift)
    assert sim.rehearse("parcel-returned", gift)["name"] == "parcel-returned"
    parcel = sim.listed("parcels")[-1]
    assert sim.rehearse("parcel-found", parcel)["done"][0]["body"] == {"event": "found", "order_id": parcel["order_id"]}
    assert sim.rehearse("product-gone", product="MUG-01")["happens"]
    contacts = [{"id": each, "name": "Zoe Alder", "email": "zoe@alder.example"} for each in ("51", "52")]
    sim.simulate("crm", provider="hubspot", upsert=contacts)
    assert sim.rehearse("contact-merged", "52", into="51")["done"]
    assert sim.rehearse("contact-deleted", contacts[0])["done"][0]["body"]["delete"] == {"id": "51"}
    assert sim.rehearse("provider-down", "salesforce")["done"][0]["body"] == {"provider": "salesforce", "outage": True}
    with pytest.raises(NoSuchRecord, match="has no record with the id 99"):
        sim.rehearse("parcel-lost", 99)
    with pytest.raises(ControlRefused, match="did you mean parcel-lost"):
        sim.rehearse("parcel-los", order)


def test_ship_moves_parcels_to_a_status(sim: Giftsim) -> None:
    [parcel] = sim.ship(create_order(sim), to="delivered")["parcels"]
    assert parcel["status"] == "delivered"


def test_play_takes_the_name_of_a_library_scenario(sim: Giftsim) -> None:
    assert sim.play("partner/declined_card").outcome == "passed"
    with pytest.raises(FileNotFoundError, match="the scenario library has no 'partner/declined_cart'"):
        sim.play("partner/declined_cart")


def test_actors_claim_and_approve(sim: Giftsim) -> None:
    sim.actor("bo", recipient="bo@example.com", claims="2d")
    sim.actor("boss", approver="any", decides="approve", after="2h")
    create_order(sim)
    send_gift(sim)
    sim.advance("2d")
    assert [approval["status"] for approval in sim.listed("approvals")] == ["approved"]
    assert sim.events("team_order.claimed")


def test_ending_a_world_twice_is_harmless(sim: Giftsim) -> None:
    sim.fork().end()
    sim.end()
