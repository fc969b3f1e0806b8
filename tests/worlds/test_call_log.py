"""The call log: bounded, numbered from 1, and clear about what it has dropped."""

from __future__ import annotations

import pytest

from giftsim.event_log.inputs import CallRecord
from giftsim.worlds.call_log import CallLog, CallLogTruncated


def record(seq: int, body: bytes = b"") -> CallRecord:
    return CallRecord(seq, 0, "GET", "/", (), body, 200, {}, b"", None, None)


def filled(count: int, *, max_entries: int = 3, max_bytes: int = 10**6, body: bytes = b"") -> CallLog:
    log = CallLog(max_entries, max_bytes)
    for _ in range(count):
        log.add(record(log.next_seq, body))
    return log


def test_the_oldest_calls_are_dropped_and_numbers_go_on() -> None:
    log = filled(5)
    assert [entry.seq for entry in log.after(2)] == [3, 4, 5]
    assert (log.dropped, log.next_seq) == (2, 6)


def test_bytes_are_bounded_too_but_the_newest_call_stays() -> None:
    log = filled(3, max_bytes=1_000, body=b"x" * 2_000)
    assert [entry.seq for entry in log.after(2)] == [3]


def test_asking_for_dropped_calls_is_an_error() -> None:
    with pytest.raises(
        CallLogTruncated, match=r"^calls up to 2 were dropped from the journal; ask for after=2 or later$"
    ):
        list(filled(5).after(1))


def test_truncating_and_clearing_take_calls_back() -> None:
    log = filled(3)
    log.truncate(2)
    assert [entry.seq for entry in log.after(0)] == [1]
    assert log.next_seq == 2
    log.clear()
    assert (log.next_seq, log.bytes) == (1, 0)
