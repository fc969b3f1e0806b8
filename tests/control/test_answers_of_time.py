"""What an advance and an undo answer while others use the world: their own doing alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count

from tests.support.api_clients import PartnerClient
from tests.support.worlds import World


def test_an_advance_does_not_count_what_its_receiver_does_meanwhile(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    def call_back() -> None:
        partner.create_order(idempotency_key="from the receiver")
        world.simulate("claim", team_order_id=1002, recipient=0)

    world.set_receiver(mode="forward", to=start_receiver(call_back))
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    result = world.advance("1h")
    assert (result["mail_count"], result["mail"], result["events_by_type"]) == (0, [], {})
    assert [row["attempt"] for row in result["deliveries"]] == [1]
    assert (len(world.mail()), len(world.events())) == (2, 2)
    assert world.advance("1h")["delivery_count"] == 1


def test_an_advance_does_not_count_what_others_do_after_it(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=10**12)
    keys, is_over = count(), threading.Event()

    def place_orders() -> None:
        while not is_over.is_set():
            partner.create_order(idempotency_key=f"k{next(keys)}")

    caller = threading.Thread(target=place_orders)
    caller.start()
    try:
        results = [world.advance("1s") for _ in range(200)]
    finally:
        is_over.set()
        caller.join()
    assert len(world.mail()) > 1
    assert [row["mail"] for row in results if row["mail_count"] or row["delivery_count"]] == []


def test_an_undo_tells_the_instant_to_which_it_went_back(world: World, partner: PartnerClient) -> None:
    is_over = threading.Event()

    def pass_time() -> None:
        while not is_over.is_set():
            world.advance("1s")

    clock = threading.Thread(target=pass_time)
    clock.start()
    try:
        for n in range(100):
            partner.create_order(idempotency_key=f"k{n}")
            undone = world.call_control("POST", "/undo", {})
            assert undone["now"] == undone["undone"][0]["at"]
    finally:
        is_over.set()
        clock.join()
