"""The journey of an order, gift, campaign or parcel, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.services.gifting.journey.ahead import Party, Step, arrivals, last_chance, look_ahead
from giftsim.services.gifting.journey.conditions import CLAIMED, Condition
from giftsim.services.gifting.journey.story import Effect, Moment, tell_story
from giftsim.services.gifting.journey.telling import phrase_names
from giftsim.services.gifting.journey.traveller import names_of, read_traveller


def get_journey(call: Call) -> Response:
    """Tell what happened to a record, and what is still to come."""
    with current_state(call.world) as state:
        traveller = read_traveller(state, call.query["about"])
        told = tell_story(call.world, state, traveller) if call.query["story"] else ()
        story = [_moment(each) for each in told]
        ahead = look_ahead(state, traveller)
        by_ms = last_chance(state, traveller, ahead)
        return Response(
            200,
            {
                "about": traveller.ref,
                "title": traveller.title,
                "now": format_instant(state.now_ms),
                "recipient_count": traveller.recipient_count,
                "told": len(traveller.parts.rows),
                "story": story,
                "ahead": [_step(each, by_ms) for each in _together(ahead.steps)],
                "arrives": [_arrival(each, by_ms) for each in _together(arrivals(ahead.steps))],
                "left_out": ahead.left_out,
            },
        )


def _moment(moment: Moment) -> dict[str, Any]:
    since = moment.since
    return {
        "at": format_instant(moment.at_ms),
        "what": moment.what,
        "cause": moment.cause,
        "since": since and {"at": format_instant(since.at_ms), "what": since.what},
        "effects": [_effect(each) for each in moment.effects],
    }


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "kind": effect.kind,
        "what": effect.what,
        "count": effect.count,
        "about": effect.about,
        "status": effect.status,
        "answered": effect.answered,
        "attempts": effect.attempts,
        "due": instant_or_null(effect.due_ms),
    }


def _together(steps: Sequence[Step]) -> list[Step]:
    """The steps with those that several parties take at one instant for one reason as one."""
    found: dict[tuple[Any, ...], Step] = {}
    for step in steps:
        waits = tuple(each.done for each in step.after)
        condition = step.condition and (step.condition.done, step.condition.ends_ms)
        key = step.at_ms, step.status, None if condition else step.what, waits, condition, step.party is None
        same = found.setdefault(key, step)
        if same is not step and same.party is not None and step.party is not None:
            same.party = Party([*same.party.rows, *step.party.rows])
            same.events = list(dict.fromkeys([*same.events, *step.events]))
    return list(found.values())


def _step(step: Step, by_ms: int | None) -> dict[str, Any]:
    condition = step.condition
    return {
        "at": format_instant(step.at_ms),
        "what": _what(step),
        "status": step.status,
        **_who(step),
        "events": step.events,
        "wait": None if condition is None else _wait(condition),
        "if": _if(step, by_ms),
    }


def _what(step: Step) -> str:
    """What happens, with all who do it."""
    if step.condition is not None and step.condition.done == CLAIMED and step.party and len(step.party.rows) > 1:
        return f"{phrase_names(names_of(step.party.rows), len(step.party.rows))} say where it goes"
    return step.what[:1].upper() + step.what[1:]


def _who(step: Step) -> dict[str, Any]:
    rows = step.party.rows if step.party else []
    return {
        "count": len(rows),
        "names": names_of(rows),
        "parcel": rows[0].parcel.order_id if len(rows) == 1 else None,
    }


def _wait(condition: Condition) -> dict[str, Any]:
    return {
        "done": condition.done,
        "verb": condition.verb,
        "body": condition.body,
        "ends": instant_or_null(condition.ends_ms),
    }


def _if(step: Step, by_ms: int | None) -> dict[str, Any] | None:
    """The condition of a step in words, and until when it can be met for parcels to arrive on the same day."""
    if not step.after:
        return None
    done = list(dict.fromkeys(each.done for each in step.after))
    words = " and ".join(filter(None, (", ".join(done[:-1]), done[-1])))
    return {"what": words, "by": instant_or_null(by_ms)}


def _arrival(step: Step, by_ms: int | None) -> dict[str, Any]:
    return {**_who(step), "at": format_instant(step.at_ms), "if": _if(step, by_ms)}
