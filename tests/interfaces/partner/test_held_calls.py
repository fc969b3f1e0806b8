"""Calls that a fault keeps in flight: what others see meanwhile, and the world that they wake up in (G16)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from giftsim.gateway.in_process_client import Answer
from giftsim.kernel.instants import DAY
from tests.harness import Face, World, order_body, tokens
from tests.interfaces.partner.till import ROW_CENTS, later, made, orders, payments, refused, wallet_cents

PATIENCE_S = 10


class Held:
    """One call in a thread of its own, which a fault keeps in flight."""

    def __init__(self, world: World, call: Callable[..., Answer], **headers: str) -> None:
        self.world = world
        self.answers: list[Answer] = []
        before = self.hits()
        self.caller = threading.Thread(target=lambda: self.answers.append(call(**headers)))
        self.caller.start()
        while self.hits() == before:
            pass

    def hits(self) -> int:
        """How many calls faults of the table have hit; a header's fault counts by standing in the table."""
        rows = self.world.ask("GET", "/faults")["faults"]
        return sum(row["hits"] + row["id"].startswith("req_") for row in rows)

    def let_go(self) -> Answer:
        """Delete all faults; what the call then answers."""
        assert self.answers == []
        self.world.ask("DELETE", "/faults")
        return self.awaited()

    def awaited(self) -> Answer:
        """What the call answers."""
        self.caller.join(PATIENCE_S)
        (answer,) = self.answers
        return answer


Hold = Callable[..., Held]


@pytest.fixture(params=["table", "header"])
def hold(request: pytest.FixtureRequest, world: World) -> Iterator[Hold]:
    """Makes a call that stays in flight, by a fault of the table or of its own."""

    def start(call: Callable[..., Answer]) -> Held:
        if request.param == "header":
            return Held(world, call, X_Sim_Fault="hold")
        world.fault({"hold": True}, when={"first": 1})
        return Held(world, call)

    yield start
    world.ask("DELETE", "/faults")


def creating(face: Face, **members: Any) -> Callable[..., Answer]:
    """A create that is yet to be made."""
    return lambda **headers: face.post("/team-orders", order_body(**members), **headers)


def test_a_duplicate_of_a_held_create_is_told_to_come_back_and_makes_nothing(
    world: World, partner: Face, hold: Hold
) -> None:
    held = hold(creating(partner))
    with world.unchanged():
        for _ in range(2):
            duplicate = partner.order()
            assert refused(duplicate) == (409, "idempotency_outcome_unknown")
            assert duplicate.headers["retry-after"] == "1"
        assert orders(world) == []
    answer = held.let_go()
    made(answer)
    assert "idempotent-replayed" not in answer.headers
    assert partner.order().body == answer.body
    assert (len(orders(world)), len(payments(world))) == (1, 1)


def test_everybody_else_is_served_meanwhile(world: World, partner: Face, hold: Hold) -> None:
    held = hold(creating(partner))
    made(partner.order(idempotency_key="second"))
    made(world.partner("partner.net_terms").order())
    world.advance("3d")
    assert held.let_go().json()["team_order"]["id"] == 1003


def test_it_runs_at_the_instant_at_which_it_is_let_go(world: World, partner: Face, hold: Hold) -> None:
    held = hold(creating(partner, claim_expiry_days=1))
    world.advance("5d")
    world.simulate("price", product="MUG-01", price_cents=2_000)
    order = made(held.let_go())
    assert order["team_order"]["claim_expires_at"] == later(world, DAY)
    assert order["totals"]["subtotal_cents"] == 2_000


def test_a_key_revoked_meanwhile_opens_nothing_any_more(world: World, partner: Face, hold: Hold) -> None:
    held = hold(creating(partner))
    world.ask("DELETE", "/keys/partner.prepaid")
    assert refused(held.let_go()) == (401, "unauthorized")
    assert (orders(world), wallet_cents(world, "partner.no_capability")) == ([], 500_000)


def test_a_capability_taken_meanwhile_is_missing(world: World, partner: Face, hold: Hold) -> None:
    held = hold(creating(partner))
    world.ask("PATCH", "/keys/partner.prepaid", {"capabilities": []})
    assert refused(held.let_go()) == (403, "forbidden_capability")
    assert orders(world) == []


def test_what_makes_the_request_wrong_meanwhile_is_found(world: World, partner: Face, hold: Hold) -> None:
    held = hold(creating(partner, event={"date": world.now[:10]}))
    world.advance("2d")
    assert refused(held.let_go()) == (400, "invalid_event")
    made(partner.order())


def test_a_held_read_shows_what_is_there_in_the_end(world: World, partner: Face, hold: Hold) -> None:
    order = made(partner.order(return_claim_links=True))
    held = hold(lambda **headers: partner.get(f"/team-orders/{order['team_order']['id']}", **headers))
    world.claim(tokens(order)[0])
    world.advance("1d")
    shown = held.let_go().json()
    assert shown["team_order"]["summary"]["claimed"] == 1
    assert shown["team_order"]["status"] == "in_progress"
    assert shown["recipients"][0]["status"] == "in_production"


def test_a_held_cancel_comes_too_late_for_what_went_into_production(world: World, partner: Face, hold: Hold) -> None:
    order = made(partner.order(return_claim_links=True))
    held = hold(lambda **headers: partner.post(f"/team-orders/{order['team_order']['id']}/cancel", {}, **headers))
    world.claim(tokens(order)[0])
    world.advance("1d")
    assert refused(held.let_go()) == (409, "nothing_to_cancel")


def test_a_held_retry_charges_the_unpaid_order(world: World, hold: Hold) -> None:
    poor = world.partner("partner.no_funds")
    unpaid = poor.order().json()["team_order_id"]
    held = hold(creating(poor))
    assert refused(poor.order()) == (409, "idempotency_outcome_unknown")
    world.account("partner.no_funds", add_cents=ROW_CENTS)
    assert made(held.let_go())["team_order"]["id"] == unpaid


def test_a_held_retry_of_an_order_canceled_meanwhile_charges_nothing(world: World, hold: Hold) -> None:
    poor = world.partner("partner.no_funds")
    unpaid = poor.order().json()["team_order_id"]
    held = hold(creating(poor))
    assert poor.post(f"/team-orders/{unpaid}/cancel", {}).status == 200
    world.account("partner.no_funds", add_cents=ROW_CENTS)
    answer = held.let_go()
    assert (answer.status, answer.json()["team_order"]["status"]) == (200, "canceled")
    assert wallet_cents(world, "partner.no_funds") == ROW_CENTS


def test_a_retry_held_over_a_reset_is_a_first_call_to_the_world_made_anew(world: World, hold: Hold) -> None:
    poor = world.partner("partner.no_funds")
    made(world.partner().order())
    assert poor.order().json()["team_order_id"] == 1002
    held = hold(creating(poor))
    world.ask("POST", "/reset")
    answer = held.awaited()
    assert refused(answer) == (402, "insufficient_funds_no_card")
    assert answer.json()["team_order_id"] == 1001
    assert [row["id"] for row in orders(world)] == [1001]


def test_a_call_held_over_a_restore_finds_the_order_it_once_made(world: World, partner: Face, hold: Hold) -> None:
    world.ask("POST", "/snapshots", {"name": "empty"})
    first = partner.order()
    world.ask("POST", "/snapshots", {"name": "ordered"})
    world.ask("POST", "/snapshots/empty/restore")
    held = hold(creating(partner))
    world.ask("POST", "/snapshots/ordered/restore")
    answer = held.awaited()
    assert (answer.body, answer.headers["idempotent-replayed"]) == (first.body, "true")


def test_a_world_deleted_under_it_ends_it(world: World, partner: Face) -> None:
    twin = world.made(world.control.post(f"/worlds/{world.id}/fork", {}))
    face = world.partner(key=twin["credentials"]["partner.prepaid"]["value"])
    world.control.post(f"/worlds/{twin['id']}/faults", {"effect": {"hold": True}})
    answers: list[Answer] = []
    caller = threading.Thread(
        target=lambda: answers.append(world.client.call("GET", "/api/external/webhooks", headers=face.headers))
    )
    caller.start()
    while not world.control.get(f"/worlds/{twin['id']}/faults").json()["faults"][0]["hits"]:
        pass
    world.control.delete(f"/worlds/{twin['id']}")
    caller.join(PATIENCE_S)
    assert (answers[0].status, answers[0].json()["error"]["code"]) == (409, "world_gone")
