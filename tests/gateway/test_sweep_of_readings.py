"""Calls of all operations are answered under every reading: none makes giftsim itself fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response
from giftsim.engine.kernel.placeholders import as_text, from_text
from giftsim.workbench.assumptions.variants import load_variants, settings_of
from giftsim.workbench.scenario import load_scenario, play
from tests.contracts.example_calls import make_other_calls
from tests.contracts.example_run import SCENARIOS
from tests.docs.pages import ROOT

WAITING = ("/receivers", "/held", "/faults", "/sessions")  # with these, a call may wait for one of another thread
Sent = tuple[str, str, dict[str, Any]]


class Noting(InProcessClient):
    """Notes each call with its answer's status."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator.wsgi_app)
        self.sent: list[Sent] = []

    def call(self, method: str, path: str, **more: Any) -> Response:
        self.sent.append((method, path, more))
        return super().call(method, path, **more)


@cache
def calls_of_all_operations() -> Sequence[Sent]:
    """Calls that together have every operation of the team, partner, museum and control interfaces."""
    simulator = Simulator(fixture="empty")
    client = Noting(simulator)
    for name in SCENARIOS:
        play(load_scenario(ROOT / "scenarios" / f"{name}.yaml"), client)
    make_other_calls(client)
    simulator.close()
    return [each for each in client.sent if not any(part in each[1] for part in WAITING)]


def failures_with(settings: Mapping[str, Any]) -> tuple[int, str | None, list[str]]:
    """What giftsim says of its own failures after the calls in worlds with these settings, and calls that it failed."""
    simulator = Simulator(fixture="empty", settings=settings)
    simulator.registry.assumed = settings
    failed = []
    for method, path, more in calls_of_all_operations():
        try:
            answer = simulator.client.call(method, path, **more)
        except (ConnectionError, TimeoutError):
            continue
        if answer.status == 500 and b"internal_error" in answer.body:
            failed.append(f"{method} {path}")
    health = simulator.client.call("GET", "/_sim/v1/health").json()
    simulator.close()
    return health["failures"], health.get("latest_failure"), failed


@pytest.mark.parametrize("variants", [tuple(load_variants()), ("no_nulls",)], ids=["all at once", "one"])
def test_no_reading_makes_giftsim_fail(variants: tuple[str, ...]) -> None:
    assert failures_with(settings_of(variants)) == (0, None, [])


def test_texts_like_placeholders_stay_what_they_are() -> None:
    for text in ("\ue000", "\ue0001", "\ue000\ue00012", "\x01 \x02", "plain"):
        stored = b'"' + text.encode() + b'"'
        assert b"\x01" not in as_text(stored)
        assert from_text(as_text(stored)) == stored
