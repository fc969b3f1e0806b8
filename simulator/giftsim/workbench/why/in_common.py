"""What the bodies that an app refused have in common, and no body that it accepted has."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from giftsim.engine.webhooks.outgoing import DELIVERED, HTTP_STATUS
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.verdict import Mark
from giftsim.workbench.why.webhook_history import Taken, taken

_OTHER: Final = re.compile(r"[^\W\d_]*[^\x00-\x7f][^\W\d_]*")
_LARGER: Final = 1.2  # times the size of the largest accepted body, below which a size tells nothing
_SHOWN: Final = 3


class Common(NamedTuple):
    """What refused bodies have in common, as the end of a sentence, with its marks. The text may be empty."""

    text: str
    marks: Sequence[Mark]


class _Answers(NamedTuple):
    """The attempts that were refused and accepted by the one who took them; each event is in one of them, once."""

    facts: Facts
    refused: Sequence[Taken]
    accepted: Sequence[Taken]


def in_common(facts: Facts, refused: Taken) -> Common:
    """What sets those bodies apart that were refused by whom refused this attempt, as far as the trace shows it."""
    answers = _answers(facts, refused)
    if not answers.accepted:
        return Common("", ())
    count = len(answers.refused)
    said = [text for find in _FINDERS if (text := find(answers))] or ([text] if (text := _size(answers)) else [])
    if not said:
        return Common("", ())
    whose = "this body" if count == 1 else f"all {count} refused bodies"
    marks = [mark(each.entry, "refused too") for each in answers.refused if each.entry is not refused.entry][:_SHOWN]
    accepted = f"none of the {len(answers.accepted)} accepted" if len(answers.accepted) > 1 else "not the accepted one"
    return Common(
        f"; {whose} {' and '.join(said)}, {accepted} (entry {answers.accepted[-1].entry['n']})",
        (*marks, mark(answers.accepted[-1].entry, "accepted")),
    )


def _answers(facts: Facts, refused: Taken) -> _Answers:
    """Events of which an attempt was accepted count as accepted."""
    found: dict[str, Taken] = {}
    for entry in facts.of_kind("attempt"):
        attempt = taken(facts, entry)
        if (attempt.by, attempt.host, attempt.attempt["endpoint"]) != (
            refused.by,
            refused.host,
            refused.attempt["endpoint"],
        ):
            continue
        if attempt.attempt["outcome"] in (DELIVERED, HTTP_STATUS):
            former = found.get(attempt.attempt["event_id"])
            found[attempt.attempt["event_id"]] = former if former is not None and former.is_accepted else attempt
    attempts = found.values()
    return _Answers(
        facts, [each for each in attempts if not each.is_accepted], [each for each in attempts if each.is_accepted]
    )


def _type(answers: _Answers) -> str | None:
    types = dict.fromkeys(each.attempt["type"] for each in answers.refused)
    if set(types) & {each.attempt["type"] for each in answers.accepted} or len(types) > 1:
        return None
    is_one = len(answers.refused) == 1
    return f"{'is' if is_one else 'are'} of the type {next(iter(types))}"


def _letters(answers: _Answers) -> str | None:
    if any(not each.attempt["body"].isascii() for each in answers.accepted):
        return None
    if any(each.attempt["body"].isascii() for each in answers.refused):
        return None
    words = dict.fromkeys(_OTHER.findall(each.attempt["body"])[0] for each in answers.refused)
    has = "has" if len(answers.refused) == 1 else "have"
    return f"{has} letters outside ASCII ({', '.join([*words][:_SHOWN])})"


def _order(answers: _Answers) -> str | None:
    """The refused came before what had happened earlier to the same; nothing that was accepted did."""
    passed = [_overtaken(answers.facts, each) for each in answers.refused]
    if None in passed or any(_overtaken(answers.facts, each) for each in answers.accepted):
        return None
    first = passed[0]
    assert first is not None
    return f"came before {first['attempt']['type']} (entry {first['n']}), which had happened earlier"


def _overtaken(facts: Facts, attempt: Taken) -> Entry | None:
    """The first attempt to send an event that happened before that of an attempt to the same record, but came later."""
    if "event" not in attempt.attempt:
        return None  # a ping, or an event from before the trace
    event = facts.entry(attempt.attempt["event"])
    for entry in facts.of_kind("attempt"):
        if entry["n"] <= attempt.entry["n"] or entry["attempt"].get("event", event["n"]) >= event["n"]:
            continue
        other = facts.entry(entry["attempt"]["event"])
        is_first = entry["attempt"]["number"] == 1 and entry["attempt"]["endpoint"] == attempt.attempt["endpoint"]
        if is_first and other["event"].get("about") == event["event"].get("about"):
            return entry
    return None


def _size(answers: _Answers) -> str | None:
    refused, accepted = ([len(each.attempt["body"].encode()) for each in some] for some in answers[1:])
    if min(refused) < _LARGER * max(accepted):
        return None
    size = f"{refused[0]}" if len(refused) == 1 else f"{min(refused)} to {max(refused)}"
    return f"{'has' if len(refused) == 1 else 'have'} {size} bytes, more than {max(accepted)}"


_FINDERS: Final[Sequence[Callable[[_Answers], str | None]]] = (_letters, _type, _order)
