"""Why a call did nothing, or something twice: a key that was used before or is forgotten, and a limit on calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from giftsim.engine.gateway.idempotency import LIFETIME
from giftsim.engine.gateway.rate_limits import LIMIT, PLANS, RESET, SETTINGS
from giftsim.engine.kernel.instants import (
    DAY,
    HOUR,
    SECOND,
    format_duration,
    format_instant,
    parse_duration,
    parse_instant,
)
from giftsim.workbench.why import mends
from giftsim.workbench.why.asked import (
    answer_header,
    answer_of,
    answered_status,
    asked_calls,
    call_succeeded,
    earlier_calls,
    idempotency_key,
    is_open,
    name_call,
    name_credential,
    was_repeated,
)
from giftsim.workbench.why.facts import Entry, Facts, mark
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Mend, Verdict

TOO_MANY = 429
REPLAYED = "Idempotent-Replayed"
_RAISED: Final = re.compile(r"\b([45]\d\d)\b.*\bfor url:? '?(\S+?)'?(?:\s|$)")  # as httpx and requests say it
_MISSED: Final = re.compile(r"KeyError: '(\w+)'$", re.MULTILINE)


def replayed(facts: Facts) -> Verdict | None:
    """A key was used before and its answer had arrived, so the service did nothing and answered as before."""
    if is_open(facts):
        return None
    for entry in reversed(asked_calls(facts, facts.index.calls.replayed)):
        first = _first_use(facts, entry)
        if first is None or any(answered_status(each) is None for each in _uses(facts, entry)):
            continue  # a lost answer is asked for again with the same key, which is right
        return Verdict(
            kind="replayed",
            sentence=(
                f"{name_call(entry)} (entry {entry['n']}) did nothing: its idempotency key"
                f" {idempotency_key(entry)!r} was"
                f" used before (entry {first['n']}), so it got the same answer again"
            ),
            marks=(mark(first, "used the key first"), mark(entry, "used it again, and got the same answer")),
            why_not="the app chooses the key; only a key of its own lets this call act",
        )
    return None


def _uses(facts: Facts, entry: Entry) -> Sequence[Entry]:
    """The earlier calls with its idempotency key, the newest first."""
    own = idempotency_key(entry)
    return [each for each in earlier_calls(facts, entry) if own is not None and idempotency_key(each) == own]


def _first_use(facts: Facts, entry: Entry) -> Entry | None:
    """The earlier call that a replay answers."""
    used = (each for each in _uses(facts, entry) if call_succeeded(each) and answer_header(each, REPLAYED) is None)
    return next(used, None)


def key_forgotten(facts: Facts) -> Verdict | None:
    """A header's key was used again when the service had forgotten it, so the call acted once more."""
    if is_open(facts):
        return None
    for entry in reversed(asked_calls(facts, facts.index.calls.acted_again)):
        if answer_header(entry, REPLAYED) is not None:
            continue
        first = _first_use(facts, entry)
        if first is None:
            continue
        passed_ms = parse_instant(entry["at"]) - parse_instant(first["at"])
        lifetime = _lifetime(facts, first)
        if passed_ms < parse_duration(lifetime):
            continue
        return Verdict(
            kind="key_forgotten",
            sentence=(
                f"{name_call(entry)} (entry {entry['n']}) acted a second time: it was sent"
                f" {format_duration(passed_ms // SECOND * SECOND)} after the first use of its idempotency key"
                f" {idempotency_key(entry)!r} (entry {first['n']}), and keys are remembered for {lifetime}"
            ),
            marks=(mark(first, "used the key first"), mark(entry, "used it again when it was forgotten")),
            mend=mends.settings(LIFETIME.name, _longer(passed_ms)),
        )
    return None


def _lifetime(facts: Facts, first: Entry) -> str:
    """How long the key of a call was to be remembered when it was used first."""
    value = facts.data["start"]["settings"].get(LIFETIME.name)
    for entry in facts.entries[: first["n"]]:
        value = entry.get("settings", {}).get(LIFETIME.name, (None, value))[1]
    return str(LIFETIME.default if value is None else value)


def _longer(passed_ms: int) -> str:
    """The next whole hour or day that is longer than a time."""
    unit = HOUR if passed_ms < DAY else DAY
    return format_duration((passed_ms // unit + 1) * unit)


def rate_limited(facts: Facts) -> Verdict | None:
    """A key made more calls in a minute than its plan allows, and what was refused was not asked for again."""
    refused = asked_calls(facts, facts.index.calls.refused)
    limited = (entry for entry in refused if answered_status(entry) == TOO_MANY and "fault" not in entry["call"])
    left = [entry for entry in limited if answer_header(entry, LIMIT) and not was_repeated(facts, entry)]
    if not left:
        return None
    entry = left[0]
    most, reset_s = int(answer_header(entry, LIMIT) or 0), int(answer_header(entry, RESET) or 0)
    times = "" if len(left) == 1 else f", and so were {len(left) - 1} more"
    return Verdict(
        kind="rate_limited",
        sentence=(
            f"{name_call(entry)} (entry {entry['n']}) was answered 429{times}: {name_credential(entry)} may make"
            f" {most:,} calls"
            f" a minute, and the next one at {format_instant(reset_s * SECOND)}"
        ),
        marks=(mark(entry, "was one call too many"),),
        mend=_more_calls(facts, most) or mends.advance(f"{answer_header(entry, 'Retry-After')}s"),
    )


def _more_calls(facts: Facts, most: int) -> Mend | None:
    """The setting of the one plan that has this limit."""
    plans = [plan for plan in PLANS if facts.state.setting(SETTINGS[plan]) == most]
    return mends.settings(SETTINGS[plans[0]].name, PLANS["sandbox"]) if len(plans) == 1 else None


def taken_back(facts: Facts) -> Verdict | None:
    """A call names what an earlier one made, and the world was taken back before that in between."""
    for entry in reversed(asked_calls(facts, facts.index.calls.refused)):
        ids = [part for part in _path(entry).split("/") if part.isdecimal()]
        if answered_status(entry) != HTTPStatus.NOT_FOUND or not ids:
            continue
        for back in reversed([*facts.of_kind("reset"), *facts.of_kind("snapshot")]):
            made = _made_before(facts, back, ids[-1]) if back["n"] < entry["n"] else None
            if made is not None:
                return Verdict(
                    kind="taken_back",
                    sentence=(
                        f"{name_call(entry)} (entry {entry['n']}) was answered 404: {ids[-1]} was made by"
                        f" {name_call(made)} (entry {made['n']}), and {back['title']} after that (entry {back['n']})"
                    ),
                    marks=(mark(made, "made it"), mark(back, "took it back"), mark(entry, "did not find it")),
                    why_not=f"make it again after entry {back['n']}, or leave that out",
                )
    return None


def _path(entry: Entry) -> str:
    return str(entry["call"]["request"]["path"]).partition("?")[0]


def _made_before(facts: Facts, back: Entry, id_: str) -> Entry | None:
    """The call that made a record with an id which an entry removed again."""
    removed = (change["record"] for change in back.get("changes", ()) if change["what"] == "removed")
    made = (entry for key in removed if (entry := facts.made(key)) is not None and entry["kind"] == "call")
    is_it = re.compile(rf'"id": ?"?{id_}\b').search
    return next((entry for entry in made if call_succeeded(entry) and is_it(entry["call"]["response"]["body"])), None)


def refused(facts: Facts) -> Verdict | None:
    """The service refused the call that a test is about, and its answer says why."""
    entry = _called(facts)
    if entry is None or "fault" in entry["call"] or not 400 <= (answered_status(entry) or 0) < 500:
        return None
    error = (answer_of(entry) or {}).get("error", {})
    if not isinstance(error, dict) or not {"code", "message"} <= error.keys():
        return None
    return Verdict(
        kind="refused",
        sentence=(
            f"{name_call(entry)} (entry {entry['n']}) was answered {answered_status(entry)} {error['code']}:"
            f" {error['message']}"
        ),
        marks=(mark(entry, "was refused"),),
        why_not="the app or the test makes this call: send what the service accepts",
    )


def _called(facts: Facts) -> Entry | None:
    """The call that a question is about: that one, one whose client raised its status as an error, or the last, if a
    test missed a member in its answer.
    """
    if facts.called is not None or facts.about is not None:
        return facts.called
    message = facts.failure.message
    if raised := _RAISED.search(message):
        found = facts.index.calls.of_status.get(int(raised[1]), ())
        return next((each for each in reversed(found) if urlsplit(raised[2]).path == _path(each)), None)
    missed = _MISSED.match(message)
    last = facts.calls[-1] if missed and facts.calls else None
    answer = None if last is None else answer_of(last)
    return last if missed and isinstance(answer, dict) and missed[1] not in answer else None


RULES: Final = (
    Rule("taken_back", taken_back),
    Rule("refused", refused),
    Rule("replayed", replayed),
    Rule("key_forgotten", key_forgotten),
    Rule("rate_limited", rate_limited),
)
