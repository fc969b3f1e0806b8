"""Why a record did not get further: what its service reads from the state, if the trace has each change it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.control.record_changes import key_of_record
from giftsim.engine.gateway.reason import AT, CAUSE, Proof, Question, Reason
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.workbench.why import mends
from giftsim.workbench.why.about import ANSWER
from giftsim.workbench.why.facts import Entry, Facts, Subject
from giftsim.workbench.why.forecast import status_of
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Mark, Verdict

KINDS: Final = (
    "superseded",
    "expired",
    "canceled",
    "rejected",
    "delayed",
    "proof_unsigned",
    "not_paid",
    "not_approved",
    "not_claimed",
)
_BEGUN: Final = "the trace begins with it"


def _rule(kind: str) -> Rule:
    return Rule(kind, lambda facts: _find(facts, kind))


def _find(facts: Facts, kind: str) -> Verdict | None:
    """The verdict of a kind about the first subject that has one."""
    for reasons in _reasons(facts):
        for reason in reasons:
            if reason.kind == kind and (found := _verdict(facts, reason)) is not None:
                return found
        if reasons:
            return None
    return None


def _reasons(facts: Facts) -> Sequence[Sequence[Reason]]:
    """The reasons of each subject that the question may be about. They are asked for once."""
    known: Any = vars(facts)
    if "reasons" not in known:
        known["reasons"] = tuple(_ask(facts))
    found: Sequence[Sequence[Reason]] = known["reasons"]
    return found


def _ask(facts: Facts) -> Sequence[Sequence[Reason]]:
    call = _refused(facts)
    if call is not None:
        return _ask_for_call(facts, call)
    expected = facts.expected
    if expected is not None and expected.kind == ANSWER:
        return ()
    if expected is None and (facts.about is None or facts.about.kind in ("event", "call")):
        return ()
    wanted, actual = (None if expected is None else expected.value), facts.failure.actual
    asked = [subject for subject in _asked(facts) if expected is None or not _is_so(facts, subject)]
    return [_told(facts, Question(subject.ref, subject.id, wanted, actual)) for subject in asked]


def _told(facts: Facts, question: Question) -> Sequence[Reason]:
    return [reason for ask in service_of(facts.state).reasons for reason in ask(facts.state, question)]


def _is_so(facts: Facts, subject: Subject) -> bool:
    """Whether what is expected of a subject is so already."""
    assert facts.expected is not None
    if facts.expected.kind == "event":
        return bool(facts.events_of(subject, facts.expected.value))
    return status_of(facts.state, subject, facts.expected.value) == facts.expected.value


def _asked(facts: Facts) -> Sequence[Subject]:
    """The subjects of the question. If a test names none, then those that its last call named, or that have the status
    which it saw.
    """
    if not facts.names_none or not facts.calls:
        return facts.subjects
    words = _words(facts.calls[-1]["call"]["request"]["path"].split("/"))
    called = [subject for subject in facts.subjects if str(subject.id) in words]
    seen = [subject for subject in facts.subjects if status_of(facts.state, subject) == facts.failure.actual]
    return called or seen or facts.subjects


def _refused(facts: Facts) -> Entry | None:
    """The call that the question is about if it was refused: that one, or the last with the status that a test saw."""
    call = facts.called
    if call is None and facts.about is None and facts.expected is not None and facts.expected.kind == ANSWER:
        actual = facts.failure.actual
        call = next((each for each in reversed(facts.calls) if str(_status(each)) == actual), None)
    status = None if call is None else _status(call)
    return call if status is not None and status >= 400 else None


def _status(call: Entry) -> int | None:
    response = call["call"].get("response")
    return None if response is None else response["status"]


def _ask_for_call(facts: Facts, call: Entry) -> Sequence[Sequence[Reason]]:
    """The reasons for which a call was refused, of what it named or of what it answered."""
    request, response = call["call"]["request"], call["call"]["response"]
    answer = _json(response.get("body"))
    code = answer.get("error", {}).get("code") if isinstance(answer, dict) else None
    words = _words([request["path"].partition("?")[0].split("/"), _json(request.get("body")), answer])
    if not isinstance(code, str):
        return ()
    named = [subject for subject in facts.every_subject if str(subject.id) in words]
    return [_told(facts, Question(subject.ref, subject.id, code=code)) for subject in named]


def _json(text: str | None) -> Any:
    try:
        return msgspec.json.decode(text or "null")
    except msgspec.DecodeError:
        return None


def _words(value: Any) -> frozenset[str]:
    """All texts and numbers of JSON, as texts."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        return frozenset(word for each in value for word in _words(each))
    return frozenset([str(value)]) if isinstance(value, str | int) and not isinstance(value, bool) else frozenset()


def _verdict(facts: Facts, reason: Reason) -> Verdict | None:
    """The verdict of a reason; None unless the trace has each of its changes."""
    entries = [_entry(facts, proof) for proof in reason.proofs]
    marks = [Mark(entry["n"], proof.what) for entry, proof in zip(entries, reason.proofs, strict=True) if entry]
    if not entries or len(marks) < len(entries):
        return None
    first = entries[0]
    assert first is not None
    sentence = reason.sentence.replace(AT, first["at"]).replace(CAUSE, _cause(first))
    acts = [mends.simulate(act.verb, pytest=act.pytest, **act.body) for act in reason.acts]
    return Verdict(
        kind=reason.kind, sentence=sentence, marks=tuple(marks), mend=mends.together(acts), why_not=reason.why_not
    )


def _entry(facts: Facts, proof: Proof) -> Entry | None:
    """The entry with the change of a proof, or the first one if the trace begins with what it made."""
    key = key_of_record(service_of(facts.state), proof.table, proof.slot)
    found = facts.made(key) if proof.member is None else facts.became(key, proof.member, proof.value)
    if found is not None:
        return found
    began: Mapping[str, Any] | None = facts.data["start"]["records"].get(key)
    is_begun = began is not None and (proof.member is None or began.get(proof.member) == proof.value)
    return facts.entries[0] if is_begun else None


def _cause(entry: Entry) -> str:
    """What made an entry's change, in parentheses: why a timer was set, a verb, or an operation with its credential."""
    if entry["kind"] == "call":
        call = entry["call"]
        name, who = call.get("operation", entry["title"]), call.get("credential")
        return f" ({name} by {who})" if who else f" ({name})"
    if entry["kind"] == "act":
        return f" (simulate {entry['control']['path'].rpartition('/')[2]})"
    return "" if entry["kind"] == "world" else f" ({entry['title']})"


RULES: Final = tuple(_rule(kind) for kind in KINDS)
