"""Questions about calls: faults, keys, clocks, other accounts, refusals, and what a snapshot took back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO
from tests.support.worlds import World
from tests.why.test_questions import why

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")
MACHINE = "2031-05-06T07:08:09Z"


def kinds(verdicts: list[Any]) -> list[str]:
    """The kinds of some verdicts."""
    return [verdict["kind"] for verdict in verdicts]


def told(world: World, message: str, **facts: Any) -> list[Any]:
    """The verdicts on a failed test."""
    test = {"id": "test_it", "outcome": "failed", "seconds": 0.2, "failure": {"message": message, "text": ""}, **facts}
    found: list[Any] = world.call_control("POST", "/why", {"test": test})["verdicts"]
    return found


def last_call(world: World) -> str:
    """The last call of a client, as a question names it."""
    return f"call:{world.rows('calls')[-1]['seq']}"


def fault(world: World, **members: Any) -> None:
    """Add a fault."""
    world.call_control("POST", "/faults", members)


def restored(world: World, partner: PartnerClient) -> int:
    """The id of an order that was placed, and taken back with a snapshot."""
    world.call_control("POST", "/snapshots", {"name": "start"})
    order = int(partner.create_order().json()["team_order"]["id"])
    world.call_control("POST", "/snapshots/start/restore")
    return order


def test_what_a_snapshot_took_back_is_told(world: World, partner: PartnerClient) -> None:
    order = restored(world, partner)
    assert partner.call("GET", f"/team-orders/{order}").status == 404
    verdict = why(world, last_call(world))[0]
    assert verdict["kind"] == "taken_back"
    assert f"{order} was made by createTeamOrder" in verdict["sentence"]
    assert "the snapshot start was restored" in verdict["sentence"]
    assert [mark["what"] for mark in verdict["marks"]] == ["made it", "took it back", "did not find it"]


def test_an_id_that_nobody_made_is_refused_and_not_taken_back(world: World, partner: PartnerClient) -> None:
    order = restored(world, partner)
    assert partner.call("GET", f"/team-orders/{order + 77}").status == 404
    [verdict] = why(world, last_call(world))
    assert verdict["kind"] == "refused"
    assert f"404 team_order_not_found: there is no team order {order + 77}" in verdict["sentence"]
    assert set(verdict["mend"].values()) == {None}


def test_an_answer_that_a_fault_gave_is_not_the_services_own(world: World, partner: PartnerClient) -> None:
    fault(world, effect={"status": 404}, match={"operation": "getTeamOrder"})
    order = partner.create_order().json()["team_order"]["id"]
    assert partner.call("GET", f"/team-orders/{order}").status == 404
    assert kinds(why(world, last_call(world))) == ["changed_by_fault"]
    assert "refused" not in kinds(told(world, "assert 404 == 200"))


def test_a_404_of_a_fault_is_not_told_as_another_account(world: World, partner: PartnerClient) -> None:
    order = partner.create_order().json()["team_order"]["id"]
    fault(world, effect={"status": 404}, match={"operation": "getTeamOrder"})
    assert world.partner("partner.net_terms").call("GET", f"/team-orders/{order}").status == 404
    assert "other_account" not in kinds(why(world, last_call(world)))


def test_a_fault_that_the_app_made_up_for_is_not_told(world: World, partner: PartnerClient) -> None:
    fault(world, effect={"status": 503}, match={"operation": "createTeamOrder"}, when={"first": 1})
    assert [partner.create_order(idempotency_key="a").status for _ in range(2)] == [503, 201]
    assert "changed_by_fault" not in kinds(told(world, "assert 3 == 4"))


def test_a_lost_answer_that_was_asked_for_again_uses_no_key_twice(world: World, partner: PartnerClient) -> None:
    assert partner.create_order(idempotency_key="a").status == 201
    fault(world, effect={"drop": "after"}, match={"operation": "createTeamOrder"}, when={"first": 1})
    with pytest.raises(ConnectionError):
        partner.create_order(idempotency_key="a")
    assert partner.create_order(idempotency_key="a").headers["idempotent-replayed"] == "true"
    assert "replayed" not in kinds(why(world, last_call(world)))
    assert partner.create_order(idempotency_key="b").status == 201
    assert partner.create_order(idempotency_key="b").headers["idempotent-replayed"] == "true"
    assert kinds(why(world, last_call(world))) == ["replayed"]


def test_a_fault_that_acted_is_not_unused(world: World, partner: PartnerClient) -> None:
    fault(world, effect={"status": 503}, match={"operation": "createTeamOrder"}, when={"calls": [2]})
    assert partner.create_order(idempotency_key="a").status == 201
    assert "fault_unused" in kinds(told(world, "assert 3 == 4"))
    assert partner.create_order(idempotency_key="b").status == 503
    assert "fault_unused" not in kinds(told(world, "assert 3 == 4"))


def test_a_clock_that_follows_the_worlds_is_not_blamed(world: World, partner: PartnerClient) -> None:
    ran = {"from": "2031-05-06T07:08:00Z", "to": "2031-05-06T07:09:00Z"}
    message = f"assert '{MACHINE}' == '2027-01-04T09:00:00Z'"
    assert kinds(told(world, message, ran=ran)) == ["clock_frozen"]
    world.call_control("PATCH", "/settings", {"webhooks.signature_time": "simulated"})
    assert "clock_frozen" not in kinds(told(world, message, ran=ran))


def test_what_went_on_from_a_status_is_told_by_the_step_that_took_it(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Bo", "address": RENO}])
    world.advance("30d")
    verdict = why(world, "order:1001", "shipped")[0]
    assert verdict["kind"] == "gone_past"
    assert "was shipped until 2027-01-09T09:00:00Z, when it became delivered" in verdict["sentence"]
    assert verdict["why_not"].startswith("nothing takes it back: ask before 2027-01-09T09:00:00Z")


def test_a_status_that_no_record_has_is_not_told_as_a_later_one(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Bo", "address": RENO}])
    world.advance("30d")
    assert "gone_past" in kinds(told(world, "assert 'delivered' == 'shipped'"))
    assert "gone_past" not in kinds(told(world, "assert 'canceled' == 'shipped'"))


def test_lists_of_statuses_are_compared_by_the_first_that_differs(world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="a")
    partner.create_order(idempotency_key="a", gift_sender="Eve")
    failure = {"message": "assert [201, 409] == [201, 201]", "text": ""}
    compared = {"op": "==", "left": [201, 409], "right": [201, 201]}
    verdict = told(world, "", failure={**failure, "compared": compared})[0]
    assert verdict["kind"] == "refused"
    assert "idempotency_payload_mismatch" in verdict["sentence"]
