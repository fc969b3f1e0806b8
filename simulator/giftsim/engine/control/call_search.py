"""How the list of calls is searched. Its words are looked for in paths and bodies, but not in their secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from giftsim.engine.control.call_names import CallNames
from giftsim.engine.control.search import Searchable, Section, one_of
from giftsim.engine.control.search_fields import Meaning, Names, check_operation, is_in, matches, meaning, since
from giftsim.engine.control.services import services_of
from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.record_search import Group, Texts
from giftsim.engine.gateway.secret_kinds import SecretTable
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import CallRecord

DROPPED = "dropped"
CLASSES = ("2xx", "3xx", "4xx", "5xx", DROPPED)
_STATUS = re.compile(r"[1-5]\d\d")
_CODE = re.compile(rb'"code": ?"([^"\\]{1,100})"')
FIRST_ERROR = 400
NONE = "none"
NOUN = "a call"

_MEANINGS: Final[Mapping[str, tuple[str, str, Sequence[str]]]] = {
    "status": ("the status of its response, a class such as 4xx, or dropped", "status:402", ()),
    "call": ("its operation, how operations begin, or none", "call:{operation}", ()),
    "key": ("the name of its credential, or how names begin", "key:{interface}.*", ()),
    "kind": ("its interface, or its method", "kind:{interface}", ()),
    "code": ("the code of the error that it got, or none", "code:insufficient_funds", ()),
    "fault": ("the fault that changed it; * is any", "fault:*", ()),
    "who": ("a name or an email address in its body", "who:bo@example.com", ()),
    "since": (
        "it was made then or later, by the world's clock: a span until now, a date or an instant",
        "since:2d",
        (),
    ),
    "is": ("failed: refused, broken or without a response", "is:failed", ("failed",)),
}


def describe_calls(names: Names) -> Meaning:
    """The list of calls as the reference shows it."""
    fields = [meaning(name, means, each.format(**names), values) for name, (means, each, values) in _MEANINGS.items()]
    words = "its path, its body and the body of its response, without secrets"
    return {"list": "calls", "noun": NOUN, "words": words, "fields": fields}


def class_of(entry: CallRecord) -> str:
    """The class of a call's status, such as `4xx`."""
    return DROPPED if entry.status is None else f"{entry.status // 100}xx"


def searchable_calls(call: Call, state: State, names: CallNames) -> Searchable[CallRecord]:
    """The calls of a world as the search takes them."""
    simulated, sections = services_of(call).simulated(), {"failed": Section(_is_failed)}

    def operation(value: str) -> Callable[[CallRecord], bool]:
        if value != NONE:
            check_operation(simulated, value)
        return matches(lambda entry: (names.operation(entry)[1] or NONE,), value)

    tests: dict[str, Callable[[str], Callable[[CallRecord], bool]]] = {
        "status": _has_status,
        "call": operation,
        "key": _with(lambda entry: (names.credential(entry),)),
        "kind": _with(lambda entry: (names.operation(entry)[0], entry.method)),
        "code": _with(lambda entry: (code_of(entry) or NONE,)),
        "fault": _with(lambda entry: (entry.fault,)),
        "who": lambda value: partial(_has_words, service_of(state).secret_table, [value.casefold()]),
        "since": partial(since, state.now_ms, _made_at),
        "is": partial(is_in, NOUN, sections),
    }
    return Searchable(
        NOUN,
        tests,
        partial(partial, _has_words, service_of(state).secret_table),
        sections,
        lambda: partial(_group, names),
    )


def _with(of: Callable[[CallRecord], Texts]) -> Callable[[str], Callable[[CallRecord], bool]]:
    return lambda value: matches(of, value)


def _made_at(entry: CallRecord) -> int:
    return entry.at_ms


def _is_failed(entry: CallRecord) -> bool:
    return entry.status is None or entry.status >= FIRST_ERROR


def code_of(entry: CallRecord) -> str | None:
    """The code of the error that a call got."""
    if not _is_failed(entry):
        return None
    found = _CODE.search(entry.answer)
    return found[1].decode("utf-8", "replace") if found else None


def _has_status(value: str) -> Callable[[CallRecord], bool]:
    if _STATUS.fullmatch(value):
        return lambda entry: entry.status == int(value)
    wanted = one_of(value, CLASSES, NOUN, "status")
    return lambda entry: class_of(entry) == wanted


def _has_words(secrets: SecretTable, words: Iterable[str], entry: CallRecord) -> bool:
    """Whether all words are in the path or in a body, outside of secrets."""
    text = _text(entry)
    plain = text.casefold()
    for word in words:
        if word not in plain:
            return False
    shown = secrets.redact(text).casefold()
    return all(word in shown for word in words)


def _text(entry: CallRecord) -> str:
    body, answer = entry.body.decode("utf-8", "replace"), entry.answer.decode("utf-8", "replace")
    return f"{entry.method} {entry.path}\n{body}\n{answer}"


def _group(names: CallNames, entry: CallRecord) -> Group:
    operation, status, code = names.operation(entry)[1], str(entry.status or DROPPED), code_of(entry)
    said = [status if entry.status is not None else "no response", *([code.replace("_", " ")] if code else [])]
    terms = ("call", operation or NONE), ("status", status), ("code", code or NONE)
    return Group(f"{operation or 'no operation'}: {' '.join(said)}", terms)
