"""Calls that a fault keeps in flight: what others see meanwhile, and the world that they wake up in (G16)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.kernel.instants import DAY
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import instant_from_now
from tests.support.orders import claim_tokens, order_body
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.money import payments, wallet_cents
from tests.support.partner.orders import list_orders
from tests.support.responses import created, status_and_code
from tests.support.worlds import World

PATIENCE_S = 10


class Held:
    """One call in a thread of its own, which a fault keeps in flight."""

    def __init__(self, world: World, call: Callable[..., Response], **headers: str) -> None:
        self.world = world
        self.answers: list[Response] = []
        before = self.hits()
        self.caller = threading.Thread(target=lambda: self.answers.append(call(**headers)))
        self.caller.start()
        while self.hits() == before:
            pass

    def hits(self) -> int:
        """How many calls faults of the table have hit; a header's fault counts by standing in the table."""
        rows = self.world.call_control("GET", "/faults")["faults"]
        return sum(row["hits"] + row["id"].startswith("req_") for row in rows)

    def let_go(self) -> Response:
        """Delete all faults; what the call then answers."""
        assert self.answers == []
        self.world.call_control("DELETE", "/faults")
        return self.awaited()

    def awaited(self) -> Response:
        """What the call answers."""
        self.caller.join(PATIENCE_S)
        (answer,) = self.answers
        return answer


Hold = Callable[..., Held]


@pytest.fixture(params=["table", "header"])
def hold(request: pytest.FixtureRequest, world: World) -> Iterator[Hold]:
    """Makes a call that stays in flight, by a fault of the table or of its own."""

    def start(call: Callable[..., Response]) -> Held:
        if request.param == "header":
            return Held(world, call, X_Sim_Fault="hold")
        world.add_fault({"hold": True}, when={"first": 1})
        return Held(world, call)

    yield start
    world.call_control("DELETE", "/faults")


def creating(face: PartnerClient, **members: Any) -> Callable[..., Response]:
    """A create that is yet to be made."""
    return lambda **headers: face.post("/team-orders", order_body(**members), **headers)


def test_a_duplicate_of_a_held_create_is_told_to_come_back_and_makes_nothing(
    world: World, partner: PartnerClient, hold: Hold
) -> None:
    held = hold(creating(partner))
    with world.assert_unchanged():
        for _ in range(2):
            duplicate = partner.create_order()
            assert status_and_code(duplicate) == (409, "idempotency_outcome_unknown")
            assert duplicate.headers["retry-after"] == "1"
        assert list_orders(world) == []
    answer = held.let_go()
    created(answer)
    assert "idempotent-replayed" not in answer.headers
    assert partner.create_order().body == answer.body
    assert (len(list_orders(world)), len(payments(world))) == (1, 1)


@shows("P-7.21")
def test_another_body_with_the_key_of_a_held_create_is_a_mismatch(
    world: World, partner: PartnerClient, hold: Hold
) -> None:
    held = hold(creating(partner))
    with world.assert_unchanged():
        assert status_and_code(partner.create_order(name="Other")) == (409, "idempotency_payload_mismatch")
    created(held.let_go())
    assert status_and_code(partner.create_order(name="Other")) == (409, "idempotency_payload_mismatch")


def test_everybody_else_is_served_meanwhile(world: World, partner: PartnerClient, hold: Hold) -> None:
    held = hold(creating(partner))
    created(partner.create_order(idempotency_key="second"))
    created(world.partner("partner.net_terms").create_order())
    world.advance("3d")
    assert held.let_go().json()["team_order"]["id"] == 1003


def test_it_runs_at_the_instant_at_which_it_is_let_go(world: World, partner: PartnerClient, hold: Hold) -> None:
    held = hold(creating(partner, claim_expiry_days=1))
    world.advance("5d")
    world.simulate("price", product="MUG-01", price_cents=2_000)
    order = created(held.let_go())
    assert order["team_order"]["claim_expires_at"] == instant_from_now(world, milliseconds=DAY)
    assert order["totals"]["subtotal_cents"] == 2_000


def test_a_key_revoked_meanwhile_opens_nothing_any_more(world: World, partner: PartnerClient, hold: Hold) -> None:
    held = hold(creating(partner))
    world.call_control("DELETE", "/keys/partner.prepaid")
    assert status_and_code(held.let_go()) == (401, "unauthorized")
    assert (list_orders(world), wallet_cents(world, "partner.no_capability")) == ([], 500_000)


def test_a_capability_taken_meanwhile_is_missing(world: World, partner: PartnerClient, hold: Hold) -> None:
    held = hold(creating(partner))
    world.call_control("PATCH", "/keys/partner.prepaid", {"capabilities": []})
    assert status_and_code(held.let_go()) == (403, "forbidden_capability")
    assert list_orders(world) == []


def test_what_makes_the_request_wrong_meanwhile_is_found(world: World, partner: PartnerClient, hold: Hold) -> None:
    held = hold(creating(partner, event={"date": world.now[:10]}))
    world.advance("2d")
    assert status_and_code(held.let_go()) == (400, "invalid_event")
    created(partner.create_order())


def test_a_held_read_shows_what_is_there_in_the_end(world: World, partner: PartnerClient, hold: Hold) -> None:
    order = created(partner.create_order(return_claim_links=True))
    held = hold(lambda **headers: partner.get(f"/team-orders/{order['team_order']['id']}", **headers))
    world.claim(claim_tokens(order)[0])
    world.advance("1d")
    shown = held.let_go().json()
    assert shown["team_order"]["summary"]["claimed"] == 1
    assert shown["team_order"]["status"] == "in_progress"
    assert shown["recipients"][0]["status"] == "in_production"


def test_a_held_cancel_comes_too_late_for_what_went_into_production(
    world: World, partner: PartnerClient, hold: Hold
) -> None:
    order = created(partner.create_order(return_claim_links=True))
    held = hold(lambda **headers: partner.post(f"/team-orders/{order['team_order']['id']}/cancel", {}, **headers))
    world.claim(claim_tokens(order)[0])
    world.advance("1d")
    assert status_and_code(held.let_go()) == (409, "nothing_to_cancel")


def test_a_held_retry_charges_the_unpaid_order(world: World, hold: Hold) -> None:
    poor = world.partner("partner.no_funds")
    unpaid = poor.create_order().json()["team_order_id"]
    held = hold(creating(poor))
    assert status_and_code(poor.create_order()) == (409, "idempotency_outcome_unknown")
    world.change_account("partner.no_funds", add_cents=ROW_CENTS)
    assert created(held.let_go())["team_order"]["id"] == unpaid


def test_a_held_retry_of_an_order_canceled_meanwhile_charges_nothing(world: World, hold: Hold) -> None:
    poor = world.partner("partner.no_funds")
    unpaid = poor.create_order().json()["team_order_id"]
    held = hold(creating(poor))
    assert poor.post(f"/team-orders/{unpaid}/cancel", {}).status == 200
    world.change_account("partner.no_funds", add_cents=ROW_CENTS)
    answer = held.let_go()
    assert (answer.status, answer.json()["team_order"]["status"]) == (200, "canceled")
    assert wallet_cents(world, "partner.no_funds") == ROW_CENTS


def test_a_retry_held_over_a_reset_is_a_first_call_to_the_world_made_anew(world: World, hold: Hold) -> None:
    poor = world.partner("partner.no_funds")
    created(world.partner().create_order())
    assert poor.create_order().json()["team_order_id"] == 1002
    held = hold(creating(poor))
    world.call_control("POST", "/reset")
    answer = held.awaited()
    assert status_and_code(answer) == (402, "insufficient_funds_no_card")
    assert answer.json()["team_order_id"] == 1001
    assert [row["id"] for row in list_orders(world)] == [1001]


def test_a_call_held_over_a_restore_finds_the_order_it_once_made(
    world: World, partner: PartnerClient, hold: Hold
) -> None:
    world.call_control("POST", "/snapshots", {"name": "empty"})
    first = partner.create_order()
    world.call_control("POST", "/snapshots", {"name": "ordered"})
    world.call_control("POST", "/snapshots/empty/restore")
    held = hold(creating(partner))
    world.call_control("POST", "/snapshots/ordered/restore")
    answer = held.awaited()
    assert (answer.body, answer.headers["idempotent-replayed"]) == (first.body, "true")


def test_a_world_deleted_under_it_ends_it(world: World, partner: PartnerClient) -> None:
    twin = world.json_of(world.control.post(f"/worlds/{world.id}/fork", {}))
    face = world.partner(key=twin["credentials"]["partner.prepaid"]["value"])
    world.control.post(f"/worlds/{twin['id']}/faults", {"effect": {"hold": True}})
    answers: list[Response] = []
    caller = threading.Thread(
        target=lambda: answers.append(world.client.call("GET", "/api/external/webhooks", headers=face.headers))
    )
    caller.start()
    while not world.control.get(f"/worlds/{twin['id']}/faults").json()["faults"][0]["hits"]:
        pass
    world.control.delete(f"/worlds/{twin['id']}")
    caller.join(PATIENCE_S)
    assert (answers[0].status, answers[0].json()["error"]["code"]) == (409, "world_gone")
