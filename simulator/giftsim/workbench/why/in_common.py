"""What the bodies that an app refused have in common, and no body that it accepted has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from giftsim.engine.webhooks.outgoing import DELIVERED, HTTP_STATUS
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.verdict import Mark
from giftsim.workbench.why.webhook_history import Taken, find_taker

_OTHER: Final = re.compile(r"[^\W\d_]*[^\x00-\x7f][^\W\d_]*")
_LARGER: Final = 1.2  # times the size of the largest accepted body, below which a size tells nothing
_SHOWN: Final = 3


class Common(NamedTuple):
    """What bodies have in common, as words of a sentence, with the marks that prove it."""

    text: str
    marks: Sequence[Mark] = ()


NOTHING: Final = Common("")


class _Answers(NamedTuple):
    """The events that were refused and accepted by the same, each once, by an attempt. `first` has the first attempts
    of all events about the record that an event, by the number of its entry, is about.
    """

    refused: Sequence[Taken]
    accepted: Sequence[Taken]
    first: Mapping[int, Sequence[Entry]]


def in_common(facts: Facts, refused: Taken) -> Common:
    """What sets the bodies apart that were refused by whom refused this attempt, as far as the trace shows it."""
    answers = _answers(facts, refused)
    if not answers.accepted:
        return NOTHING
    count, last = len(answers.refused), answers.accepted[-1].entry
    found = [common for find in _FINDERS if (common := find(answers))]
    found = found or [common for common in (_size(answers),) if common]
    if not found:
        return NOTHING
    whose = "this body" if count == 1 else "both refused bodies" if count == 2 else f"all {count} refused bodies"
    others = [mark(each.entry, "refused too") for each in answers.refused if each.entry is not refused.entry]
    accepted = f"none of the {len(answers.accepted)} accepted" if len(answers.accepted) > 1 else "not the accepted one"
    return Common(
        f"; {whose} {' and '.join(each.text for each in found)}, {accepted} (entry {last['n']})",
        (*others[:_SHOWN], *(each for common in found for each in common.marks), mark(last, "accepted")),
    )


def _answers(facts: Facts, refused: Taken) -> _Answers:
    """An event of which any attempt was accepted counts as accepted."""
    found, first, about = dict[int, Taken](), dict[int, list[Entry]](), defaultdict[str, list[Entry]](list)
    for entry in facts.of_kind("attempt"):
        n = entry["attempt"].get("event")
        if n is None or entry["attempt"]["endpoint"] != refused.attempt["endpoint"]:
            continue
        if (attempt := find_taker(facts, entry)).by != refused.by:
            continue
        if n not in first:
            first[n] = about[facts.entry(n)["event"].get("about", "")]
            first[n].append(entry)
        if attempt.attempt["outcome"] in (DELIVERED, HTTP_STATUS) and not (n in found and found[n].is_accepted):
            found[n] = attempt
    attempts = found.values()
    accepted = [each for each in attempts if each.is_accepted]
    return _Answers([each for each in attempts if not each.is_accepted], accepted, first)


def _letters(answers: _Answers) -> Common | None:
    if any(not each.attempt["body"].isascii() for each in answers.accepted):
        return None
    if any(each.attempt["body"].isascii() for each in answers.refused):
        return None
    words = dict.fromkeys(_OTHER.findall(each.attempt["body"])[0] for each in answers.refused)
    return Common(f"{_has(answers)} letters outside ASCII ({', '.join([*words][:_SHOWN])})")


def _type(answers: _Answers) -> Common | None:
    types = {each.attempt["type"] for each in answers.refused}
    if len(types) > 1 or types & {each.attempt["type"] for each in answers.accepted}:
        return None
    return Common(f"{'is' if len(answers.refused) == 1 else 'are'} of the type {min(types)}")


def _order(answers: _Answers) -> Common | None:
    """The refused came before what had happened earlier to the same; nothing that was accepted did."""
    passed = [_overtaken(answers, each) for each in answers.refused]
    if None in passed or any(_overtaken(answers, each) for each in answers.accepted):
        return None
    first = passed[-1]
    assert first is not None
    text = f"came before {first['attempt']['type']} (entry {first['n']}), which had happened earlier"
    return Common(text, (mark(first, "came after it, and had happened earlier"),))


def _overtaken(answers: _Answers, attempt: Taken) -> Entry | None:
    """The first attempt to send what had happened to the same record before the event of an attempt, but came later."""
    event = attempt.attempt["event"]
    later = (
        entry for entry in answers.first[event] if entry["n"] > attempt.entry["n"] and entry["attempt"]["event"] < event
    )
    return next(later, None)


def _size(answers: _Answers) -> Common | None:
    refused, accepted = ([len(each.attempt["body"].encode()) for each in some] for some in answers[:2])
    if min(refused) < _LARGER * max(accepted):
        return None
    size = f"{refused[0]}" if len(refused) == 1 else f"{min(refused)} to {max(refused)}"
    return Common(f"{_has(answers)} {size} bytes, more than {max(accepted)}")


def _has(answers: _Answers) -> str:
    return "has" if len(answers.refused) == 1 else "have"


_FINDERS: Final[Sequence[Callable[[_Answers], Common | None]]] = (_letters, _type, _order)
