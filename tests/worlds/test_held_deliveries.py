"""Held deliveries: each is answered once."""

from __future__ import annotations

import pytest

from giftsim.webhooks.outgoing import DELIVERED, Outgoing
from giftsim.webhooks.receiver_script import Answer
from giftsim.worlds.held_deliveries import HeldDeliveries, HeldDelivery, NotHeld
from tests.support.http_receiver import outgoing_request


def test_a_delivery_that_was_answered_is_held_no_longer_even_before_its_outcome_is_recorded() -> None:
    outgoing: Outgoing = outgoing_request(9)
    deliveries, held = HeldDeliveries(), HeldDelivery(outgoing, 0, detached=True)
    deliveries.by_attempt[outgoing.attempt] = held
    assert deliveries.find(outgoing.attempt) is held
    held.answer = Answer(DELIVERED, 200)
    with pytest.raises(NotHeld, match=rf"^delivery {outgoing.attempt + 1} is not held"):
        deliveries.find(outgoing.attempt)
