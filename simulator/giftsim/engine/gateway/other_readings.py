"""Other readings of what the documents leave open about answers: each is a setting, and off by default.

They act on an answer as it leaves, so no handler knows of them, and a world without settings pays nothing. Those that
are about JSON act on the data of webhook events too. What the documents say stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.call import Call, Response, encode
from giftsim.engine.kernel.placeholders import as_text, from_text
from giftsim.engine.kernel.setting import Setting, flag
from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.unknown_members import UNKNOWN_MEMBERS, with_unknown_members


class Answer(msgspec.Struct):
    """An answer on its way out. `body` is the value of its JSON, None for any other body.

    The bodies of an interface that `is_open` may have more members than are documented. `seed` is the world's.
    """

    interface: str
    operation: str
    status: int
    headers: dict[str, str]
    body: Any = None
    is_open: bool = True
    seed: int = 0

    @property
    def code(self) -> str | None:
        """The code of an error."""
        error = self.error
        return error.get("code") if error is not None else None

    @property
    def error(self) -> dict[str, Any] | None:
        """The error in the body of an interface that is open: a member of it, or the body itself (0.9)."""
        if self.status < 400 or not self.is_open or not isinstance(self.body, dict):
            return None
        found = self.body.get("error", self.body)
        return found if isinstance(found, dict) else None


class Reading(msgspec.Struct, frozen=True):
    """Another reading. `change` acts on answers, `value` on JSON: of answers, and of the data of events."""

    setting: Setting[bool]
    change: Callable[[Answer], None] | None = None
    value: Callable[[Any], Any] | None = None


# ---- Headers

WINDOW: Final = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def _no_replay_marker(answer: Answer) -> None:
    answer.headers.pop("Idempotent-Replayed", None)


def _no_window(answer: Answer) -> None:
    if answer.status != 429:
        for name in WINDOW:
            answer.headers.pop(name, None)


def _lower_case(answer: Answer) -> None:
    answer.headers = {name.lower(): value for name, value in answer.headers.items()}


# ---- Values


_INSTANT: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z")


def _with_fractions(value: Any) -> Any:
    """Instants with milliseconds, which RFC 3339 allows as well."""
    match value:
        case str():
            return _INSTANT.sub(r"\1.000Z", value) if _INSTANT.fullmatch(value) else value
        case dict():
            return {name: _with_fractions(member) for name, member in value.items()}
        case list():
            return [_with_fractions(each) for each in value]
    return value


LONGER: Final = " We are sorry for the trouble. If you need help, please write to us and name the request." * 3


def _longer_message(answer: Answer) -> None:
    if answer.error is not None:
        answer.error["message"] = f"{answer.error['message']}{LONGER}"


def _longer_label(record: dict[str, Any]) -> dict[str, Any]:
    label = record.get("status_label")
    return {**record, "status_label": f"{label} (as of the latest update)"} if isinstance(label, str) else record


# ---- Members

EXTRA: Final = "x_revision"


def _with_extra(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, EXTRA: 1}


def _extra_members(value: Any) -> Any:
    return each_object(value, _with_extra)


def _unknown_members(answer: Answer) -> None:
    if answer.is_open and answer.body is not None:
        answer.body = with_unknown_members(answer.body, answer.seed)


def _where_open(make: Callable[[Any], Any]) -> Callable[[Answer], None]:
    """A change of bodies, but for those of interfaces whose members are listed in full."""

    def change(answer: Answer) -> None:
        if answer.is_open and answer.body is not None:
            answer.body = make(answer.body)

    return change


def _nulls_left_out(value: Any) -> Any:
    return each_object(value, lambda record: {name: each for name, each in record.items() if each is not None})


def _in_alphabetical_order(value: Any) -> Any:
    return each_object(value, lambda record: dict(sorted(record.items())))


def each_object(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A JSON value with each object in it changed."""
    if isinstance(value, dict):
        return change({name: each_object(member, change) for name, member in value.items()})
    return [each_object(each, change) for each in value] if isinstance(value, list) else value


def reading_of(name: str, meaning: str, change: Callable[[Answer], None] | None, **more: Any) -> Reading:
    """A reading with its setting `answers.{name}`, which says what it means."""
    return Reading(flag(f"answers.{name}", False, meaning), change, **more)


def _value_reading(name: str, meaning: str, value: Callable[[Any], Any]) -> Reading:
    return reading_of(name, meaning, _where_open(value), value=value)


# Those of any service, in the order in which they act, after those of the services.
READINGS: Final = {
    reading.setting.name: reading
    for reading in (
        reading_of("no_replay_marker", "replays lack the header Idempotent-Replayed (A3.4)", _no_replay_marker),
        reading_of("window_in_429_only", "only a 429 has the rate-limit headers (G15)", _no_window),
        reading_of("longer_messages", "the messages of errors are longer (G283)", _longer_message),
        _value_reading(
            "longer_labels", "the labels of statuses are longer (G283)", lambda value: each_object(value, _longer_label)
        ),
        _value_reading("fractions", "instants have milliseconds (G12)", _with_fractions),
        _value_reading("extra_members", f"each object has one more member, {EXTRA} (A7.1)", _extra_members),
        Reading(UNKNOWN_MEMBERS, _unknown_members),
        _value_reading("no_nulls", "members that are null are left out (G282)", _nulls_left_out),
        _value_reading("sorted_members", "members are in alphabetical order (G281)", _in_alphabetical_order),
        reading_of("lower_case_headers", "the names of headers are in lower case, as in HTTP/2 (G64)", _lower_case),
    )
}
# Every reading of a simulator, in the order in which they act. Statuses are looked up by the code that it gave.
EVERY: Signal[Callable[[], Mapping[str, Reading]]] = Signal("readings", lambda: READINGS)
SETTINGS: Final = tuple(reading.setting for reading in READINGS.values())


def read_otherwise(call: Call, response: Response) -> None:
    """Change an answer by the readings that its world has turned on."""
    readings = call.state.handler(EVERY)()
    names = [name for name in readings if call.state.setting_values.get(name)]
    if not names or response.stream is not None:
        return
    is_json = response.content_type.endswith("json") and not response.opaque and response.status != 204
    operation = call.matched_operation
    answer = Answer(
        call.interface.name,
        operation.id if operation else "",
        response.status,
        response.headers,
        _decoded(response.bytes()) if is_json else None,
        call.interface.is_open,
        call.state.seed,
    )
    for name in names:
        change = readings[name].change
        if change is not None:
            change(answer)
    response.status, response.headers = answer.status, answer.headers
    if is_json:
        response.body = _encoded(answer.body)


def data_read_otherwise(state: State, data: bytes) -> bytes:
    """The data of an event, changed by the readings of JSON that its world has turned on."""
    if not state.setting_values:
        return data
    makes = [
        each.value for name, each in state.handler(EVERY)().items() if each.value and state.setting_values.get(name)
    ]
    if not makes:
        return data
    value = _decoded(data)
    for make in makes:
        value = make(value)
    return _encoded(value)


def _decoded(content: bytes) -> Any:
    """The value of JSON that may have placeholders, in which each of them is text."""
    return msgspec.json.decode(as_text(content))


def _encoded(value: Any) -> bytes:
    return from_text(encode(value))
