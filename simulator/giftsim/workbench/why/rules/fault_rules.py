"""Why a fault is behind it: what it held, what it changed, and what it never met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from giftsim.engine.kernel.instants import SECOND, parse_instant
from giftsim.engine.kernel.texts import count_with_noun
from giftsim.workbench.why import mends
from giftsim.workbench.why.asked import (
    READS,
    answer_header,
    answered_status,
    asked_attempts,
    asked_calls,
    earlier_calls,
    error_code,
    is_open,
    name_call,
    name_credential,
    phrase_entries,
    same_calls,
    was_repeated,
)
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.index import header_of
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import NO_LINE, Mark, Verdict

FAULT_HEADER: Final = "x-sim-fault"


class Fault(NamedTuple):
    """A fault of the world's table as it was added: its record's key, its members, and the entry that added it."""

    key: str
    row: Mapping[str, Any]
    by: Entry

    @property
    def effect(self) -> Mapping[str, Any]:
        """What it does."""
        effect: Mapping[str, Any] = self.row["effect"]
        return effect

    def __str__(self) -> str:
        return f"the fault {self.row['id']}"


def faults(facts: Facts) -> Iterator[Fault]:
    """All faults that were added, in order, also those that were removed later."""
    return (Fault(change["record"], change["members"], entry) for entry, change in facts.added("fault"))


def _fault_of(facts: Facts, entry: Entry, id_: str) -> Fault | None:
    """The fault of the table that acted on an entry; None for one of a header, or a magic value."""
    own = [each for each in faults(facts) if each.row["id"] == id_ and each.by["n"] < entry["n"]]
    return own[-1] if own else None


def held_call(facts: Facts) -> Verdict | None:
    """A call waits, because a fault holds it."""
    resumed = {cause["n"] for entry in facts.of_kind("resumed") for cause in entry["causes"]}
    for entry in reversed(asked_calls(facts, facts.index.calls.unanswered)):
        if entry["n"] in resumed:
            continue
        fault = next((each for each in faults(facts) if "hold" in each.effect and _hit(facts, each, entry)), None)
        if fault is not None:
            return Verdict(
                kind="held_by_fault",
                sentence=f"{name_call(entry)} (entry {entry['n']}) still waits: {fault} holds it until it is cleared",
                marks=(*_once(mark(fault.by, "added the fault"), mark(entry, "is held")),),
                mend=mends.clear_fault(fault.row["id"]),
            )
    return None


def _hit(facts: Facts, fault: Fault, entry: Entry) -> bool:
    if fault.by["n"] == entry["n"]:
        return True  # that of a header, which the call added
    change = facts.change(entry, fault.key)
    return change is not None and "hits" in change["members"]


def _once(*marks: Mark) -> Iterator[Mark]:
    seen = set[int]()
    for each in marks:
        if each.entry not in seen:
            seen.add(each.entry)
            yield each


def held_webhook(facts: Facts) -> Verdict | None:
    """A webhook is under way, because its receiver holds it."""
    receivers = {facts.final[key]["host"]: key for key in facts.keys("webhooks_receiver")}
    for entry in asked_attempts(facts):
        attempt, key = entry["attempt"], receivers.get(_host(entry))
        if attempt["outcome"] is not None or key is None or facts.final[key].get("mode") != "hold":
            continue
        by = facts.became(key, "mode", "hold")
        return Verdict(
            kind="held_by_fault",
            sentence=(
                f"{attempt['type']} (entry {entry['n']}) is under way: the receiver {_host(entry)} holds each webhook"
                " until somebody answers for it"
            ),
            marks=(*((mark(by, "made the receiver hold"),) if by is not None else ()), mark(entry, "is held")),
            mend=mends.receiver(_host(entry)),
        )
    return None


def _host(entry: Entry) -> str:
    headers: Mapping[str, str] = entry["attempt"]["headers"]
    return headers.get("Host", "").partition(":")[0]


def changed_answer(facts: Facts) -> Verdict | None:
    """A fault gave a call another answer, or none, and no later call made up for it."""
    for entry in reversed(asked_calls(facts, facts.index.calls.faulty)):
        id_ = entry["call"]["fault"]
        if was_repeated(facts, entry) or _is_repetition(facts, entry):
            continue
        fault = _fault_of(facts, entry, id_)
        what = _what_happened(entry, fault, id_)
        if what is None or (is_open(facts) and what.was_done):
            continue
        more = [each for each in same_calls(facts, entry) if each["call"].get("fault") is not None]
        first = (mark(fault.by, "added the fault"),) if fault is not None else ()
        return Verdict(
            kind="changed_by_fault",
            sentence=f"{what.words}, {_tried(entry, facts)}",
            marks=(*first, mark(entry, "was changed by the fault"), *(mark(each, "again") for each in more)),
            mend=NO_LINE if fault is None else mends.clear_fault(fault.row["id"]),
            why_not="the call itself asks for the fault" if fault is None else None,
        )
    return None


def _is_repetition(facts: Facts, entry: Entry) -> bool:
    """Whether a fault changed an earlier call with the same request, of which is told instead."""
    if entry["call"]["request"]["method"] in READS:
        return False
    return any("fault" in each["call"] for each in earlier_calls(facts, entry))


class Happened(NamedTuple):
    """The words for what a fault did to a call, and whether the call was done all the same."""

    words: str
    was_done: bool = False


def _what_happened(entry: Entry, fault: Fault | None, id_: str) -> Happened | None:
    by = str(fault) if fault is not None else f"the magic value {id_!r} in it"
    if fault is None and header_of(entry, FAULT_HEADER) is not None:
        by = f"its header X-Sim-Fault: {id_}"
    own, code = f"{name_call(entry)} (entry {entry['n']})", answered_status(entry)
    if code is None:
        return _without_answer(own, by, fault.effect if fault is not None else {})
    if code < 400:
        return None  # such as a delay
    return Happened(f"{own} was answered {code} {error_code(entry) or ''}".rstrip() + f" because of {by}")


def _without_answer(own: str, by: str, effect: Mapping[str, Any]) -> Happened | None:
    if effect.get("drop") == "before":
        return Happened(f"{own} got no answer and was not done, because of {by}")
    if effect.get("drop") == "after":
        return Happened(f"{own} was done, and its answer was lost because of {by}", was_done=True)
    if "crash" in effect:
        return Happened(f"{own} was charged, and its answer was lost because of {by}", was_done=True)
    return None if "hold" in effect else Happened(f"{own} got no answer because of {by}")


def _tried(entry: Entry, facts: Facts) -> str:
    """What the app did then."""
    later = same_calls(facts, entry)
    if not later:
        return "and it was not sent again"
    last = answered_status(later[-1])
    ended = "without an answer" if last is None else f"answered {last}"
    wait_s = int(answer_header(entry, "Retry-After") or 0)
    passed_ms = parse_instant(later[-1]["at"]) - parse_instant(entry["at"])
    soon = f", within the {count_with_noun(wait_s, 'second')} of Retry-After" if passed_ms < wait_s * SECOND else ""
    soon = ", at the same instant" if not passed_ms else soon
    return f"and when it was sent again ({phrase_entries(later)}){soon}, it was {ended}"


def changed_webhook(facts: Facts) -> Verdict | None:
    """A fault sent a webhook with a wrong signature, and whoever got it refused it."""
    for entry in asked_attempts(facts):
        id_ = entry["attempt"].get("fault")
        fault = None if id_ is None else _fault_of(facts, entry, id_)
        if id_ is None:
            continue
        by = str(fault) if fault is not None else f"the fault {id_} of the call that caused it"
        effect = str(fault.effect["webhook"] if fault is not None else id_.rpartition("=")[2])
        found = _refused(facts, entry, by, effect)
        if found is not None:
            first = (mark(fault.by, "added the fault"),) if fault is not None else ()
            return Verdict(
                kind="changed_by_fault",
                sentence=found.words,
                marks=(*first, *found.marks),
                mend=NO_LINE if fault is None else mends.clear_fault(fault.row["id"]),
                why_not="the call that caused it asks for the fault" if fault is None else None,
            )
    return None


class Found(NamedTuple):
    """The words for what a fault did to a webhook, and the entries that prove it."""

    words: str
    marks: Sequence[Mark]


def _of_delivery(facts: Facts, entry: Entry) -> Sequence[Entry]:
    """All attempts to deliver the same event to the same endpoint."""
    own = entry["attempt"]["event_id"], entry["attempt"]["endpoint"]
    attempts = facts.of_kind("attempt")
    return [each for each in attempts if (each["attempt"]["event_id"], each["attempt"]["endpoint"]) == own]


def _refused(facts: Facts, entry: Entry, by: str, effect: str) -> Found | None:
    attempt = entry["attempt"]
    later = [each for each in _of_delivery(facts, entry) if each["n"] > entry["n"]]
    if attempt["outcome"] in (None, "delivered") or any(each["attempt"]["outcome"] == "delivered" for each in later):
        return None
    if not effect.endswith("_signature"):
        return None
    answered = attempt["status"] if attempt["status"] is not None else attempt["outcome"]
    words = (
        f"{attempt['type']} (entry {entry['n']}) was sent with a {effect.replace('_', ' ')} because of {by}, and it was"
        f" answered with {answered}"
    )
    return Found(words, [mark(entry, "was refused")])


def fault_unused(facts: Facts) -> Verdict | None:
    """A fault of the test met nothing; what it waits for, and what came nearest."""
    if facts.about is not None:
        return None
    for fault in faults(facts):
        row = facts.final.get(fault.key)
        if row is None or row["hits"] or fault.by["kind"] != "fault":
            continue
        found = _never_hit(facts, fault, row) if row["seen"] else _never_matched(facts, fault)
        if found is not None:
            return found
    return None


_WHEN: Final = {
    "first": "on the first {}",
    "calls": "on number {}",
    "every": "on one of {}",
    "from": "from {} on",
    "to": "until {}",
    "probability": "with a probability of {}",
}


def _never_hit(facts: Facts, fault: Fault, row: Mapping[str, Any]) -> Verdict | None:
    when, effect = row["when"], row["effect"]
    what = "attempt" if "webhook" in effect else "call"
    wanted = " and ".join(_WHEN[name].format(_listed(value)) for name, value in when.items())
    match = {"match": row["match"]} if row["match"] else {}
    seen = [
        entry
        for entry in facts.changing(fault.key)
        if (each := facts.change(entry, fault.key)) and "seen" in each["members"]
    ]
    return Verdict(
        kind="fault_unused",
        sentence=f"{fault} did nothing: {count_with_noun(row['seen'], what)} matched it, and it acts {wanted}",
        marks=(mark(fault.by, "added the fault"), *(mark(entry, "matched, and was not changed") for entry in seen[:3])),
        mend=mends.fault(effect, {**match, "when": {"first": 1}}),
    )


def _never_matched(facts: Facts, fault: Fault) -> Verdict | None:
    match, effect, choices = fault.row["match"], fault.row["effect"], {}
    if "webhook" in effect or not match:
        return None
    later = [entry for entry in facts.calls if entry["n"] > fault.by["n"] and entry["call"].get("operation")]
    nearest = max(later, key=lambda entry: sum(_has(entry, *each) for each in match.items()), default=None)
    if nearest is None:
        return None
    wrong = {member: value for member, value in match.items() if not _has(nearest, member, value)}
    if not wrong:
        return None
    choices["match"] = {
        member: _called(nearest, member) if member in wrong else value for member, value in match.items()
    }
    if fault.row["when"]:
        choices["when"] = fault.row["when"]
    wanted = " and ".join(f"the {member} {value}" for member, value in wrong.items())
    got = " and ".join(str(_called(nearest, member)) for member in wrong)
    return Verdict(
        kind="fault_unused",
        sentence=f"{fault} did nothing: it waits for {wanted}, and {name_call(nearest)} (entry {nearest['n']}) had"
        f" {got}",
        marks=(mark(fault.by, "added the fault"), mark(nearest, "came nearest")),
        mend=mends.fault(effect, choices),
    )


def _called(entry: Entry, member: str) -> Any:
    return name_credential(entry) if member == "credential" else entry["call"].get(member)


def _has(entry: Entry, member: str, value: Any) -> bool:
    return bool(_called(entry, member) == value)


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


RULES: Final = (
    Rule("held_by_fault", held_call),
    Rule("held_by_fault", held_webhook),
    Rule("changed_by_fault", changed_answer),
    Rule("changed_by_fault", changed_webhook),
    Rule("fault_unused", fault_unused),
)
