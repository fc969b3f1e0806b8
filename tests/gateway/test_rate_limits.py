"""Rate limits: one window a minute per bucket, on the world's clock."""

from __future__ import annotations

import pytest

from giftsim.gateway import rate_limits
from giftsim.gateway.call import Call, Response
from giftsim.gateway.problem import RateLimited
from giftsim.kernel.instants import MINUTE, SECOND, parse_instant
from giftsim.kernel.state import State
from giftsim.problem import InvalidState
from tests.support.sample_api import gateway_state, make_call

NOW_MS = parse_instant("2027-01-04T09:00:20Z")


@pytest.fixture
def state() -> State:
    """A world 20 seconds into a minute, in which the plan of the callers allows two calls."""
    state = gateway_state(now_ms=NOW_MS)
    state.setting_values["rate_limits.starter"] = 2
    return state


def counted(state: State, caller: str = "ada") -> Call:
    """A call that was counted."""
    call = make_call(state=state, caller=caller)
    rate_limits.count(call)
    return call


def refused(state: State) -> tuple[Call, str]:
    """A call beyond the limit, and the message with which it is refused."""
    call = make_call(state=state)
    with pytest.raises(RateLimited) as problem:
        rate_limits.count(call)
    return call, problem.value.message


def test_headers_say_how_many_calls_are_left_and_when_the_window_ends(state: State) -> None:
    end_s = str((NOW_MS + 40 * SECOND) // SECOND)
    assert [counted(state).headers for _ in range(2)] == [
        {"X-RateLimit-Limit": "2", "X-RateLimit-Remaining": left, "X-RateLimit-Reset": end_s} for left in ("1", "0")
    ]


def test_a_call_beyond_the_limit_is_refused_until_the_minute_ends(state: State) -> None:
    counted(state), counted(state)
    call, message = refused(state)
    assert call.headers["X-RateLimit-Remaining"] == "0"
    assert call.headers["Retry-After"] == "40"
    assert message == (
        "more than 2 calls in this minute on the plan starter; this world's clock does not run: advance it by 40s, to"
        " 2027-01-04T09:01:00Z"
    )


def test_a_running_clock_is_waited_for(state: State) -> None:
    counted(state), counted(state)
    state.rate = 1.0
    assert refused(state)[1] == "more than 2 calls in this minute on the plan starter; wait until 2027-01-04T09:01:00Z"


def test_a_part_of_a_second_counts_as_a_whole_one(state: State) -> None:
    counted(state), counted(state)
    state.now_ms += 1
    assert refused(state)[0].headers["Retry-After"] == "40"
    state.now_ms += 998
    assert refused(state)[0].headers["Retry-After"] == "40"
    state.now_ms += 1
    assert refused(state)[0].headers["Retry-After"] == "39"


def test_a_refused_call_does_not_count(state: State) -> None:
    counted(state), counted(state)
    meters = dict(state.meters)
    refused(state)
    assert state.meters == meters


def test_the_next_minute_begins_with_an_empty_window(state: State) -> None:
    counted(state), counted(state)
    state.now_ms += 40 * SECOND - 1
    refused(state)
    state.now_ms += 1
    assert counted(state).headers["X-RateLimit-Remaining"] == "1"
    state.now_ms += 60 * MINUTE
    assert counted(state).headers["X-RateLimit-Remaining"] == "1"


def test_every_bucket_has_a_window_of_its_own(state: State) -> None:
    counted(state), counted(state)
    assert counted(state, caller="bo").headers["X-RateLimit-Remaining"] == "1"
    refused(state)


def test_windows_do_not_roll_back_with_a_transaction(state: State) -> None:
    def count_and_fail() -> None:
        with state.transaction():
            counted(state)
            raise InvalidState("the order is canceled")

    with pytest.raises(InvalidState):
        count_and_fail()
    assert counted(state).headers["X-RateLimit-Remaining"] == "0"


def test_a_response_keeps_its_own_headers() -> None:
    call, response = make_call(), Response(200, headers={"Retry-After": "5"})
    call.headers = {"Retry-After": "40", "Allow": "GET"}
    rate_limits.add_headers(response, call)
    assert response.headers == {"Retry-After": "5", "Allow": "GET"}
