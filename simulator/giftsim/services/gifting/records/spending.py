"""What orders, gifts and campaigns have cost: since the world began, and today."""

from __future__ import annotations

from itertools import takewhile

from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import DAY, format_instant
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.money.account import ENTRIES

CHARGE, REFUND, RETURN = "charge", "refund", "return"


def get_spending(call: Call) -> Response:
    """The sums of what was charged and refunded."""
    start_ms = call.world.config.now_ms
    with current_state(call.world) as state:
        charged, refunded = _sums(state, start_ms)
        charged_today, refunded_today = _sums(state, max(state.now_ms // DAY * DAY, start_ms))
    body = {
        "since": format_instant(start_ms),
        "total_cents": charged - refunded,
        "total_refunded_cents": refunded,
        "today_cents": charged_today - refunded_today,
        "today_refunded_cents": refunded_today,
    }
    return Response(200, body)


def _sums(state: State, first_ms: int) -> tuple[int, int]:
    """What was charged and refunded from an instant on. What a bank took back was not charged (G435).

    What is paid toward a wallet settles what is owed on terms, which was counted when it was charged.
    """
    newest = takewhile(lambda entry: entry is not None and entry.at_ms >= first_ms, reversed(state[ENTRIES].rows))
    rows = [entry for entry in newest if entry is not None]
    paid = [entry.postings[-1] for entry in rows if entry.kind == CHARGE and entry.postings]
    back = [entry.postings for entry in rows if entry.kind == REFUND]
    gone = [each for entry in rows if entry.kind == RETURN for each in entry.postings if each[0][:8] == "payment "]
    charged = sum([cents for toward, cents in (*paid, *gone) if toward[:7] != "wallet "])
    return charged, sum(cents for postings in back for _, cents in postings if cents > 0)
