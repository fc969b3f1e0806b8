"""Invariants of a world under any sequence of actions: money, states and deliveries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.claims import claims
from tests.properties.partner_actions import PartnerActions
from tests.support.worlds import World

PACE = settings(max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck))


@claims("P-1.5", "P-1.6", "P-2.24", "P-4.17", "P-4.19")
def test_a_world_stays_consistent_under_any_sequence_of_actions(new_world: Callable[..., World]) -> None:
    run_state_machine_as_test(cast(Any, lambda: PartnerActions(new_world())), settings=PACE)
