"""The event log: numbers without gaps, bounded memory, and segments that lead from a known state to any event."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from giftsim.engine.kernel.state import STATE, Definitions, State, UndoLog
from giftsim.engine.kernel.table import Record, Undo
from giftsim.engine.log import log as event_log
from giftsim.engine.log.inputs import AnyInput, ClientCall, ClockRateSet, JournalRecord
from giftsim.engine.log.log import EventLog
from giftsim.engine.log.segment import CallOutcome, CheckpointMark

STEPS = st.lists(st.sampled_from(["call", "restore", "undo"]), max_size=30)


def state() -> State:
    return State(Definitions([]), 1, 0)


def numbers(log: EventLog) -> list[int]:
    return [event.n for _, event in log.all()]


@given(STEPS, st.integers(1, 20))
def test_events_are_numbered_without_gaps(steps: list[str], back: int) -> None:
    log = EventLog("w1")
    for step in steps:
        if step == "call":
            log.add(ClientCall(path="/"))
        elif step == "restore":
            log.note_restore(state(), calls_suspended=False)
        else:
            log.truncate(max(1, log.next_n - back))
    assert numbers(log) == list(range(1, log.next_n))


def test_an_event_is_written_before_it_is_kept() -> None:
    log = EventLog("w1")
    written: list[tuple[str, JournalRecord]] = []

    def write(world_id: str, record: JournalRecord) -> None:
        assert numbers(log) == list(range(1, len(written) + 1))
        written.append((world_id, record))

    log.write = write
    events: list[AnyInput] = [ClientCall(path="/a"), ClockRateSet(rate=1.0)]
    for event in events:
        log.add(event)
    assert written == [("w1", event) for event in events]
    assert [event.n for event in events] == [1, 2]


def test_the_oldest_events_are_dropped_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_log, "MAX_EVENTS", 10)
    log = EventLog("w1")
    for _ in range(15):
        log.add(ClientCall(path="/"))
    assert (log.dropped, numbers(log)) == (5, list(range(6, 16)))
    assert log.path_to(15) is None


def test_large_bodies_count_against_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_log, "MAX_BYTES", 10_000)
    log = EventLog("w1")
    for _ in range(15):
        log.add(ClientCall(path="/", body=b"x" * 2_000))
    assert numbers(log) == [12, 13, 14, 15]


def test_the_path_to_an_event_begins_at_the_last_known_state() -> None:
    log, kept = EventLog("w1"), state()
    log.add(ClientCall(path="/1"))
    log.note_restore(kept, calls_suspended=False)
    log.add(ClientCall(path="/2"))
    log.begin_segment(None)
    log.add(ClientCall(path="/3"))
    first, second = log.path_to(3) or []
    assert first.base is kept
    assert [event.n for segment in (first, second) for event in segment.events] == [2, 3]
    assert log.path_to(1) == [log.segments[0]]


def test_a_fork_shares_the_events_of_its_parent_and_adds_its_own() -> None:
    parent = EventLog("w1")
    parent.add(ClientCall(path="/1"))
    fork = EventLog("w2", parent.seal())
    fork.add(ClientCall(path="/2"))
    parent.add(ClientCall(path="/3"))
    assert [(segment.world_id, event.n) for segment, event in fork.all()] == [("w1", 1), ("w2", 2)]
    assert [(segment.world_id, event.n) for segment, event in parent.all()] == [("w1", 1), ("w1", 2)]


def test_a_reset_of_a_fork_keeps_what_it_inherited_and_forgets_its_own() -> None:
    parent = EventLog("w1")
    parent.add(ClientCall(path="/1"))
    fork = EventLog("w2", parent.seal())
    fork.add(ClientCall(path="/2"))
    assert numbers(fork.after_reset(state())) == [1]
    assert numbers(parent.after_reset(None)) == []


def test_the_outcome_of_a_call_is_found_in_its_segment() -> None:
    log = EventLog("w1")
    log.add(ClientCall(path="/1"))
    log.begin_segment(state())
    log.add(ClientCall(path="/2"))
    log.set_outcome(1, CallOutcome(wrote=True))
    assert [segment.outcomes.keys() for segment in log.segments] == [{1}, set()]


@given(st.lists(st.one_of(st.integers(0, 30), st.just("fork")), min_size=20, max_size=60))
def test_the_oldest_changes_are_forgotten_and_the_newer_ones_are_known(steps: list[int | str]) -> None:
    log, changed = EventLog("w1"), list[tuple[int, Undo | State]]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(event_log, "MAX_UNDO_ENTRIES", 200)
        for step in steps:
            if isinstance(step, str):
                log = log.fork(f"{log.world_id}.{log.next_n}")
                continue
            log.add(ClientCall(path="/"))
            entries: UndoLog = [Undo(State.set_rate, STATE, f"{log.next_n}.{i}") for i in range(step)]
            changed += [(log.next_n - 1, entry) for entry in entries]
            log.keep_undo_log(log.next_n - 1, entries)
    known = [entry for n, entry in reversed(changed) if n >= log.known_from]
    assert list(log.undo_log_since(log.known_from) or ()) == known
    assert log.known_from == 0 or log.undo_log_since(log.known_from - 1) is None
    assert min(len(changed), 199 - 30) <= len(known) <= 200


@given(st.lists(st.lists(st.integers(0, 50), max_size=20), min_size=5, max_size=60), st.integers(0, 60))
@example([[n] for n in range(40)], 5)  # more events than are kept, with few undo entries
def test_what_was_touched_since_a_checkpoint_is_known_also_where_undo_logs_are_forgotten(
    steps: list[list[int]], place: int
) -> None:
    log, place = EventLog("w1"), place % len(steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(event_log, "MAX_UNDO_ENTRIES", 100)
        patch.setattr(event_log, "MAX_EVENTS", 20)
        for number, slots in enumerate(steps):
            if number == place:
                log.add_checkpoint(CheckpointMark(log.next_n, 0, 0), log.forgets, is_based=False)
            log.add(ClientCall(path="/"))
            log.keep_undo_log(log.next_n - 1, [Undo(State.set_rate, "orders", Record(n)) for n in slots])
    found = log.touched_since(log.checkpoints[-1].n - 1)
    assert found is not None
    since, with_one_more = (
        {n for slots in part for n in slots} for part in (steps[place:], steps[max(0, place - 1) :])
    )
    assert since <= found.slots.get("orders", {}).keys() <= with_one_more
    log.keep_undo_log(log.next_n - 1, None)  # too much to keep
    assert log.touched_since(log.checkpoints[-1].n - 1) is None
