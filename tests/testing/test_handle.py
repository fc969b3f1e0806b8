"""A world in a test's hand: the same words in process and over HTTP, and errors that say what to do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.testing import ControlRefused, Giftsim, InProcess
from giftsim.testing.world import create_world
from tests.support.orders import RENO, order_body

GIFT = {
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    "gift": {"collection_slug": "welcome-kit"},
    "message": "Welcome!",
}


def ordered(held: Giftsim, **members: Any) -> Any:
    answer = held.call("POST", "/api/external/team-orders", order_body(**members), credential="partner.prepaid")
    assert answer.status == 201, answer.text
    return answer


def given(held: Giftsim, key: str = "gift") -> Any:
    told = {"Idempotency-Key": key}
    answer = held.call("POST", "/api/teams/v1/gifts", GIFT, credential="team.live_approver", headers=told)
    assert answer.status == 201, answer.text
    return answer


def story(held: Giftsim) -> str:
    held.subscribe("team_order.shipped")
    held.claim(ordered(held), address=RENO)
    held.approve(given(held))
    held.advance("10d")
    return held.fingerprint()


def test_a_story_leaves_the_same_fingerprint_in_process_and_over_http(here: Giftsim, there: Giftsim) -> None:
    assert story(here) == story(there)


def test_a_recipient_claims_by_answer_data_id_or_link(held: Giftsim) -> None:
    answer = ordered(held, recipients=[{"name": f"P{i}", "email": f"p{i}@example.com"} for i in range(4)])
    assert held.claim(answer)["status"] == "submitted"
    assert held.claim(answer.json(), 1, address=RENO)["recipient_id"] == answer.json()["recipients"][1]["recipient_id"]
    assert held.claim(answer.json()["team_order"]["id"], recipient=2)["status"] == "submitted"
    [link] = held.mail(to="p3@example.com")[0]["links"]
    assert held.claim(link)["status"] == "submitted"


def test_an_approver_decides_by_answer_data_or_id(held: Giftsim) -> None:
    first, second, third = (given(held, key) for key in ("a", "b", "c"))
    assert held.approve(first)["status"] == "approved"
    assert held.reject(second.json(), note="not now")["decision_note"] == "not now"
    assert held.approve(third.json()["id"])["resource_id"] == third.json()["id"]


def test_a_gift_is_claimed_by_its_id(held: Giftsim) -> None:
    gift = given(held)
    held.approve(gift)
    assert held.claim(gift.json()["id"])["status"] == "submitted"


def test_an_id_of_nothing_names_all_it_could_have_been(held: Giftsim) -> None:
    with pytest.raises(LookupError) as told:
        held.claim(987654)
    assert "nothing by the id 987654" in str(told.value)
    assert "team_order_not_found" in str(told.value)
    assert "gift_not_found" in str(told.value)
    with pytest.raises(LookupError, match="its members are summary"):
        held.claim({"summary": 1})


def test_a_refusal_has_its_code_and_words(held: Giftsim) -> None:
    with pytest.raises(ControlRefused) as told:
        held.simulate("clame")
    assert told.value.status == 404
    assert str(told.value).endswith("did you mean /_sim/v1/worlds/{w}/simulate/claim?")


def test_a_credential_that_is_not_there_is_named_with_the_nearest_one(held: Giftsim) -> None:
    assert held.headers("partner.prepaid") == {"Authorization": f"Bearer pk_live_{held.world}_prepaid"}
    with pytest.raises(KeyError, match=r"no credential 'partner.prepayd'; did you mean partner.prepaid\?"):
        held.headers("partner.prepayd")


def test_time_passes_by_to_and_until(held: Giftsim) -> None:
    began = held.now
    assert began == datetime(2027, 1, 4, 9, tzinfo=UTC)
    held.advance("3d")
    held.advance(to=began + timedelta(days=4))
    assert held.now - began == timedelta(days=4)
    with pytest.raises(ValueError, match="no time zone"):
        held.advance(to=datetime(2028, 1, 1))  # noqa: DTZ001
    assert held.advance(until="next")["to"] == "2027-01-08T10:00:00Z"


def test_moments_are_kept_restored_forked_and_reset(held: Giftsim) -> None:
    born = held.fingerprint()
    ordered(held)
    moment, before = held.snapshot(), held.fingerprint()
    twin = held.fork()
    for one in (held, twin):
        ordered(one, idempotency_key="second")
        one.advance("1d")
    assert held.fingerprint() == twin.fingerprint() != before
    held.restore(moment)
    assert held.fingerprint() == before
    ordered(held, idempotency_key="third")
    assert [call["path"] for call in held.undo()] == ["/api/external/team-orders"]
    assert held.fingerprint() == before
    held.reset()
    assert held.fingerprint() == born


def test_charges_fail_so_often_and_then_no_more(held: Giftsim) -> None:
    fault = held.fail_charges(code="card_charge_failed", times=2)

    def tried() -> int:
        return held.call("POST", "/api/external/team-orders", order_body(), credential="partner.prepaid").status

    assert [tried(), tried(), tried()] == [402, 402, 201]
    assert [(one["id"], one["hits"]) for one in held.faults()] == [(fault["id"], 2)]
    held.clear_faults(fault)
    assert held.faults() == []


def test_a_lost_answer_is_a_connection_error_and_a_late_one_a_timeout(held: Giftsim) -> None:
    held.fault(drop="after", when={"first": 1})
    with pytest.raises(ConnectionError):
        ordered(held)
    assert ordered(held).headers["idempotent-replayed"] == "true"
    held.fault(delay_s=0.3, when={"first": 1})
    with pytest.raises(TimeoutError):
        held.call("GET", "/api/external/team-orders", credential="partner.prepaid", timeout_s=0.05)


def test_settings_and_keys_are_at_hand(held: Giftsim) -> None:
    assert held.settings({"partner.lead_times.production": "1h"})["partner.lead_times.production"] == "1h"
    key = held.key(account={"wallet_cents": 1_000})
    answer = held.call("POST", "/api/external/team-orders", order_body(), headers=key["headers"])
    assert answer.status == 402
    assert held.fund(50_000, key["key"])["wallet_cents"] == 51_000


def test_a_world_begins_as_told(simulator: Simulator) -> None:
    began = datetime(1999, 12, 31, 23, tzinfo=UTC)
    held = create_world(InProcess(simulator), seed=9, now=began, settings={"partner.lead_times.production": "1h"})
    assert (held.now, held.description["seed"]) == (began, 9)
    assert held.settings()["partner.lead_times.production"] == "1h"
    held.end()
    assert held.seen().startswith("it cannot be looked into: GET /_sim/v1/worlds/")


def test_a_scenario_is_played_beside_the_world(held: Giftsim) -> None:
    good = "scenario: Fine\nsteps:\n  - advance: 1d\n"
    assert held.play(good).outcome == "passed"
    with pytest.raises(AssertionError, match=r"FAILED +1  advance 1d"):
        held.play("scenario: Wrong\nsteps:\n  - advance: 1d\n    expect: {events: [team_order.shipped]}\n")


def test_parcels_go_where_they_are_sent(held: Giftsim) -> None:
    [parcel] = held.ship(ordered(held), to="delivered")["parcels"]
    assert parcel["status"] == "delivered"


def test_a_scenario_of_the_library_is_played_by_its_name(held: Giftsim) -> None:
    assert held.play("partner/declined_card").outcome == "passed"
    with pytest.raises(FileNotFoundError, match="no scenario 'partner/declined_cart'"):
        held.play("partner/declined_cart")


def test_people_act_by_themselves(held: Giftsim) -> None:
    held.actor("bo", recipient="bo@example.com", claims="2d")
    held.actor("boss", approver="any", decides="approve", after="2h")
    ordered(held)
    given(held)
    held.advance("2d")
    assert [one["status"] for one in held.listed("approvals")] == ["approved"]
    assert held.events("team_order.claimed")


def test_a_world_that_is_gone_already_ends_well(held: Giftsim) -> None:
    held.fork().end()
    held.end()
