"""The call log of a world: client calls and their responses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from giftsim.control.call_names import CallNames
from giftsim.control.pagination import NEWEST, page, text_filter
from giftsim.control.redaction import redact_text
from giftsim.control.views.call_log import call_view
from giftsim.control.views.call_scenario import call_scenario
from giftsim.control.world_access import current_state
from giftsim.event_log.call_record import CallRecord
from giftsim.gateway.call import Call, Handler, Interface, Response
from giftsim.worlds.call_log import CallLog

DROPPED = "dropped"
CLASSES = ("2xx", "3xx", "4xx", "5xx", DROPPED)
ANY = "*"

Keep = Callable[[CallRecord], bool]


def make_call_handlers(simulated: Sequence[Interface]) -> Mapping[str, Handler]:
    """The handlers that read the call log, with the names of the operations of the `simulated` interfaces."""

    def list_calls(call: Call) -> Response:
        world = call.world
        with current_state(world) as state:
            log, names = world.call_log, CallNames(simulated, state, world.id)
            keep = [*_filters(call.query, names)]
            rows = ((entry.seq, entry) for entry in _asked(call, log) if all(each(entry) for each in keep))
            more = {"counts": _counts(log)} if call.query["counts"] else {}
            bodies = call.query["bodies"]
            return page(
                call,
                "calls",
                rows,
                lambda entry: call_view(world, entry, names, bodies=bodies),
                dropped=log.dropped,
                **more,
            )

    def get_call(call: Call) -> Response:
        with current_state(call.world) as state:
            entry = call.world.call_log.find(call.params["seq"])
            return Response(200, call_view(call.world, entry, CallNames(simulated, state, call.world.id)))

    def get_call_scenario(call: Call) -> Response:
        with current_state(call.world) as state:
            entry = call.world.call_log.find(call.params["seq"])
            view = call_view(call.world, entry, CallNames(simulated, state, call.world.id))
            text = call_scenario(view, call.world.config)
        return Response(200, text.encode(), content_type="application/yaml", opaque=True)

    return {"listCalls": list_calls, "getCall": get_call, "getCallScenario": get_call_scenario}


def _asked(call: Call, log: CallLog) -> Iterator[CallRecord]:
    """The calls in the asked order, by default from the oldest one kept."""
    if call.query["order"] == NEWEST:
        return log.newest(call.query["before"])
    return log.after(log.dropped if call.query["after"] is None else call.query["after"])


def _filters(query: Mapping[str, Any], names: CallNames) -> Iterator[Keep]:
    """What a call has to be, the cheapest first."""
    if (status := query["status"]) is not None:
        yield lambda entry: status in (_class_of(entry), str(entry.status))
    if (fault := query["fault"]) is not None:
        yield lambda entry: entry.fault is not None and fault in (ANY, entry.fault)
    if (credential := query["credential"]) is not None:
        yield lambda entry: names.credential(entry) == credential
    if query["interface"] is not None or query["operation"] is not None:
        wanted = query["interface"], query["operation"]
        yield lambda entry: all(one in (None, own) for one, own in zip(wanted, names.operation(entry), strict=True))
    if (has_text := text_filter(query["q"])) is not None:
        yield lambda entry: _has_text(entry, has_text)


def _class_of(entry: CallRecord) -> str:
    return DROPPED if entry.status is None else f"{entry.status // 100}xx"


def _has_text(entry: CallRecord, has_text: Callable[[str], bool]) -> bool:
    """Whether a path or a body has the text, secrets left out: they are redacted where the rest has it."""
    texts = (entry.path, entry.body.decode("utf-8", "replace"), entry.answer.decode("utf-8", "replace"))
    return any(has_text(text) and has_text(redact_text(text)) for text in texts)


def _counts(log: CallLog) -> dict[str, int]:
    counted = Counter(map(_class_of, log.entries))
    return {each: counted[each] for each in CLASSES}
