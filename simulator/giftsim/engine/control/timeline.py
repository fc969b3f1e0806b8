"""The timeline of a world as JSON: how much happened and how much is due, in parts of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from math import log
from operator import attrgetter
from typing import Any, Final, TypeVar

import msgspec

from giftsim.engine.control.changes import change_view
from giftsim.engine.control.clock import timer_view
from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import InvalidParameter
from giftsim.engine.kernel.instants import EARLIEST_MS, LATEST_MS, format_instant, parse_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.webhooks.delivery import ATTEMPT_TIMER
from giftsim.engine.webhooks.fan_out import HOURLY_RUN_TIMER
from giftsim.engine.worlds.change_counts import Bin
from giftsim.engine.worlds.changes import DELIVERY, EVENT_KIND, TIMER, Change, Changes
from giftsim.engine.worlds.world import World

NEARER: Final = 50  # times as wide are the parts that are farthest from now
KINDS: Final = {ATTEMPT_TIMER: DELIVERY, HOURLY_RUN_TIMER: EVENT_KIND}  # of what is due; any other timer is a timer

INSTANT_AND_KIND: Final = attrgetter("due_ms", "kind")
R = TypeVar("R", Bin, "Due")
PartOf = Callable[[int], int]  # the number of the part in which an instant is


class Due(msgspec.Struct, gc=False):
    """Timers of one kind that are due from `begin_ms` to `end_ms`; `example` is one of them."""

    begin_ms: int
    end_ms: int
    count: int
    example: Timer


def get_timeline(call: Call) -> Response:
    """Count what happened and what is due, in parts."""
    begin_ms, end_ms = _instant(call, "from", EARLIEST_MS), _instant(call, "to", LATEST_MS)
    if begin_ms > end_ms:
        raise InvalidParameter("from is after to")
    with current_state(call.world) as state:
        bins = {kind: _within(all_of, begin_ms, end_ms) for kind, all_of in call.world.changes.timeline.bins.items()}
        due = {kind: _within(all_of, begin_ms, end_ms) for kind, all_of in _due(call.world, state).items()}
        every = [state.now_ms, *_ends(bins.values()), *_ends(due.values())]
        is_whole = call.query["from"] is None and call.query["to"] is None
        part_of = _part_of(call.query["parts"], min(every), max(every), state.now_ms if is_whole else None)
        past = {kind: _joined(found, part_of, call.query["parts"]) for kind, found in bins.items()}
        ahead = {kind: _joined_due(found, part_of, call.query["parts"]) for kind, found in due.items()}
        firsts = [found[0].begin_ms for found in call.world.changes.timeline.bins.values() if found]
        return Response(
            200,
            {
                "now": format_instant(state.now_ms),
                "first": format_instant(min(firsts)) if firsts else None,
                "pending": len(state.timers),
                "past": list(_past_views(call.world, state, past)),
                "due": [_due_view(state, kind, each) for kind, found in ahead.items() for each in found],
            },
        )


def _instant(call: Call, name: str, default_ms: int) -> int:
    text = call.query[name]
    try:
        return default_ms if text is None else parse_instant(text)
    except ValueError as error:
        raise InvalidParameter(f"{name}: {error}") from None


def _within(bins: list[R], begin_ms: int, end_ms: int) -> list[R]:
    return [each for each in bins if each.end_ms >= begin_ms and each.begin_ms <= end_ms]


def _ends(rows: Iterable[list[Bin] | list[Due]]) -> Iterator[int]:
    """The first and the last instant of each list, which is in order."""
    for found in rows:
        if found:
            yield found[0].begin_ms
            yield found[-1].end_ms


def _due(world: World, state: State) -> dict[str, list[Due]]:
    """What is due, by kind and in order: one for each instant. It is kept until something happens."""
    timers, timeline = state.timers, world.changes.timeline
    key = world.changes.last_n, timers.serial, len(timers)
    if timeline.ahead is None or timeline.ahead[0] != key:
        timeline.ahead = key, _by_kind(timers.live.values())
    found: dict[str, list[Due]] = timeline.ahead[1]
    return found


def _by_kind(timers: Collection[Timer]) -> dict[str, list[Due]]:
    """It takes a tenth of a second for half a million timers: no line of this program runs for each."""
    counts = Counter(map(INSTANT_AND_KIND, timers))
    examples = dict(zip(map(INSTANT_AND_KIND, timers), timers, strict=True))
    kinds: dict[str, list[Due]] = {}
    for key, count in sorted(counts.items()):
        at_ms, kind = key
        kinds.setdefault(KINDS.get(kind, TIMER), []).append(Due(at_ms, at_ms, count, examples[key]))
    return kinds


def _part_of(parts: int, begin_ms: int, end_ms: int, now_ms: int | None) -> PartOf:
    """Parts of equal width; or if there is a present, parts that are the wider the farther from it."""
    span = max(1, end_ms - begin_ms)
    if now_ms is None:
        return lambda at_ms: (at_ms - begin_ms) * parts // span
    scale = parts / log(1 + NEARER)
    return lambda at_ms: int(log(1 + NEARER * abs(at_ms - now_ms) / span) * scale)


def _joined(bins: list[Bin], part_of: PartOf, most: int) -> list[Bin]:
    """The bins as they are if they are few enough, else one for each part."""
    if len(bins) <= most:
        return bins
    found: list[Bin] = []
    for each in bins:
        if found and part_of(found[-1].begin_ms) == part_of(each.begin_ms):
            found[-1].take(each)
        else:
            found.append(msgspec.structs.replace(each))
    return found


def _joined_due(due: list[Due], part_of: PartOf, most: int) -> list[Due]:
    if len(due) <= most:
        return due
    found: list[Due] = []
    for each in due:
        if found and part_of(found[-1].begin_ms) == part_of(each.begin_ms):
            found[-1].count += each.count
            found[-1].end_ms = each.end_ms
        else:
            found.append(msgspec.structs.replace(each))
    return found


def _past_views(world: World, state: State, past: dict[str, list[Bin]]) -> Iterator[dict[str, Any]]:
    wanted = {n for found in past.values() for each in found for n in (each.n, each.failed_n)}
    changes = _numbered(world.changes, wanted)
    for kind, found in past.items():
        for each in found:
            yield {
                "kind": kind,
                "from": format_instant(each.begin_ms),
                "to": format_instant(each.end_ms),
                "count": each.count,
                "failed": each.failed,
                "n": each.n,
                "newest": _view(world, state, changes.get(each.n), kind),
                "newest_failed": _view(world, state, changes.get(each.failed_n), kind),
            }


def _numbered(changes: Changes, wanted: set[int]) -> dict[int, Change]:
    """The changes with these numbers, as far as they are kept."""
    least = min((n for n in wanted if n > changes.dropped_n), default=0)
    return {change.n: change for change in changes.after(least - 1) if change.n in wanted} if least else {}


def _view(world: World, state: State, change: Change | None, kind: str) -> dict[str, Any] | None:
    """A change of the kind: after an undo, the newest of a part is not known."""
    return change_view(world, state, change) if change is not None and change.kind == kind else None


def _due_view(state: State, kind: str, due: Due) -> dict[str, Any]:
    return {
        "kind": kind,
        "from": format_instant(due.begin_ms),
        "to": format_instant(due.end_ms),
        "count": due.count,
        "example": timer_view(state, due.example),
    }
