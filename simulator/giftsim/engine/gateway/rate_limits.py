"""Rate limits: fixed windows of one minute per key, on the world's clock and part of its state (A7.21, G15)."""

from __future__ import annotations

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import RateLimited
from giftsim.engine.kernel.instants import MINUTE, SECOND, format_instant
from giftsim.engine.kernel.setting import number

PLANS = {"sandbox": 1_000_000, "starter": 60, "growth": 300, "enterprise": 1_200}
LIMIT, REMAINING, RESET = "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"
WINDOW = (LIMIT, REMAINING, RESET)
SETTINGS = {
    plan: number(f"rate_limits.{plan}", calls, f"calls a minute and key on the plan {plan}", least=1)
    for plan, calls in PLANS.items()
}


def count(call: Call) -> None:
    """Count the call in its key's window and set the rate-limit headers; RateLimited when the window is full."""
    state, caller = call.state, call.caller
    most = state.setting(SETTINGS[caller.plan])
    window = state.now_ms // MINUTE
    name = f"rate {caller.bucket}"
    used = state.meters.get(name, 0) if state.meters.get(f"{name} at") == window else 0
    reset_s = (window + 1) * 60
    headers = call.headers
    headers[LIMIT] = str(most)
    headers[REMAINING] = str(most - used - 1) if used < most else "0"
    headers[RESET] = str(reset_s)
    if used >= most:
        raise _rate_limited(call, most, reset_s)
    if used:
        state.count(name)
    else:
        state.set_meter(name, 1)
        state.set_meter(f"{name} at", window)


def _rate_limited(call: Call, most: int, reset_s: int) -> RateLimited:
    wait_s = -(-(reset_s * SECOND - call.state.now_ms) // SECOND)
    call.headers["Retry-After"] = str(wait_s)
    reset = format_instant(reset_s * SECOND)
    advice = f"wait until {reset}"
    if not call.state.rate:
        advice = f"this world's clock does not run: advance it by {wait_s}s, to {reset}"
    return RateLimited(f"more than {most} calls in this minute on the plan {call.caller.plan}; {advice}")


def add_headers(response: Response, call: Call) -> None:
    """Add the headers that middleware set on the call, unless the response has its own.

    A 401 has none about the window, because a credential that is not accepted has no key and no window.
    """
    refused, headers = response.status == 401, response.headers
    for name, value in call.headers.items():
        if not (refused and name in WINDOW):
            headers.setdefault(name, value)
