"""Repeated writes: the same response again, other payloads refused, and expiry of keys."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.services.gifting.domain.team.billing.wallet_payment import FIRST_ID
from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.campaigns import approved_campaign, request_processing
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import create_order
from tests.support.team.payments import CRASH, net_terms_order_body, request_funding
from tests.support.team.proofs import add_version, create_branded_order, list_proofs, review, sign
from tests.support.worlds import World

Make = Callable[..., World]
ADA = {"people": [{"work_email": "ada@example.com", "first_name": "Ada"}]}
PATIENCE_S = 10
BO = {"people": [{"work_email": "bo@example.com", "first_name": "Bo"}]}


def people_count(client: TeamClient) -> int:
    """The number of people on the roster."""
    return len(client.get_json("/people")["data"])


@shows("T-4.208", "T-4.211")
def test_a_repeated_write_returns_the_first_response_and_changes_nothing(team: TeamClients) -> None:
    first = expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    second = expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    assert second.body == first.body
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert first.headers["x-request-id"] != second.headers["x-request-id"]
    assert people_count(team.live) == 1
    again = expect_status(team.live.post("/people", ADA, Idempotency_Key="two"), 200)
    assert again.json()["updated"] == 1


@shows("T-4.208")
def test_member_order_and_white_space_do_not_change_the_payload(team: TeamClients) -> None:
    expect_status(
        team.live.post("/people", '{"people":[{"work_email":"a@b.co","zip":"1"}]}', Idempotency_Key="one"), 201
    )
    same = team.live.post("/people", ' {"people": [ {"zip": "1", "work_email": "a@b.co"} ] }', Idempotency_Key="one")
    assert expect_status(same, 201).headers["idempotent-replayed"] == "true"


@shows("T-4.209", "T-4.211")
def test_the_same_key_with_another_payload_is_refused_without_effect(team: TeamClients) -> None:
    person = team.live.post_json("/people", ADA, Idempotency_Key="one")["data"][0]
    expect_error(team.live.post("/people", BO, Idempotency_Key="one"), 409, "idempotency_key_reused")
    expect_error(team.live.post("/people?x=1", ADA, Idempotency_Key="one"), 409, "idempotency_key_reused")
    expect_error(team.live.patch(f"/people/{person['id']}", ADA, Idempotency_Key="one"), 409, "idempotency_key_reused")
    assert team.live.get_json("/people")["data"] == [
        {name: person[name] for name in person if name != "ignored_fields"}
    ]


def test_an_idempotency_key_belongs_to_one_api_key(team: TeamClients) -> None:
    for client in (team.live, team.requester, team.test, team.test_second, team.other):
        assert "idempotent-replayed" not in client.post("/people", ADA, Idempotency_Key="one").headers
    assert [people_count(client) for client in (team.live, team.test, team.test_second, team.other)] == [1, 1, 1, 1]


def test_an_idempotency_key_of_a_session_belongs_to_its_member(team: TeamClients) -> None:
    proofs = list_proofs(team.live, create_branded_order(team.live))
    for proof, client in zip(proofs, (team.approver, team.owner), strict=False):
        add_version(team.live, proof["id"])
        review(team.live, proof["id"])
        signed = expect_status(sign(client, proof["id"], Idempotency_Key="one"), 200)
        assert "idempotent-replayed" not in signed.headers


@shows("T-4.208")
def test_an_idempotency_key_expires_after_a_day(team: TeamClients) -> None:
    expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    team.world.advance("86399s")
    assert team.live.post("/people", ADA, Idempotency_Key="one").headers["idempotent-replayed"] == "true"
    team.world.advance("1s")
    fresh = expect_status(team.live.post("/people", BO, Idempotency_Key="one"), 201)
    assert "idempotent-replayed" not in fresh.headers


def test_a_setting_changes_the_lifetime_of_idempotency_keys(team: TeamClients) -> None:
    team.world.change_settings(idempotency__lifetime="1h")
    expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    team.world.advance("1h")
    expect_status(team.live.post("/people", BO, Idempotency_Key="one"), 201)


def test_a_refused_call_does_not_use_up_its_key(team: TeamClients) -> None:
    expect_error(team.live.post("/people", {"people": []}, Idempotency_Key="one"), 422, "validation_failed")
    expect_error(team.live.delete("/people/999999", Idempotency_Key="one"), 404, "not_found")
    expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)


@shows("T-4.212")
def test_reads_ignore_idempotency_keys(team: TeamClients) -> None:
    before = team.live.get("/people", Idempotency_Key="one")
    team.live.post_json("/people", ADA)
    after = team.live.get("/people", Idempotency_Key="one")
    assert (before.json()["data"], len(after.json()["data"])) == ([], 1)
    expect_status(team.live.get("/people", Idempotency_Key="k" * 129), 200)
    expect_status(team.live.get("/people", Idempotency_Key=""), 200)


@shows("T-4.210")
def test_a_write_whose_response_was_lost_is_replayed(team: TeamClients) -> None:
    with pytest.raises(ConnectionError):
        team.live.post("/people", ADA, Idempotency_Key="one", X_Sim_Fault="drop=after")
    person = team.live.get_json("/people")["data"][0]
    again = expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    assert again.json()["data"][0]["id"] == person["id"]
    assert people_count(team.live) == 1


@shows("T-7.7")
def test_the_same_request_succeeds_after_the_outage(team: TeamClients) -> None:
    fault = team.world.add_fault({"status": 503, "retry_after": 7}, match={"interface": "team"})
    response = team.live.post("/people", ADA, Idempotency_Key="one")
    expect_error(response, 503, "service_unavailable")
    assert response.headers["retry-after"] == "7"
    team.world.call_control("DELETE", f"/faults/{fault}")
    expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    assert people_count(team.live) == 1


class HeldCreate:
    """A write in another thread that a fault holds until all faults are deleted."""

    def __init__(self, client: TeamClient) -> None:
        self.world, self.responses = client.world, list[Response]()
        headers = {"Idempotency_Key": "one", "X_Sim_Fault": "hold"}
        self.thread = threading.Thread(target=lambda: self.responses.append(client.post("/people", ADA, **headers)))
        self.thread.start()
        while not self.world.call_control("GET", "/faults")["faults"]:
            pass

    def release(self) -> Response:
        """Delete the faults; the response of the held write."""
        self.world.call_control("DELETE", "/faults")
        self.thread.join(PATIENCE_S)
        (response,) = self.responses
        return response


def test_a_repeated_call_is_refused_while_the_first_is_in_flight(team: TeamClients) -> None:
    held_write = HeldCreate(team.live)
    twin = team.live.post("/people", ADA, Idempotency_Key="one")
    expect_error(twin, 409, "idempotency_in_progress")
    assert twin.headers["retry-after"] == "1"
    other = team.live.post("/people", {"people": [{"work_email": "bo@example.com"}]}, Idempotency_Key="one")
    expect_error(other, 409, "idempotency_key_reused")
    first = expect_status(held_write.release(), 201)
    assert team.live.post("/people", ADA, Idempotency_Key="one").body == first.body
    assert people_count(team.live) == 1


def test_a_held_call_is_authorized_again_when_it_is_released(team: TeamClients) -> None:
    held_write = HeldCreate(team.live)
    team.world.simulate("team", agent_access=False)
    expect_error(held_write.release(), 401, "agent_access_suspended")
    team.world.simulate("team", agent_access=True)
    held_write = HeldCreate(team.live)
    team.world.call_control("PATCH", "/keys/team.live_approver", {"scopes": ["people:read"]})
    expect_error(held_write.release(), 403, "insufficient_scope")
    assert people_count(team.live) == 0


def test_the_day_of_a_held_calls_key_counts_from_its_release(team: TeamClients) -> None:
    held_write = HeldCreate(team.live)
    team.world.advance("23h")
    first = expect_status(held_write.release(), 201)
    team.world.advance("23h")
    again = expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")


def test_a_released_call_is_answered_as_its_key_was_in_a_state_restored_meanwhile(team: TeamClients) -> None:
    snapshots = "/snapshots"
    team.world.call_control("POST", snapshots, {"name": "before"})
    first = expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    team.world.call_control("POST", snapshots, {"name": "after"})
    team.world.call_control("POST", f"{snapshots}/before/restore")
    held_write = HeldCreate(team.live)
    team.world.call_control("POST", f"{snapshots}/after/restore")
    again = held_write.release()
    assert (again.status, again.body, again.headers["idempotent-replayed"]) == (201, first.body, "true")
    assert people_count(team.live) == 1


def test_a_fork_replays_the_responses_of_its_parent(team: TeamClients, world: World) -> None:
    first = expect_status(team.live.post("/people", ADA, Idempotency_Key="one"), 201)
    fork = world.control.post(f"/worlds/{world.id}/fork", {}).json()
    headers = {**fork["credentials"]["team.live_approver"]["headers"], "Idempotency-Key": "one"}
    again = world.client.call("POST", "/api/teams/v1/people", body=ADA, headers=headers)
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")
    world.client.call("DELETE", f"/_sim/v1/worlds/{fork['id']}")


@pytest.mark.parametrize("path", ["/people", "/gifts", "/webhooks"])
def test_an_outage_without_a_name_affects_the_service_and_no_provider(team: TeamClients, path: str) -> None:
    response = team.live.post(path, ADA, Idempotency_Key="one", X_Sim_Fault="status=503")
    expect_error(response, 503, "service_unavailable")


KEY = {"Idempotency_Key": "k"}


@dataclass
class Paying:
    """A call that pays, which a test repeats with one Idempotency-Key, and the same with another payload."""

    send: Callable[..., Response]
    send_other: Callable[..., Response]
    status: int


def _order(team: TeamClients) -> Paying:
    body, other = net_terms_order_body(), net_terms_order_body(2)
    return Paying(
        lambda **headers: team.live.post("/team-orders", body, **headers),
        lambda **headers: team.live.post("/team-orders", other, **headers),
        201,
    )


def _funding(team: TeamClients) -> Paying:
    order, other = create_order(team.live), create_order(team.live)
    return Paying(
        lambda **headers: request_funding(team.live, order, **headers),
        lambda **headers: request_funding(team.live, other, **headers),
        201,
    )


def _batch(team: TeamClients) -> Paying:
    campaign = approved_campaign(team)
    return Paying(
        lambda **headers: request_processing(team.live, campaign, **headers),
        lambda **headers: request_processing(team.live, campaign, "stop", **headers),
        202,
    )


@pytest.fixture(params=[_order, _funding, _batch], ids=["order", "funding", "batch"])
def paying(request: pytest.FixtureRequest, team: TeamClients, small_batches: None) -> Paying:
    """A call that pays: a new order on terms, a funding on terms, or a batch of a campaign."""
    made: Paying = request.param(team)
    return made


def charge_statuses(team: TeamClients) -> list[str]:
    """The status of every charge, in order; `sent` is one whose outcome is not known."""
    return [row["status"] for row in team.world.rows("payments")]


def lose_response(paying: Paying) -> None:
    """Send the call, whose payment is made and whose response is lost."""
    with pytest.raises(ConnectionError):
        paying.send(**KEY, **CRASH)


def decide(team: TeamClients, outcome: str) -> None:
    """Let the outcome of the first payment be known."""
    assert charge_statuses(team) == ["sent"]
    team.world.simulate("payment", payment_id=FIRST_ID, outcome=outcome)


@shows("T-4.208", "T-4.209")
def test_a_key_is_remembered_while_the_outcome_of_its_payment_is_unknown(team: TeamClients, paying: Paying) -> None:
    lose_response(paying)
    for span in ("23h", "2h", "60d"):
        team.world.advance(span)
        expect_error(paying.send(**KEY), 409, "idempotency_in_progress")
        expect_error(paying.send_other(**KEY), 409, "idempotency_key_reused")
    assert charge_statuses(team) == ["sent"]


@shows("T-4.208", "T-4.209")
def test_a_key_is_remembered_for_a_day_after_its_payment_is_known(team: TeamClients, paying: Paying) -> None:
    lose_response(paying)
    team.world.advance("3d")
    decide(team, "settled")
    made = observed(team)
    team.world.advance("23h")
    expect_error(paying.send_other(**KEY), 409, "idempotency_key_reused")
    first = expect_status(paying.send(**KEY), paying.status)
    assert paying.send(**KEY).body == first.body
    assert observed(team) == made


@shows("T-4.208")
def test_a_key_whose_payment_has_failed_pays_once_more_within_a_day(team: TeamClients, paying: Paying) -> None:
    lose_response(paying)
    team.world.advance("3d")
    decide(team, "failed")
    count = len(team.live.list_all("/team-orders"))
    team.world.advance("23h")
    expect_error(paying.send_other(**KEY), 409, "idempotency_key_reused")
    expect_status(paying.send(**KEY), paying.status)
    assert len(team.live.list_all("/team-orders")) == count
    assert charge_statuses(team) == ["failed", "paid"]


def test_a_key_is_forgotten_a_day_after_its_payment_is_known(team: TeamClients) -> None:
    order = _order(team)
    lose_response(order)
    team.world.advance("3d")
    decide(team, "settled")
    team.world.advance("24h")
    expect_status(order.send_other(**KEY), 201)
    assert len(team.live.list_all("/team-orders")) == 2


def test_a_key_lives_for_its_setting_after_the_outcome(team: TeamClients) -> None:
    order = _order(team)
    lose_response(order)
    team.world.change_settings(idempotency__lifetime="1h")
    team.world.advance("3d")
    decide(team, "settled")
    team.world.advance("59m")
    expect_status(order.send(**KEY), 201)
    team.world.advance("2h")
    expect_status(order.send_other(**KEY), 201)


def test_a_stored_response_is_replayed_while_a_payment_is_reserved(team: TeamClients) -> None:
    team.world.change_settings(payments__settle_after="5d")
    order = _order(team)
    first = expect_status(order.send(**KEY), 201)
    team.world.advance("4d")
    assert order.send(**KEY).body == first.body
    team.world.advance("47h")
    assert order.send(**KEY).body == first.body
    team.world.advance("1h")
    expect_status(order.send_other(**KEY), 201)


def test_a_restored_world_waits_for_the_outcome_again(team: TeamClients) -> None:
    order = _order(team)
    lose_response(order)
    team.world.call_control("POST", "/snapshots", {"name": "uncertain"})
    team.world.advance("3d")
    decide(team, "failed")
    team.world.call_control("POST", "/snapshots/uncertain/restore")
    team.world.advance("3d")
    expect_error(order.send(**KEY), 409, "idempotency_in_progress")


def observed(team: TeamClients) -> Any:
    """What must not change when a paid call is repeated: orders, their payments and the ledger."""
    return [team.live.list_all("/team-orders"), team.world.rows("payments"), team.world.rows("ledger")]
