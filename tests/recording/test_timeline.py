"""One `advance` step: where it leads, and the steps that are taken during its deliveries."""

from __future__ import annotations

from giftsim.recording.steps import Advance

FIRST, SECOND = ("evt_1", 1), ("evt_2", 1)


def test_a_new_advance_leads_nowhere() -> None:
    advance = Advance()
    assert (advance.to_ms, advance.in_delivery, advance.on_delivery()) == (None, False, [])


def test_steps_of_one_attempt_are_gathered_in_one_entry() -> None:
    advance = Advance()
    advance.extend(1000)
    advance.add_step(FIRST, {"call": "GET /a"})
    advance.add_step(FIRST, {"call": "GET /b"})
    advance.add_step(SECOND, {"call": "GET /c"})
    assert advance.in_delivery
    assert advance.on_delivery() == [
        {"event": "evt_1", "attempt": 1, "steps": [{"call": "GET /a"}, {"call": "GET /b"}]},
        {"event": "evt_2", "attempt": 1, "steps": [{"call": "GET /c"}]},
    ]


def test_an_attempt_in_the_first_stretch_of_time_needs_no_split() -> None:
    advance = Advance()
    advance.extend(1000)
    assert advance.split_before(FIRST) is None


def test_an_attempt_in_a_later_stretch_of_time_splits_the_step_before_it() -> None:
    advance = Advance()
    advance.extend(1000)
    advance.extend(5000)
    assert (advance.split_before(FIRST), advance.to_ms) == (1000, 5000)
    assert advance.split_before(FIRST) is None, "a step is split once for an attempt"


def test_more_steps_of_the_attempt_in_progress_never_split_the_step() -> None:
    advance = Advance()
    advance.extend(1000)
    advance.add_step(FIRST, {"call": "GET /a"})
    advance.extend(5000)
    assert advance.split_before(FIRST) is None
    assert advance.split_before(SECOND) == 1000


def test_the_steps_of_the_last_delivery_can_be_removed() -> None:
    advance = Advance()
    advance.add_step(FIRST, {"call": "GET /a"})
    advance.add_step(SECOND, {"call": "GET /b"})
    assert advance.remove_last_delivery() == [{"call": "GET /b"}]
    assert [entry["event"] for entry in advance.on_delivery()] == ["evt_1"]
    assert advance.remove_last_delivery() == [{"call": "GET /a"}]
    assert advance.remove_last_delivery() == []
