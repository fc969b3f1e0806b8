"""Why a record did not get further: what its service reads from the state, if the trace has each change it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.reason import ADVANCE, AT, CAUSE, Act, Proof, Question, Reason
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.provenance.record_json import key_of_record
from giftsim.workbench.why import mends
from giftsim.workbench.why.about import ANSWER
from giftsim.workbench.why.facts import Entry, Facts, Subject
from giftsim.workbench.why.forecast import status_of
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Mark, Mend, Verdict

KINDS: Final = (
    "superseded",
    "expired",
    "canceled",
    "rejected",
    "delayed",
    "proof_unsigned",
    "not_paid",
    "not_approved",
    "mail_bounced",
    "not_claimed",
    "not_due",
)
MOST_MARKS: Final = 20
FIRST: Final = 1  # the entry with which a trace begins


def _rule(kind: str) -> Rule:
    return Rule(kind, lambda facts: _find(facts, kind))


def _find(facts: Facts, kind: str) -> Verdict | None:
    """The verdict of a kind, about the first subject that has any reason."""
    found = (_verdict(facts, reason) for reason in _reasons(facts) if reason.kind == kind)
    return next((verdict for verdict in found if verdict is not None), None)


def _reasons(facts: Facts) -> Sequence[Reason]:
    """The reasons of the first subject that has any. They are asked for once."""
    known: Any = vars(facts)
    if "reasons" not in known:
        told = (_told(facts, question) for question in _questions(facts))
        known["reasons"] = next((reasons for reasons in told if reasons), ())
    found: Sequence[Reason] = known["reasons"]
    return found


def _questions(facts: Facts) -> Iterator[Question]:
    """What to ask of each subject. Nothing is asked about no record in particular without anything that is expected."""
    call, expected = _refused(facts), facts.expected
    if call is not None:
        yield from _about_call(facts, call)
    elif expected is not None and expected.kind != ANSWER:
        for subject in _asked(facts):
            if not _is_so(facts, subject):
                yield Question(subject.ref, subject.id, expected.value, facts.failure.actual)
    elif expected is None and facts.about is not None:
        yield from (Question(subject.ref, subject.id) for subject in facts.subjects)


def _told(facts: Facts, question: Question) -> Sequence[Reason]:
    return [reason for ask in service_of(facts.state).reasons for reason in ask(facts.state, question)]


def _is_so(facts: Facts, subject: Subject) -> bool:
    """Whether what is expected of a subject is so already."""
    assert facts.expected is not None
    if facts.expected.kind == "event":
        return bool(facts.events_of(subject, facts.expected.value))
    return status_of(facts.state, subject, facts.expected.value) == facts.expected.value


def _asked(facts: Facts) -> Iterable[Subject]:
    """The subjects of the question. If a test names none, then those that its last call named, or that have the status
    which it saw.
    """
    if not facts.names_none or not facts.calls:
        return facts.subjects
    called = facts.named(_words(facts.calls[-1]["call"]["request"]["path"].split("/")))
    seen = [subject for subject in facts.subjects if status_of(facts.state, subject) == facts.failure.actual]
    return called or seen or facts.subjects


def _refused(facts: Facts) -> Entry | None:
    """The call that the question is about if it was refused: that one, or the last with the status that a test saw."""
    call = facts.called
    if call is None and facts.about is None and facts.expected is not None and facts.expected.kind == ANSWER:
        call = facts.answered(facts.failure.actual)
    status = None if call is None else _status(call)
    return call if status is not None and status >= 400 else None


def _status(call: Entry) -> int | None:
    response = call["call"].get("response")
    return None if response is None else response["status"]


def _about_call(facts: Facts, call: Entry) -> Iterator[Question]:
    """Why a call was refused: what to ask about each record that it named, or that its answer names."""
    request, response = call["call"]["request"], call["call"]["response"]
    answer = _json(response.get("body"))
    code = answer.get("error", {}).get("code") if isinstance(answer, dict) else None
    if isinstance(code, str):
        words = _words([request["path"].partition("?")[0].split("/"), _json(request.get("body")), answer])
        yield from (Question(subject.ref, subject.id, code=code) for subject in facts.named(words))


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
    pairs = [(entry, proof) for proof in reason.proofs if (entry := _entry(facts, proof)) is not None]
    if not pairs or len(pairs) < len(reason.proofs):
        return None
    _, first = pairs[0]
    alike = [entry for entry, proof in pairs if (proof.member, proof.value) == (first.member, first.value)]
    sentence = reason.sentence.replace(AT, _when(alike)).replace(CAUSE, _causes(alike))
    call = _refused(facts)
    marks = [Mark(entry["n"], proof.what) for entry, proof in pairs[:MOST_MARKS]]
    return Verdict(
        kind=reason.kind,
        sentence=sentence,
        marks=(*([] if call is None else [Mark(call["n"], f"was refused with {_status(call)}")]), *marks),
        mend=mends.together([_mend(act) for act in reason.acts]),
        why_not=reason.why_not,
    )


def _mend(act: Act) -> Mend:
    return mends.advance(**act.body) if act.verb == ADVANCE else mends.simulate(act.verb, pytest=act.pytest, **act.body)


def _when(entries: Sequence[Entry]) -> str:
    """When some changes were: `at` an instant, or `between` the first and the last. What was so when the trace began
    was so `before`.
    """
    first, last = (choose(entries, key=lambda entry: int(entry["n"])) for choose in (min, max))
    if first["n"] == FIRST:
        return f"{'before' if last['n'] == FIRST else 'at or before'} {last['at']}"
    return f"at {first['at']}" if first["at"] == last["at"] else f"between {first['at']} and {last['at']}"


def _causes(entries: Sequence[Entry]) -> str:
    """What made some changes, if it was the same for all."""
    causes = {_cause(entry) for entry in entries}
    return causes.pop() if len(causes) == 1 else ""


def _entry(facts: Facts, proof: Proof) -> Entry | None:
    """The entry with the change of a proof. What no entry changed was so when the trace began."""
    key = key_of_record(service_of(facts.state), proof.table, proof.slot)
    found = facts.made(key) if proof.member is None else facts.became(key, proof.member, proof.value)
    if found is not None:
        return found
    began: Mapping[str, Any] | None = facts.data["start"]["records"].get(key)
    if began is None:
        return None if facts.changing(key) else facts.entries[0]
    return facts.entries[0] if proof.member is None or began.get(proof.member) == proof.value else None


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
