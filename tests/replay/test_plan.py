"""The plan of a recovery: it starts from the last usable checkpoint and leaves out what no world needs."""

from __future__ import annotations

from giftsim.event_log.inputs import (
    Checkpoint,
    ClientCall,
    EventsUndone,
    WorldConfig,
    WorldCreated,
    WorldDeleted,
    WorldForked,
    WorldReset,
)
from giftsim.replay.recover import Line, ReplayPlan

CONFIG = WorldConfig("bare", 1, 0)
CREATED = WorldCreated(CONFIG)


def call(n: int) -> ClientCall:
    return ClientCall(n=n)


def checkpoint(n: int) -> Checkpoint:
    return Checkpoint(n, 1, CONFIG, None, 0, b"", None, {})


def applied(lines: list[Line]) -> list[int]:
    plan = ReplayPlan(lines)
    return [at for at in range(len(lines)) if plan.needs(at)]


def starts(lines: list[Line]) -> dict[int, list[tuple[str, int]]]:
    by_line = ReplayPlan(lines).checkpoints_by_line()
    return {at: [(world_id, kept.n) for world_id, kept in found] for at, found in by_line.items()}


def test_without_a_checkpoint_every_line_is_applied() -> None:
    lines: list[Line] = [("a", CREATED), ("a", call(1)), ("a", call(2))]
    assert (applied(lines), starts(lines)) == ([0, 1, 2], {})


def test_a_world_starts_from_its_last_checkpoint() -> None:
    lines: list[Line] = [
        ("a", CREATED), ("a", call(1)), ("a", checkpoint(2)), ("a", call(2)), ("a", checkpoint(3)), ("a", call(3)),
    ]  # fmt: skip
    assert starts(lines) == {4: [("a", 3)]}
    assert applied(lines) == [4, 5]


def test_a_checkpoint_stands_before_the_calls_that_were_written_ahead_of_it() -> None:
    lines: list[Line] = [("a", CREATED), ("a", call(1)), ("a", call(2)), ("a", checkpoint(2))]
    assert starts(lines) == {2: [("a", 2)]}
    assert applied(lines) == [2, 3]


def test_a_deleted_world_is_left_out() -> None:
    lines: list[Line] = [("a", CREATED), ("b", CREATED), ("b", call(1)), ("b", WorldDeleted()), ("a", call(1))]
    assert applied(lines) == [0, 4]


def test_a_deleted_parent_is_applied_when_its_fork_needs_it() -> None:
    lines: list[Line] = [("a", CREATED), ("a", call(1)), ("b", WorldForked("a")), ("a", WorldDeleted())]
    assert applied(lines) == [0, 1, 2, 3]


def test_a_fork_with_a_checkpoint_does_not_need_its_parent() -> None:
    lines: list[Line] = [
        ("a", CREATED), ("a", call(1)), ("b", WorldForked("a")), ("a", WorldDeleted()), ("b", checkpoint(2)),
    ]  # fmt: skip
    assert applied(lines) == [4]


def test_a_checkpoint_of_what_was_undone_is_not_used() -> None:
    lines: list[Line] = [
        ("a", CREATED), ("a", call(1)), ("a", call(2)), ("a", checkpoint(3)), ("a", EventsUndone(2)), ("a", call(2)),
    ]  # fmt: skip
    assert (applied(lines), starts(lines)) == ([0, 1, 2, 3, 4, 5], {})


def test_numbers_begin_again_after_a_reset() -> None:
    lines: list[Line] = [
        ("a", CREATED), ("a", call(1)), ("a", WorldReset(n=2)), ("a", call(1)), ("a", checkpoint(2)), ("a", call(2)),
    ]  # fmt: skip
    assert starts(lines) == {4: [("a", 2)]}
    assert applied(lines) == [4, 5]


def test_worlds_that_were_created_before_the_lines_start_from_their_checkpoints() -> None:
    lines: list[Line] = [("a", call(7)), ("a", checkpoint(7)), ("b", checkpoint(3)), ("a", call(8)), ("b", call(3))]
    assert starts(lines) == {0: [("a", 7)], 2: [("b", 3)]}
    assert applied(lines) == [0, 1, 2, 3, 4]
    assert ReplayPlan(lines).is_complete


def test_lines_are_not_enough_after_an_undo_of_what_the_checkpoint_has() -> None:
    lines: list[Line] = [("a", checkpoint(7)), ("a", call(7)), ("a", EventsUndone(5)), ("a", call(5))]
    assert not ReplayPlan(lines).is_complete


def test_a_checkpoint_after_a_reset_precedes_the_first_event_of_its_round() -> None:
    lines: list[Line] = [
        ("a", call(3)), ("a", WorldReset(n=4)), ("a", checkpoint(1)), ("b", CREATED), ("a", call(1)),
    ]  # fmt: skip
    assert starts(lines) == {2: [("a", 1)]}
    assert applied(lines) == [2, 3, 4]
