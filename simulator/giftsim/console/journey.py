"""The journey of an order, gift or campaign on its page: what happened by days, and what is to come by conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from giftsim.console.control_client import WorldControl
from giftsim.console.filters import plural, ref_link, short, until
from giftsim.frontend.states import words

Row = Mapping[str, Any]
# Who did it, by the kind of a cause: the class and the icon of its mark.
WHO: Final = {
    "call": ("app", "calls"),
    "verb": ("people", "person"),
    "clock": ("sim", "clock"),
    "delivery": ("app", "hook"),
}
STEP_ICONS: Final = {"shipped": "truck", "delivered": "gift", "in_production": "box", "labeled": "copy"}
SHOWN = 3  # days of arrival in one sentence
FIRED = "fired"  # a timer, which a later moment tells of
STATES: Final = {"submitted": "claimed"}  # what is said of a parcel that has an address


class Effect(NamedTuple):
    """A line below a moment: what, the path of its page, and how it went, with the tone of that."""

    what: str
    path: str | None
    end: str
    tone: str
    is_code: bool


class Moment(NamedTuple):
    """A line of the journey. `day` is empty if the line before has the same."""

    at: str
    day: str
    who: str
    icon: str
    what: str
    path: str | None
    because: str
    effects: list[Effect]
    given: str = ""  # the condition of a step ahead, if the step before it has another
    is_last: bool = False
    ends: str = ""


class Next(NamedTuple):
    """The next step of the clock: in a word or two, in a sentence, and when."""

    what: str
    because: str
    due: str


class Journey(NamedTuple):
    """What the page shows: the past, the steps ahead, when it arrives in words, and its next step of the clock."""

    past: list[Moment]
    ahead: list[Moment]
    arrives: str
    next: Next | None
    arrival: str | None
    dates: Mapping[str, tuple[str, str]]
    told: int
    total: int


def read_journey(world: WorldControl, about: str) -> Journey:
    """The journey of a record, `KIND:ID`."""
    return journey_of(world.get("journey", about=about))


def journey_of(found: Row) -> Journey:
    """The journey that the control API tells."""
    now = found["now"]
    return Journey(
        list(_days(_past(row, now) for row in found["story"])),
        list(_days(_ahead(found["ahead"], now))),
        arrival_words(found["arrives"], now),
        next((_next(row) for row in found["ahead"] if not row["wait"] and not row["if"]), None),
        _last_arrival(found["arrives"]),
        step_dates(found["ahead"]),
        found["told"],
        found["recipient_count"],
    )


def _last_arrival(rows: Sequence[Row]) -> str | None:
    """When the last parcel arrives; None if that depends on somebody."""
    return None if not rows or any(row["if"] for row in rows) else str(rows[-1]["at"])


def _next(row: Row) -> Next:
    status = STATES.get(row["status"] or "", row["status"])
    return Next(words(status).capitalize() if status else row["what"], row["what"], row["at"])


def step_dates(rows: Sequence[Row]) -> dict[str, tuple[str, str]]:
    """When each status is first reached, with the condition of that in words."""
    found: dict[str, tuple[str, str]] = {}
    for row in rows:
        if row["status"]:
            found.setdefault(row["status"], (row["at"], row["if"]["what"] if row["if"] else ""))
    return found


def arrival_words(rows: Sequence[Row], now: str) -> str:
    """When the parcels arrive, as a sentence: `Arrives Thu 14 Jan if claimed by Mon 11 Jan, 09:00`; "" if none does."""
    if not rows:
        return ""
    if len(rows) == 1:
        given = condition_words(rows[0]["if"], now)
        return f"Arrives {_day(rows[0]['at'])}{f', {given}' if given else ''}"
    if len(rows) > SHOWN:
        return f"They arrive from {_day(rows[0]['at'])} to {_day(rows[-1]['at'])}"
    verb = "arrives" if rows[0]["count"] == 1 else "arrive"
    parts = [" ".join((_whose(row), _day(row["at"]), condition_words(row["if"], now))).strip() for row in rows]
    return f"{', '.join(parts[:-1])} and {parts[-1]}".replace(f"{_whose(rows[0])} ", f"{_whose(rows[0])} {verb} ", 1)


def _whose(row: Row) -> str:
    """Whose parcels a row is about: `Cy’s`, or how many."""
    return f"{row['names'][0]}’s" if row["count"] == 1 and row["names"] else f"{row['count']:,}"


def condition_words(given: Row | None, now: str) -> str:
    """A condition in words: `if claimed by 23:59 today`; "" for none."""
    if given is None:
        return ""
    if given["by"] is None:
        return f"if {given['what']}"
    by = given["by"]
    return f"if {given['what']} by " + (f"{by[11:16]} today" if by[:10] == now[:10] else short(by[:16] + by[19:]))


def _past(row: Row, now: str) -> Moment:
    cause = row["cause"]
    who, icon = WHO[cause["kind"]] if cause else ("", "gift")
    if cause and cause["kind"] == "call" and cause["call"] is None:  # a page of the service, such as the claim page
        who, icon = WHO["verb"]
    since = row["since"]
    by = f"by {_whom(cause)}" if cause and cause["call"] is None and cause["kind"] != "clock" else ""
    because = f"{_span(since['at'], row['at'])} after {since['what']}" if since else by
    path = ref_link({"kind": "call", "id": cause["call"]}) if cause and cause["call"] else None
    effects = [_effect(each, now) for each in row["effects"] if each["status"] != FIRED]
    return Moment(row["at"], "", who, icon, row["what"], path, because, effects)


def _whom(cause: Row) -> str:
    """Who was the cause: somebody's hand, for a verb of the control API, or what the cause is called."""
    return "hand" if cause["kind"] == "verb" else str(cause["text"])


def _effect(row: Row, now: str) -> Effect:
    path, what = ref_link(row["about"]), row["what"]
    if row["kind"] == "webhook":
        end, tone = _answered(row)
        what = f"{row['count']:,} × {what}" if row["count"] > 1 else what
        return Effect(what, path, end, tone, is_code=True)
    if row["kind"] == "timer":
        end = "called off" if row["status"] == "canceled" else until(row["due"], now)
        return Effect(what[:1].upper() + what[1:], None, end, "", is_code=False)
    return Effect(what, path, "", "bad" if "failed" in what else "", is_code=False)


def _answered(row: Row) -> tuple[str, str]:
    """How a webhook went as text, with the tone of that."""
    if row["answered"] is None or row["status"] in ("unsubscribed", "waiting"):
        return words(row["status"]), ""
    is_good, tries = row["status"] == "delivered", row["attempts"] if row["count"] == 1 else 1
    after = f" after {tries} attempts" if is_good else f", {plural(tries, 'attempt')}, {words(row['status'])}"
    return f"{row['answered']}{after if tries > 1 or not is_good else ''}", "good" if is_good else "bad"


def _ahead(rows: Sequence[Row], now: str) -> Iterator[Moment]:
    for given, group in groupby(rows, key=lambda row: _given(row, now)):
        for number, row in enumerate(group):
            yield _step(row, now, given if not number else "")


def _given(row: Row, now: str) -> str:
    """The condition of a step; when it has to be met is said with what the clock does then."""
    return f"if {row['if']['what']}" if row["wait"] and row["if"] else condition_words(row["if"], now)


def _step(row: Row, now: str, given: str) -> Moment:
    wait = row["wait"]
    people = f": {_names(row)}" if row["count"] > 1 and not wait else ""
    ends = f"until {short(wait['ends'])}" if wait and wait["ends"] else ""
    return Moment(
        row["at"],
        "",
        ("people" if wait["verb"] else "app") if wait else "",
        ("person" if wait["verb"] else "calls") if wait else STEP_ICONS.get(row["status"] or "", "clock"),
        f"{row['what']}{people}",
        None,
        "" if wait else until(row["at"], now),
        [Effect(each, None, "", "", is_code=True) for each in row["events"]],
        given[:1].upper() + given[1:],
        row["status"] == "delivered",
        ends,
    )


def _names(row: Row) -> str:
    left = row["count"] - len(row["names"])
    return ", ".join(row["names"]) + (f" and {left:,} more" if left else "")


def _days(moments: Iterator[Moment] | Any) -> Iterator[Moment]:
    """The moments, each with its day unless the one before has it."""
    last = ""
    for moment in moments:
        yield moment._replace(day="" if _day(moment.at) == last and not moment.given else _day(moment.at))
        last = _day(moment.at)


def _day(at: str) -> str:
    return short(at).partition(",")[0]


def _span(then: str, later: str) -> str:
    return until(later, then).removeprefix("in ").replace(" ", "\u00a0")
