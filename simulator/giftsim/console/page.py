"""What all pages share: the map of the console, notices, the time bar, and actions that can be undone."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlencode, urlsplit

import msgspec
from flask import Response, current_app, g, make_response, redirect, render_template, request, url_for

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.happened import happened
from giftsim.console.health import COUNTED, Counts, read_health
from giftsim.console.names import fetch_titles, world_name
from giftsim.console.strip import DUE, build_strip
from giftsim.engine.client.control import CONTROL, ControlRefused, TokenNeeded


class Place(NamedTuple):
    """A page of the navigation. `endpoint` is its Flask endpoint, `key` opens it after `g`, `icon` is drawn before it.

    In its `group` it stands by its `rank`, from 1. It is the present place also on pages whose path in the world begins
    with `below`, which is its own if empty. A world that does not have the interface `of` does not have the place.
    """

    title: str
    endpoint: str
    key: str
    icon: str
    group: str
    rank: int = 100
    below: str = ""
    of: str = ""


class Shown(NamedTuple):
    """A place as a page shows it: its path, whether it is the place of the page, and how much fails and waits there."""

    title: str
    path: str
    key: str
    icon: str
    present: bool
    counts: Counts


# The titles of the groups of the navigation; the first has none.
GROUPS: Final = ("", "Gifting", "Integration", "World", "Tools")
NAVIGATION: Final = "giftsim.navigation"  # where the application keeps its places


def navigation(places: Iterable[Place]) -> Mapping[str, Sequence[Place]]:
    """The places by the titles of their groups, in order. ValueError if two have one key, or a group is not there."""
    found: dict[str, list[Place]] = {title: [] for title in GROUPS}
    keys: dict[str, str] = {}
    for place in sorted(places, key=lambda each: (each.rank, each.title)):
        if place.group not in found:
            raise ValueError(
                f"the page {place.title} is in the group {place.group!r}; there are {', '.join(GROUPS[1:])}"
            )
        if place.key in keys:
            raise ValueError(f"the pages {keys[place.key]} and {place.title} both have the key {place.key}")
        keys[place.key] = place.title
        found[place.group].append(place)
    return found


COOKIE = "giftsim-notice"
LONGEST = 600  # characters of a text or path; a browser drops a cookie above 4 KiB
SECONDS = 60


class Undo(NamedTuple):
    """How to undo an action: to which change of the world, and what the action was called."""

    to: int
    label: str


class Notice(msgspec.Struct, rename={"came_from": "from"}):
    """A text for the next page, with a button to `undo` what it tells.

    Undoing leads back to the path `came_from`, where what was made was not there. If it `lists`, it shows what happened
    since, first to the record `about`, `KIND:ID`, whose page the act is from. `order` is the order that was not paid,
    whose page mends that. If it tells an undo, a `redo` brings back what was undone.
    """

    text: str
    failed: bool
    came_from: str
    undo: Undo | None
    lists: bool = False
    order: int | None = None
    about: str = ""
    redo: bool = False


def set_notice(response: Response, notice: Notice) -> None:
    """Show a notice on the next page."""
    content = urlsafe_b64encode(json.dumps(msgspec.to_builtins(notice), ensure_ascii=False).encode()).decode()
    response.set_cookie(COOKIE, content, max_age=SECONDS, httponly=True, samesite="Strict", path="/")


def read_notice() -> Notice | None:
    """The notice that the browser brings, or None."""
    try:
        return msgspec.json.decode(urlsafe_b64decode(request.cookies.get(COOKIE, "")), type=Notice)
    except ValueError:
        return None


UPDATE = "Giftsim-Update"  # a page that is fetched again to follow its world; notices are for the next page
IN_PLACE, GOES_TO = "Giftsim-Page", "Giftsim-Goes-To"  # the page of a script that sends a form, and where to go instead
DEFAULT_WORLD = "default"
HOME = "home.show"
IDLE_RUN = "the hourly run"  # without an event to send: always due within the hour, and nothing changes


def render_page(template: str, status: int = 200, **context: Any) -> Response:
    """A page of a world, with the time bar and the navigation around it."""
    world = current_world()
    described = world.describe()
    g.world_name = world_name(described)
    timers = world.get("timers", limit=DUE)["timers"]
    soonest = [timer for timer in timers[:2] if timer["because"] != IDLE_RUN]
    undo = world.get("undo", all=True, limit=1)
    last = [Undo(row["to"], row["summary"]) for row in undo["undo"]]
    clock = world.get("clock")
    g.now = clock["now"]
    g.health = read_health(world, clock["now"])
    fetch_titles(timer["about"] for timer in soonest)
    bar = {
        "strip": build_strip(world, undo["redo"]),
        "clock": clock,
        "soonest": soonest[0] if soonest else None,
        "undo": last[0] if last else None,
        "redo": undo["redo"],
        "health": g.health,
        "world": described,
    }
    return plain_page(template, status, bar=bar, groups=_groups(described["urls"]), **context)


def part(template: str, **context: Any) -> Response:
    """A part of a page, which a script puts into the page that it is shown on."""
    return make_response(render_template(template, **context))


def plain_page(template: str, status: int = 200, **context: Any) -> Response:
    """A page without a world: no time bar and no navigation, unless `bar` and `groups` are given."""
    notice = None if UPDATE in request.headers else read_notice()
    lately = (
        happened(current_world(), notice.undo.to, notice.about) if notice and notice.lists and notice.undo else None
    )
    fetch_titles(step.about for step in (lately.steps[:4] if lately else ()))
    shown = {"notice": notice, "lately": lately, "bar": None, "groups": (), **context}
    text = render_template(template, here=here(), **shown)
    response = make_response(text, status)
    if notice is not None:
        response.delete_cookie(COOKIE, path="/")
    return response


def act_and_return(
    label: str,
    do: Callable[[WorldControl], Any],
    *,
    said: Callable[[Any], str] | None = None,
    then: str | Callable[[Any], str] | None = None,
    lists: bool = False,
) -> Response:
    """Do something in the world of the page, and go back to where the user was, or to `then`.

    `said(result)` is the notice about what it did, with a button that undoes everything since, and if it `lists`, with
    what happened. If the control API refuses, the notice says why.
    """
    world = current_world()
    try:
        undo = Undo(world.get("changes", **{"from": "now"})["next"], label)
        result = do(world)
    except TokenNeeded:
        raise
    except ControlRefused as error:
        return redirect_back(f"{label}: {error.message}", failed=True, order=error.details.get("team_order_id"))
    text = said(result) if said else f"Done: {label}."
    return redirect_back(text, to=then(result) if callable(then) else then, undo=undo, lists=lists)


def redirect_back(
    text: str,
    *,
    failed: bool = False,
    to: str | None = None,
    undo: Undo | None = None,
    lists: bool = False,
    order: int | None = None,
    redo: bool = False,
) -> Response:
    """Go to a path of the console, or to the page the user came from, which shows the text as a notice.

    A script that patches its page is redirected only to the same page, whose new content it takes over.
    """
    path, g.refused = came_from(), failed
    target = to or path
    page = request.headers.get(IN_PLACE)
    if page is None or unquote(url_parts(page).path) == unquote(url_parts(target).path):
        response = make_response(redirect(target, 303))
    else:
        response = make_response("", 200, {GOES_TO: target})
    short_undo, about = undo and undo._replace(label=undo.label[:LONGEST]), request.form.get("about", "")[:LONGEST]
    came = path if len(path) <= LONGEST else ""
    set_notice(response, Notice(text[:LONGEST], failed, came, short_undo, lists, order, about, redo))
    return response


def go_on(path: str) -> Response:
    """Lead from a page that is not there any more to another one, which shows the notice."""
    return (
        make_response("", 200, {GOES_TO: path}) if IN_PLACE in request.headers else make_response(redirect(path, 303))
    )


View = Callable[..., Response]


def if_refused(text: str) -> Callable[[View], View]:
    """Decorate an action: if the control API refuses, go back with the text and the reason as a notice."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(**values: Any) -> Response:
            try:
                return view(**values)
            except ControlRefused as error:
                return redirect_back(f"{text}: {error.message}", failed=True)

        return guarded

    return decorate


def query_members(*names: str) -> dict[str, str]:
    """Those of the parameters that the query has with a value."""
    return {name: request.args[name] for name in names if request.args.get(name)}


def choose_parameter(name: str, choices: Sequence[str]) -> str:
    """The value of a parameter of the query if it is one of the choices, else the first of them."""
    value = request.args.get(name, "")
    return value if value in choices else choices[0]


def came_from() -> str:
    """The path to return to: the form's `then`, the page that sent it, or the home of its world."""
    referer = url_parts(request.headers.get("Referer", ""))
    candidates = [request.form.get("then", ""), f"{referer.path}?{referer.query}" if referer.query else referer.path]
    home = url_for(HOME, world=g.get("world_id", DEFAULT_WORLD))
    return next((path for path in candidates if is_own_path(path)), home)


def url_parts(url: str) -> SplitResult:
    """The parts of a URL; all are empty for a text that is not one, such as `http://[`."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def is_own_path(path: str) -> bool:
    """Whether a text is a path on this server, and not the address of another one."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()


def here() -> str:
    """The path of the page with its query."""
    return request.full_path.removesuffix("?")


def changed_query(**changes: Any) -> str:
    """The path of the page with other values for some parameters of its query; None leaves one out."""
    values = {**request.args.to_dict(), **changes}
    query = urlencode({name: value for name, value in values.items() if value is not None})
    return f"{request.path}?{query}" if query else request.path


def origin() -> str:
    """The simulator's own origin, as the world's addresses have it."""
    urls: dict[str, str] = current_world().describe()["urls"]
    return urls["control"].partition(CONTROL)[0]


def _groups(urls: Container[str]) -> list[tuple[str, list[Shown]]]:
    """The navigation: the places of each group that a world with these interfaces has."""
    groups: Mapping[str, Sequence[Place]] = current_app.extensions[NAVIGATION]
    found = {title: [place for place in places if not place.of or place.of in urls] for title, places in groups.items()}
    return [(title, [_shown(place) for place in places]) for title, places in found.items() if places]


def _shown(place: Place) -> Shown:
    path = url_for(place.endpoint, world=g.world_id)
    below = url_for(HOME, world=g.world_id) + place.below if place.below else f"{path}/"
    is_here = request.endpoint == place.endpoint or request.path.startswith(below)
    counts = g.health.counts.get(COUNTED.get(place.endpoint, ""), Counts())
    return Shown(place.title, path, place.key, place.icon, is_here, counts)
