"""What orders, gifts and campaigns have cost: since the world began, and today."""

from __future__ import annotations

from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import DAY, format_instant
from giftsim.services.gifting.domain.money.account import ENTRIES, Entry


def get_spending(call: Call) -> Response:
    """The sums of what was charged and refunded."""
    start_ms = call.world.config.now_ms
    with current_state(call.world) as state:
        today_ms = state.now_ms // DAY * DAY
        cost = {"charge": [0, 0], "refund": [0, 0]}  # in all, and today
        for entry in reversed(state[ENTRIES].rows):
            if entry is None or entry.kind not in cost:
                continue
            if entry.at_ms < start_ms:
                break
            cents = _cents(entry)
            cost[entry.kind][0] += cents
            cost[entry.kind][1] += cents if entry.at_ms >= today_ms else 0
    (charged, charged_today), (refunded, refunded_today) = cost["charge"], cost["refund"]
    body = {
        "since": format_instant(start_ms),
        "total_cents": charged - refunded,
        "total_refunded_cents": refunded,
        "today_cents": charged_today - refunded_today,
        "today_refunded_cents": refunded_today,
    }
    return Response(200, body)


def _cents(entry: Entry) -> int:
    """What an entry moved; nothing if it pays what is owed on terms, which was counted when it was charged."""
    if entry.kind == "refund":
        return sum([cents for _, cents in entry.postings if cents > 0])
    toward, cents = entry.postings[-1] if entry.postings else ("wallet ", 0)
    return 0 if toward.startswith("wallet ") else cents
