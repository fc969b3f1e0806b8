"""A page of a list with its detail: what failed and what waits first, groups of like rows, a search, and one row.

How a page uses it:

    BLUEPRINT.get("/w/<world>/calls")                 the list's address: the first row is its detail
    BLUEPRINT.get("/w/<world>/calls/<int:seq>")       a row's address: the same list, with this row as the detail

    def _listing(shown: str | None = None) -> Listing:
        return read_listing("calls", List("Calls", url_for("calls.calls"), _entry), shown=shown, **more_of_the_query)

    def calls():
        listing = _listing()
        if listing.first is None:                      nothing is there, or nothing was found
            return render_page("calls.html", listing=listing)
        return _show(listing, listing.first["n"])      renders the template of one row, with `listing=listing`

    def call(seq):
        return _show(_listing(url_for("calls.call", seq=seq)), seq)

`_entry(row)` makes an `Entry`, the two lines of a row of the control API's list; a row of a group has its words as
`row["standing"]`, such as "unpaid: insufficient funds". The template of a row extends
`listing.html` and has `{% block name %}` with its title and `{% block detail %}` with the rest, h1 first. The template
of the list extends it too: `{% block empty %}` says why nothing is there yet, `{% block about_list %}` is for the place
of the detail when nothing was found, `{% block views %}` for what stands above the search, `{% block below_list %}` for
what follows the last row. A `{% block style %}` begins with `{{ super() }}`.

`{{ listing.kept }}` is the query of the list (`?q=…&before=…`): links between details of one list add it. A page with
rows of its own puts sections before or after: `listing._replace(sections=(…, *listing.sections))`.

The search `q` is that of the control API. Nothing is kept but in the address. With scripts, `j`, `k`, arrows and clicks
fetch the page of another row with the header `Giftsim-Part: detail`; it is then made without its list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from flask import request

from giftsim.console.control_client import current_control, current_world
from giftsim.console.names import Ref, fetch_titles
from giftsim.engine.client.control import ControlRefused

Row = Mapping[str, Any]
PART, DETAIL = "Giftsim-Part", "detail"  # the header of a script that wants a page without its list
ON_PAGE: Final = 50
APART: Final = 3  # like rows up to so many are shown one by one
FAILED, WAITING, REST, FOUND = "failed", "waiting", "rest", "found"
TITLES: Final[Mapping[str, str]] = {FAILED: "Failed", WAITING: "Waiting", REST: "The rest, newest first"}
TONES: Final[Mapping[str, str]] = {FAILED: "bad", WAITING: "wait"}
TERM: Final = re.compile(r'-?(?:[a-z_]+:)?(?:"[^"]*"|[^\s"]+)')
REPLACED: Final = ("status:", "is:")  # the terms that a chip takes the place of
INVALID: Final = "invalid_search"


class Entry(NamedTuple):
    """A row of a list. First line: `title`, `ident` in grey, and `end` at the right. Second line: `line`, and how long
    ago `at` was. `tone` colours its dot (see `filters.tone`); `path` is its page, without the query of the list.
    """

    path: str
    title: str
    ident: str = ""
    line: str = ""
    tone: str = "plain"
    end: str = ""
    at: str | None = None


class Group(NamedTuple):
    """Rows that are alike: the words for them, how many there are, the newest, and the address of all."""

    title: str
    total: int
    entries: Sequence[Entry]
    path: str


class Section(NamedTuple):
    """A part of a list, of `kind` failed, waiting, rest or found, with entries and groups in order."""

    kind: str
    title: str
    total: int | None
    entries: Sequence[Entry | Group]


class Chip(NamedTuple):
    """A status with the count of its rows, and the address that shows them; if it is chosen, that of all."""

    status: str
    total: int
    path: str
    chosen: bool


class List(NamedTuple):
    """What a list is to its page: its title, its address, and how a row becomes an entry.

    `about` is what a row is about, if its entry has the title of that. A `plain` list has no statuses and no groups.
    """

    title: str
    address: str
    entry: Callable[[Row], Entry]
    about: Callable[[Row], Ref | None] | None = None
    plain: bool = False


class Listing(NamedTuple):
    """A list as its page shows it. `first` is its first row; `shown` is the path of the detail, if there is one."""

    title: str
    address: str
    text: str
    refused: str
    total: int | None
    sections: Sequence[Section]
    chips: Sequence[Chip]
    help: Row | None
    first: Row | None
    shown: str | None
    is_list: bool
    older: str | None
    kept: str

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all: no row, and nothing was asked for."""
        return self.first is None and self.is_list and not self.text and not request.args.get("before")

    @property
    def back(self) -> str:
        """The address of the list with its search."""
        return self.address + self.kept

    @property
    def hint(self) -> str:
        """A short search that finds something in this list, or one that its help shows."""
        examples = [f"status:{chip.status}" for chip in self.chips]
        examples = examples or [field["example"] for field in (self.help or {}).get("fields", ())]
        return min(examples, key=len, default="")

    def path(self, entry: Entry) -> str:
        """The address of an entry, which keeps the search."""
        return entry.path + self.kept


def read_listing(name: str, of: List, *, shown: str | None = None, **query: Any) -> Listing:
    """The list that the query of the page asks for; `query` are further parameters of the control API's list.

    `shown` is the path of the row whose page this is, None at the address of the list.
    """
    text, before = request.args.get("q", "").strip(), request.args.get("before")
    read, refused = _read_or_refused(name, of, text, before, query)
    asked = "" if refused else text
    rows = [row for group in read.get("groups", ()) for row in group["rows"]] + list(read.get(name, ()))
    if of.about:
        fetch_titles(map(of.about, rows))
    first = rows[0] if rows else None
    return Listing(
        title=of.title,
        address=of.address,
        text=text,
        refused=refused,
        total=read.get("found"),
        sections=list(_sections(read, name, of, asked, before)),
        chips=list(_chips(read.get("counts", {}), of.address, asked)),
        help=_help(name),
        first=first,
        shown=shown or (of.entry(first).path if first else None),
        is_list=shown is None,
        older=_address(of.address, q=asked, before=read["next"]) if read.get("next") else None,
        kept=_address("", q=asked, before=before),
    )


def _read_or_refused(name: str, of: List, text: str, before: str | None, query: Row) -> tuple[Row, str]:
    """A page of the list, and why its search is not understood: then the page is that of the whole list."""
    if request.headers.get(PART) == DETAIL:
        return {}, ""
    try:
        return _read(name, of, text, before, query), ""
    except ControlRefused as error:
        if error.code != INVALID:
            raise
        return _read(name, of, "", None, query), error.message


def _read(name: str, of: List, text: str, before: str | None, query: Row) -> Row:
    """A page of the list: of what is found, of what is neither failed nor waiting, or first these and the groups."""
    how: dict[str, Any] = {} if text else {"rest": True} if before else {"grouped": True, "per_group": APART}
    if of.plain:
        how = {}
    paged = {**query, "q": text or None, "order": "newest", "limit": ON_PAGE, "before": before}
    read: Row = current_world().get(name, **paged, **how, counts=None if of.plain else True)
    return read


def _sections(read: Row, name: str, of: List, text: str, before: str | None) -> Iterator[Section]:
    counts, groups, found = read.get("sections", {}), read.get("groups", ()), read.get("found")
    for kind in (FAILED, WAITING):
        entries = [each for group in groups if group["is"] == kind for each in _group(group, of)]
        if entries:
            yield Section(kind, TITLES[kind], counts.get(kind), entries)
    rest = [of.entry(row) for row in read.get(name, ())]
    if text:
        yield Section(FOUND, "Found, newest first", found, rest)
    elif rest:
        total = None if before or found is None else found - sum(counts.values())
        yield Section(REST, TITLES[REST] if groups or before else "Newest first", total, rest)


def _group(group: Row, of: List) -> Iterator[Entry | Group]:
    """The rows of a group: one by one if they are few, else as one with its count."""
    shown = (of.entry({**row, "standing": group["title"]}) for row in group["rows"])
    entries = [entry._replace(tone=TONES[group["is"]]) for entry in shown]
    if group["count"] <= len(entries):
        yield from entries
    else:
        yield Group(group["title"], group["count"], entries, _address(of.address, q=group["q"]))


def _chips(counts: Mapping[str, int], address: str, text: str) -> Iterator[Chip]:
    terms = TERM.findall(text)
    rest = [term for term in terms if not term.startswith(REPLACED)]
    for status, count in counts.items():
        chosen = f"status:{status}" in terms
        if count or chosen:
            q = " ".join(rest if chosen else [*rest, f"status:{status}"])
            yield Chip(status, count, _address(address, q=q), chosen)


def _help(name: str) -> Row | None:
    """What the search of a list understands, for the help at its field."""
    lists: Sequence[Row] = current_control().get("/reference/search")["lists"]
    return next((each for each in lists if each["list"] == name), None)


def _address(path: str, **query: Any) -> str:
    kept = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(kept)}" if kept else path
