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
from giftsim.engine.kernel.state import State


class Answer(msgspec.Struct):
    """An answer on its way out. `body` is the value of its JSON, None for any other body."""

    interface: str
    operation: str
    status: int
    headers: dict[str, str]
    body: Any = None

    @property
    def code(self) -> str | None:
        """The code of an error."""
        error = self.error
        return error.get("code") if error is not None else None

    @property
    def error(self) -> dict[str, Any] | None:
        """The error in the body of the team or partner interface: a member of it, or the body itself (0.9)."""
        if self.status < 400 or self.interface == "museum" or not isinstance(self.body, dict):
            return None
        found = self.body.get("error", self.body)
        return found if isinstance(found, dict) else None


class Reading(msgspec.Struct, frozen=True):
    """Another reading. `change` acts on answers, `value` on JSON: of answers, and of the data of events."""

    setting: Setting[bool]
    change: Callable[[Answer], None] | None = None
    value: Callable[[Any], Any] | None = None


# ---- Statuses and codes

OTHER_STATUSES: Final[Mapping[str, int]] = {
    "session_required": 401,
    "test_key_required": 422,
    "proof_version_stale": 422,
    "payment_not_permitted": 403,
    "too_many_webhooks": 422,
}


def _status_of(code: str) -> Callable[[Answer], None]:
    def change(answer: Answer) -> None:
        if answer.code == code:
            answer.status = OTHER_STATUSES[code]

    return change


DOCUMENTED_CODES: Final = frozenset({"insufficient_scope"})


def _generic_code(answer: Answer) -> None:
    if answer.interface == "team" and answer.error is not None and answer.code not in DOCUMENTED_CODES:
        answer.error["code"] = f"error_{answer.status}"


def _provider_code(answer: Answer) -> None:
    if answer.code == "provider_unavailable" and answer.error is not None:
        answer.error["code"] = "service_unavailable"


def _blank_type(answer: Answer) -> None:
    if answer.interface == "museum" and answer.status >= 400 and isinstance(answer.body, dict):
        answer.body["type"] = "about:blank"


def _created_as_ok(answer: Answer) -> None:
    if answer.interface == "team" and answer.status in (201, 202):
        answer.status = 200


# ---- Headers

WINDOW: Final = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def _no_replay_marker(answer: Answer) -> None:
    answer.headers.pop("Idempotent-Replayed", None)


def _no_wait_for_key(answer: Answer) -> None:
    if answer.interface == "team" and answer.status == 409:
        answer.headers.pop("Retry-After", None)


def _no_window(answer: Answer) -> None:
    if answer.status != 429:
        for name in WINDOW:
            answer.headers.pop(name, None)


def _lower_case(answer: Answer) -> None:
    answer.headers = {name.lower(): value for name, value in answer.headers.items()}


# ---- Values


def _renamed(interface: str, operations: str, names: Mapping[str, str], member: str = "status") -> Callable[..., None]:
    """Give values of a member other names, in the answers of the operations whose id fits a pattern."""
    fits = re.compile(operations).fullmatch

    def rename(record: dict[str, Any]) -> dict[str, Any]:
        value = record.get(member)
        return {**record, member: names[value]} if isinstance(value, str) and value in names else record

    def change(answer: Answer) -> None:
        if answer.interface == interface and answer.status < 400 and fits(answer.operation):
            answer.body = each_object(answer.body, rename)

    return change


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


def _not_in_museum(make: Callable[[Any], Any]) -> Callable[[Answer], None]:
    """A change of bodies, but for those of the museum, whose members are listed in full."""

    def change(answer: Answer) -> None:
        if answer.interface != "museum" and answer.body is not None:
            answer.body = make(answer.body)

    return change


def _no_details(answer: Answer) -> None:
    if answer.interface == "team" and answer.error is not None:
        answer.error.pop("details", None)


def _rows_without_recipients(answer: Answer) -> None:
    if answer.interface == "team" and answer.operation in ("listGifts", "listTeamOrders") and answer.status == 200:
        for row in answer.body["data"]:
            row.pop("recipients", None)


def _nulls_left_out(value: Any) -> Any:
    return each_object(value, lambda record: {name: each for name, each in record.items() if each is not None})


def _in_alphabetical_order(value: Any) -> Any:
    return each_object(value, lambda record: dict(sorted(record.items())))


def each_object(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A JSON value with each object in it changed."""
    if isinstance(value, dict):
        return change({name: each_object(member, change) for name, member in value.items()})
    return [each_object(each, change) for each in value] if isinstance(value, list) else value


def _reading(name: str, meaning: str, change: Callable[[Answer], None] | None, **more: Any) -> Reading:
    return Reading(flag(f"answers.{name}", False, meaning), change, **more)


def _value(name: str, meaning: str, value: Callable[[Any], Any]) -> Reading:
    return _reading(name, meaning, _not_in_museum(value), value=value)


# In the order in which they act. Statuses are looked up by the code that the simulator gave.
READINGS: Final = {
    reading.setting.name: reading
    for reading in (
        *(
            _reading(f"{code}_is_{status}", f"errors with the code {code} have the status {status}", _status_of(code))
            for code, status in OTHER_STATUSES.items()
        ),
        _reading("created_is_200", "what the team interface creates or accepts is answered 200 (A7.3)", _created_as_ok),
        _reading("generic_codes", "codes that no document names are `error_` and the status (A2.1)", _generic_code),
        _reading("shared_provider_code", "a provider's outage has the code service_unavailable (A8.5)", _provider_code),
        _reading("blank_problem_types", "the `type` of the museum's problems is about:blank (G118)", _blank_type),
        _reading("no_replay_marker", "replays lack the header Idempotent-Replayed (A3.4)", _no_replay_marker),
        _reading("no_wait_for_key", "a 409 of the team interface has no Retry-After (A3.3)", _no_wait_for_key),
        _reading("window_in_429_only", "only a 429 has the rate-limit headers (G15)", _no_window),
        _reading(
            "other_order_status",
            "a team order in production has the status in_progress (A1.1)",
            _renamed("team", r".*(Order|Orders)", {"in_production": "in_progress"}),
        ),
        _reading(
            "other_approval_status",
            "an approval that was canceled or superseded is withdrawn (A1.2)",
            _renamed("team", r".*Approvals?", {"canceled": "withdrawn", "superseded": "withdrawn"}),
        ),
        _reading(
            "other_proof_status",
            "a proof without a version has the status draft (A1.4)",
            _renamed("team", r".*", {"awaiting_version": "draft"}, "proof_status"),
        ),
        _reading(
            "other_certificate_status",
            "a tax certificate that waits for its review is received (A1.10)",
            _renamed("team", r".*(Certificate|Certificates|BillingProfile)", {"pending_review": "received"}),
        ),
        _reading(
            "other_parcel_status",
            "a parcel with a label has the status packed (B23)",
            _renamed("partner", r".*TeamOrders?", {"labeled": "packed"}),
        ),
        _reading("longer_messages", "the messages of errors are longer (G283)", _longer_message),
        _value(
            "longer_labels", "the labels of statuses are longer (G283)", lambda value: each_object(value, _longer_label)
        ),
        _reading("no_details", "errors of the team interface have no details (A8.6)", _no_details),
        _value("fractions", "instants have milliseconds (G12)", _with_fractions),
        _value("extra_members", f"each object has one more member, {EXTRA} (A7.1)", _extra_members),
        _reading(
            "rows_without_recipients",
            "lists of gifts and team orders lack the recipients of each row (G380)",
            _rows_without_recipients,
        ),
        _value("no_nulls", "members that are null are left out (G282)", _nulls_left_out),
        _value("sorted_members", "members are in alphabetical order (G281)", _in_alphabetical_order),
        _reading("lower_case_headers", "the names of headers are in lower case, as in HTTP/2 (G64)", _lower_case),
    )
}
SETTINGS: Final = tuple(reading.setting for reading in READINGS.values())


def read_otherwise(call: Call, response: Response) -> None:
    """Change an answer by the readings that its world has turned on."""
    names = [name for name in READINGS if call.state.setting_values.get(name)]
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
    )
    for name in names:
        change = READINGS[name].change
        if change is not None:
            change(answer)
    response.status, response.headers = answer.status, answer.headers
    if is_json:
        response.body = _encoded(answer.body)


def data_read_otherwise(state: State, data: bytes) -> bytes:
    """The data of an event, changed by the readings of JSON that its world has turned on."""
    if not state.setting_values:
        return data
    makes = [each.value for name, each in READINGS.items() if each.value and state.setting_values.get(name)]
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
