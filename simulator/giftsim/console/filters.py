"""How pages write money, instants, states, JSON and references to records, and read amounts and ids that people type.

A reference is `{kind, id}` in answers of the control API.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, g, url_for
from markupsafe import Markup

from giftsim.console.highlight import code, json_code, yaml
from giftsim.console.names import title_of, world_name
from giftsim.console.words import coming, move, whose
from giftsim.frontend.states import answer_text, tone, words

MOST_CENTS = 10**12
WHOLE = 100
LONGEST = 16_000  # characters of a body on a page


def read_cents(text: str) -> int | None:
    """The cents of an amount in dollars, such as `1,250.50` or `$20`. None if it is none."""
    plain = text.strip().removeprefix("$").replace(",", "").strip()
    try:
        cents = Decimal(plain) * WHOLE
    except InvalidOperation:
        return None
    if not cents.is_finite() or cents != cents.to_integral_value() or abs(cents) > MOST_CENTS:
        return None
    return int(cents)


def dollars(cents: int) -> str:
    """Cents as an amount for a field of a form: 1250 is `12.50`."""
    return f"{cents // WHOLE}.{cents % WHOLE:02d}"


def record_id(text: str) -> int | str:
    """The id of a record as the control API takes it: a number in live mode, a UUID in a sandbox."""
    return int(text) if text.isascii() and text.isdigit() else text


NAME = re.compile(r"[a-z]+[_./]\w")


def money(cents: object) -> str:
    """Cents as dollars: 123456 is $1,234.56; a dash for None."""
    if not isinstance(cents, int):
        return "–"
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def day(text: object) -> str:
    """An instant as people write it, as `Mon 4 Jan 2027, 09:00`, with seconds if it has any; a dash for None."""
    return _written(text, "%b %Y, ") if text else "–"


def short(text: object) -> str:
    """An instant as `Mon 4 Jan, 09:00`, without its year; a dash for None."""
    return _written(text, "%b, ") if text else "–"


def _written(text: object, month: str) -> str:
    parsed = datetime.fromisoformat(str(text))
    time = f"{parsed:%H:%M:%S}" if parsed.second else f"{parsed:%H:%M}"
    return f"{parsed:%a} {parsed.day} {parsed:{month}}{time}"


def at(text: object) -> Markup:
    """An instant as a `<time>` element that says it, with its year in the title; a dash for None."""
    if not text:
        return Markup("–")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(text, day(text), short(text))


def date(text: object) -> str:
    """A day of the calendar, `2027-01-28`, as `Thu 28 Jan 2027`; a dash for None, and other texts as they are."""
    if not text:
        return "–"
    try:
        parsed = datetime.strptime(str(text), "%Y-%m-%d")  # noqa: DTZ007
    except ValueError:
        return str(text)
    return f"{parsed:%a} {parsed.day} {parsed:%b %Y}"


def birthday(text: object) -> str:
    """A day of any year, `03-14`, as `14 Mar`; a dash for None."""
    return f"{(parsed := datetime.strptime(f'2000-{text}', '%Y-%m-%d')).day} {parsed:%b}" if text else "–"  # noqa: DTZ007


def when(text: object) -> Markup:
    """An instant as a `<time>` element: how far it is from the page's clock, and as its title when it is."""
    if not text:
        return Markup("–")
    return ago(text, g.now) if "now" in g else at(text)


def until(then: object, now: object) -> str:
    """The span from one instant to another in its two largest units, as `in 3 d 4 h` or `2 h ago`."""
    seconds = round((datetime.fromisoformat(str(then)) - datetime.fromisoformat(str(now))).total_seconds())
    rest, parts = abs(seconds), []
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count:,} {unit}")
    span = " ".join(parts[:2])
    return "now" if not span else f"in {span}" if seconds > 0 else f"{span} ago"


def ago(then: object, now: object) -> Markup:
    """The span between two instants as a `<time>` element, which has the first as its title; a dash for None."""
    if not then:
        return Markup("–")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        then, day(then), "just now" if then == now else until(then, now)
    )


def firstup(text: object) -> str:
    """A text that begins with a capital letter; the rest stays as it is."""
    return f"{str(text)[:1].upper()}{str(text)[1:]}"


def pretty(value: object) -> str:
    """JSON with two blanks of indentation; a text that holds JSON is parsed first, any other text stays as it is.

    A page has the beginning of what is long, and says how much is left out.
    """
    try:
        text = json.dumps(json.loads(value) if isinstance(value, str) else value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):  # the latter for arrays within arrays, a thousand deep
        text = str(value)
    more = len(text) - LONGEST
    return text if more <= 0 else f"{text[:LONGEST]}\n… {more:,} more characters"


def as_json(value: object) -> str:
    """A value as JSON in one line, for an attribute that a script reads."""
    return json.dumps(value, ensure_ascii=False)


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """A count with its noun: `1 order`, `2 orders`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def sentence(text: object) -> str:
    """A text as a sentence: with a capital letter, unless it begins with a name such as team_order.paid, and a stop."""
    words = str(text)
    return f"{words if NAME.match(words) else firstup(words)}{'' if words.endswith(('.', '!', '?')) else '.'}"


# By kind of record: the endpoint of its page, the name of the id in its path, and the other values there.
PAGES: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = {
    "call": ("calls.call", "seq", {}),
    "event": ("webhooks.event", "event_id", {}),
    "delivery": ("webhooks.delivery", "seq", {}),
    "mail": ("inbox.one_mail", "seq", {}),
    "team_order": ("orders.one", "record_id", {"kind": "order"}),
    "gift": ("orders.one", "record_id", {"kind": "gift"}),
    "campaign": ("orders.one", "record_id", {"kind": "campaign"}),
    "snapshot": ("moments.show", "name", {}),
}


def ref_link(ref: Mapping[str, Any] | None, world: str | None = None) -> str | None:
    """The path of the page of a record in a world, by default that of this page; None if it has none."""
    if ref is None or ref["kind"] not in PAGES:
        return None
    endpoint, name, values = PAGES[ref["kind"]]
    of_world: dict[str, Any] = {"world": world} if world else {}
    return url_for(endpoint, **{**values, **of_world, name: ref["id"]})


def ref_text(ref: Mapping[str, Any]) -> str:
    """A record as text: by its title, or `call 12`."""
    return title_of(ref) or f"{words(ref['kind'])} {ref['id']}"


def named(ref: Mapping[str, Any] | None, text: str) -> Markup:
    """A record by its title and then its id, with a link to its page; the text if it has none of these."""
    title, path = (title_of(ref), ref_link(ref)) if ref else ("", None)
    shown = (
        Markup('{} <span class="id">#{}</span>').format(title, ref["id"])
        if ref and title
        else text
        if "://" in text
        else words(text)
    )
    return Markup('<a href="{}">{}</a>').format(path, shown) if path else Markup("{}").format(shown)


def with_links(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows with a `subject`, each with the path of its page as `link`."""
    return [{**row, "link": ref_link(row["subject"])} for row in rows]


def own_path(url: str) -> str:
    """The path of an address of this server, which the browser may know by another name."""
    return urlsplit(url).path


_INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")


def done(summary: str) -> str:
    """What was done, as the control API tells it, with instants as people write them."""
    said = _INSTANT.sub(lambda found: short(found[0]), summary)
    return re.sub(r"^the snapshot (.+) was saved", r"this moment was named “\1”", said)


def add_filters(app: Flask) -> None:
    """Let the templates of the application use these functions as filters."""
    times = (day, short, at, date, birthday, when, until, ago)
    filters = (
        *times,
        money,
        named,
        coming,
        move,
        whose,
        firstup,
        pretty,
        words,
        tone,
        answer_text,
        plural,
        sentence,
        ref_link,
        ref_text,
        own_path,
        done,
        world_name,
        yaml,
        json_code,
        code,
    )
    app.jinja_env.filters["json"] = as_json
    app.jinja_env.filters.update({each.__name__: each for each in filters})
