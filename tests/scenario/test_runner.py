"""A played scenario: its world is created from the head of the file and deleted at the end."""

from __future__ import annotations

import pytest

from giftsim.scenario import load, play
from tests.scenario.builders import START, WORLD, FakeSimulator, play_steps, response


def test_the_world_is_created_from_the_head_of_the_file() -> None:
    fake = FakeSimulator()
    play_steps("  - advance: 1d", fake, seed="7", now="2027-03-02T09:00:00Z", settings="{webhooks.url_ports: [443]}")
    assert fake.bodies("POST /_sim/v1/worlds") == [
        {
            "fixture": "empty",
            "seed": 7,
            "now": "2027-03-02T09:00:00Z",
            "settings": {"webhooks.url_ports": [443]},
        }
    ]


def test_a_minimal_head_leaves_the_start_to_the_simulator() -> None:
    fake = FakeSimulator()
    play_steps("  - advance: 1d", fake, fixture="{accounts: []}")
    assert fake.bodies("POST /_sim/v1/worlds") == [{"fixture": {"accounts": []}, "seed": 1}]


def test_a_world_that_cannot_be_created_fails_before_the_first_step() -> None:
    fake = FakeSimulator()
    fake.respond("POST /_sim/v1/worlds", response(400, {"error": {"code": "invalid_body", "message": "no fixture x"}}))
    report = play_steps("  - advance: 1d", fake, fixture="x")
    assert [(step.number, step.outcome) for step in report.steps] == [(0, "failed"), (1, "skipped")]
    assert report.steps[0].detail == (
        "scenario.yaml: the world could not be created\n  POST /_sim/v1/worlds answered 400 "
        '{"error": {"code": "invalid_body", "message": "no fixture x"}}'
    )
    assert report.fingerprint is None


def test_a_call_that_the_simulator_refuses_fails_the_step() -> None:
    fake = FakeSimulator()
    fake.respond(f"PATCH {WORLD}/settings", response(400, {"error": {"code": "invalid_setting", "message": "no x"}}))
    report = play_steps("  - settings: {x: 1}", fake)
    assert report.steps[0].detail == (
        f"scenario.yaml:3: step 1, settings x\n  PATCH {WORLD}/settings answered 400 "
        '{"error": {"code": "invalid_setting", "message": "no x"}}'
    )


def test_the_world_is_deleted_unless_it_is_kept() -> None:
    fake, kept = FakeSimulator(), FakeSimulator()
    scenario = load(f"scenario: A\nnow: {START}\nsteps: [advance: 1d]\n")
    assert play(scenario, fake).world is None
    assert fake.calls[-1].call == f"DELETE {WORLD}"
    assert play(scenario, kept, keep=True).world == "w1"
    assert all(made.call != f"DELETE {WORLD}" for made in kept.calls)


def test_the_world_is_deleted_after_an_error() -> None:
    fake = FakeSimulator()
    fake.respond(f"GET {WORLD}/events", ConnectionError("gone"))
    with pytest.raises(ConnectionError):
        play_steps("  - advance: 1d", fake)
    assert fake.calls[-1].call == f"DELETE {WORLD}"
