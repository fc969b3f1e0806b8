"""The counts of a timeline are those of the changes themselves, however many there are or are undone."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.worlds.change_counts import Timeline

KIND = "call"
CHANGES = st.lists(st.tuples(st.integers(0, 40 * 86_400_000), st.booleans()), min_size=1, max_size=120)
MOST = 16


def filled(rows: list[tuple[int, bool]], most: int) -> Timeline:
    """A timeline with changes from number 1 on, in order of time."""
    timeline = Timeline(most)
    for n, (at_ms, failed) in enumerate(rows, 1):
        timeline.add(KIND, at_ms, n, failed=failed)
    return timeline


@given(CHANGES)
def test_bins_are_in_order_and_count_every_change_once(rows: list[tuple[int, bool]]) -> None:
    rows = sorted(rows)
    bins = filled(rows, MOST).bins[KIND]
    assert len(bins) <= MOST
    assert all(one.end_ms < other.begin_ms for one, other in pairwise(bins))
    for each in bins:
        own = [(n, failed) for n, (at, failed) in enumerate(rows, 1) if each.begin_ms <= at <= each.end_ms]
        assert (each.count, each.failed) == (len(own), sum(failed for _, failed in own))
        assert (each.first_n, each.n) == (own[0][0], own[-1][0])
        assert each.failed_n == max((n for n, failed in own if failed), default=0)
    assert sum(each.count for each in bins) == len(rows)


@given(CHANGES, st.integers(0, 120))
def test_what_is_undone_one_by_one_is_not_counted(rows: list[tuple[int, bool]], kept: int) -> None:
    rows = sorted(rows)
    timeline = filled(rows, len(rows))
    for n in range(len(rows), min(kept, len(rows)), -1):
        timeline.remove(KIND, n, failed=rows[n - 1][1])
    left = timeline.bins[KIND]
    assert sum(each.count for each in left) == len(rows[:kept])
    assert sum(each.failed for each in left) == sum(failed for _, failed in rows[:kept])
    assert all(0 <= each.failed <= each.count for each in left)


@given(CHANGES, st.integers(1, 120))
def test_when_changes_are_not_known_one_by_one_no_later_one_is_counted(rows: list[tuple[int, bool]], to: int) -> None:
    rows = sorted(rows)
    timeline = filled(rows, MOST)
    timeline.end_at(to, rows[-1][0])
    assert all(each.n <= to for each in timeline.bins[KIND])


def test_the_older_half_becomes_coarse_and_the_newer_stays_exact() -> None:
    minute = 60_000
    bins = filled([(n * minute, False) for n in range(200)], MOST).bins[KIND]
    exact = [each for each in bins if each.begin_ms == each.end_ms]
    assert bins[-len(exact) :] == exact
    assert len(exact) >= MOST // 4
    assert bins[0].count > bins[-1].count
