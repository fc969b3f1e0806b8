"""Why times differ: the app's own clock did not follow the world's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from giftsim.workbench.why.asked import answered_status, asked_calls, body_of, name_call
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Mend, Verdict

_INSTANT: Final = re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?")


def clock_frozen(facts: Facts) -> Verdict | None:
    """The app's values show the machine's time, and the world's is another: the app's clock did not follow it."""
    ran = facts.test.get("ran")
    if ran is None or _follows(facts):
        return None
    for text, entry, where in _texts(facts):
        for found in _INSTANT.findall(text):
            if _is_within(found, ran["from"], ran["to"]) and not _is_within(found, *_span(facts)):
                moved = facts.of_kind("advance") or facts.of_kind("world")
                shown = facts.entry(entry["n"]) if entry is not None else moved[-1]
                return Verdict(
                    kind="clock_frozen",
                    sentence=(
                        f"{where} is {found}, the machine's time, and the world's is {facts.now}: the app's clock did"
                        " not follow the world's"
                    ),
                    marks=(mark(shown),),
                    mend=Mend(pytest="with giftsim.freeze_app():", vitest="vi.setSystemTime(await world.now())"),
                )
    return None


def _follows(facts: Facts) -> bool:
    """Whether the test held the app's clock at the world's at the end."""
    last = None
    for entry in facts.entries:
        last = entry.get("settings", {}).get("webhooks.signature_time", (None, last))[1]
    return last == "simulated"


def _texts(facts: Facts) -> Iterator[tuple[str, Entry | None, str]]:
    """Where the app's time may be seen: in what the test compared, and in the calls that were refused."""
    compared = facts.test.get("failure", {}).get("compared", {})
    yield f"{facts.failure.message} {facts.failure.values} {compared}", None, "a value of the failed line"
    for entry in asked_calls(facts, facts.index.calls.refused):
        if (answered_status(entry) or 0) // 100 == 4:
            for member, text in _members(body_of(entry)):
                yield text, entry, f"{member} of {name_call(entry)} (entry {entry['n']})"


def _members(body: Any, member: str = "the body") -> Iterator[tuple[str, str]]:
    if isinstance(body, Mapping):
        for name_, value in body.items():
            yield from _members(value, name_)
    elif isinstance(body, list):
        for value in body:
            yield from _members(value, member)
    elif isinstance(body, str):
        yield member, body


def _span(facts: Facts) -> tuple[str, str]:
    return facts.data["world"]["began"], facts.now


def _is_within(found: str, first: str, last: str) -> bool:
    """Whether an instant or date, as exactly as it is written, is from `first` to `last`."""
    length, text = len(found), found.replace(" ", "T")
    return first[:length] <= text <= last[:length]


RULES: Final = (Rule("clock_frozen", clock_frozen),)
