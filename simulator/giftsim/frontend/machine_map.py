"""A state machine as a drawing whose edges say who walked them. It stands on a page that has `machine_map.css`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from giftsim.frontend.states import words

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 116, 28, 42, 26, 26
WALKED: Final[Mapping[str, str]] = {"met": "walked", "missing": "not walked", "apart": "not the app’s"}
SOME: Final = "some"  # of the rows between two states
Point = tuple[float, float]


class Edge(NamedTuple):
    """All rows between two states: who walked them, and each trigger."""

    source: str
    target: str
    state: str
    title: str


def draw_machine(machine: Mapping[str, Any]) -> Markup:
    """The drawing of a machine of a coverage's map, as an element `svg`."""
    edges = list(_edges(machine["edges"]))
    places = _places(machine["states"], edges)
    wide = max(x for x, _ in places.values()) + WIDTH + MARGIN
    high = max(y for _, y in places.values()) + HEIGHT + MARGIN
    walked = sum(row["state"] == "met" for row in machine["edges"])
    label = f"{words(machine['name'])}: {walked} of {len(machine['edges'])} moves walked"
    lines = Markup("").join(_line(edge, places, machine["name"]) for edge in edges)
    boxes = Markup("").join(_box(name, places[name], edges) for name in machine["states"])
    return Markup(
        '<svg class="walks" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" aria-label="{label}">'
        '<marker id="head-{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>'
        "{}{}</svg>"
    ).format(lines, boxes, w=round(wide), h=round(high), label=label, name=machine["name"])


def _edges(rows: Sequence[Mapping[str, str]]) -> Iterable[Edge]:
    pairs = dict.fromkeys((row["from"], row["to"]) for row in rows)
    for source, target in pairs:
        here = [row for row in rows if (row["from"], row["to"]) == (source, target)]
        found = {row["state"] for row in here} - ({"apart"} if any(row["state"] != "apart" for row in here) else set())
        state = found.pop() if len(found) == 1 else SOME
        moves = "; ".join(f"{words(row['trigger'])}, {WALKED[row['state']]}" for row in here)
        yield Edge(source, target, state, f"{words(source)} to {words(target)}: {moves}")


def _places(states: Sequence[str], edges: Sequence[Edge]) -> dict[str, Point]:
    """The corner of each state: as far to the right as the longest way to it; ways on are longest in the first row."""
    depth, left = dict.fromkeys(states, 0), dict.fromkeys(states, 0)
    rank = {name: n for n, name in enumerate(states)}
    forward = sorted((rank[edge.source], rank[edge.target]) for edge in edges if rank[edge.target] > rank[edge.source])
    for source, target in forward:
        depth[states[target]] = max(depth[states[target]], depth[states[source]] + 1)
    for source, target in reversed(forward):
        left[states[source]] = max(left[states[source]], left[states[target]] + 1)
    places: dict[str, Point] = {}
    rows = dict.fromkeys(depth.values(), 0)
    for name in sorted(states, key=lambda each: (-left[each], rank[each])):
        column = depth[name]
        places[name] = (MARGIN / 2 + column * (WIDTH + GAP_X), MARGIN + rows[column] * (HEIGHT + GAP_Y))
        rows[column] += 1
    return places


def _box(name: str, place: Point, edges: Iterable[Edge]) -> Markup:
    reached = any(edge.state in ("met", SOME) and name in (edge.source, edge.target) for edge in edges)
    x, y = place
    return Markup(
        '<g class="{}"><rect x="{}" y="{}" width="{}" height="{}" rx="6"/><text x="{}" y="{}">{}</text></g>'
    ).format("met" if reached else "missing", x, y, WIDTH, HEIGHT, x + WIDTH / 2, y + HEIGHT / 2 + 4, words(name))


def _line(edge: Edge, places: Mapping[str, Point], machine: str) -> Markup:
    """A line with a head. Ways back and to the same column bend, so that they are seen beside the others."""
    (x1, y1), (x2, y2) = places[edge.source], places[edge.target]
    middle1, middle2 = y1 + HEIGHT / 2, y2 + HEIGHT / 2
    if edge.source == edge.target:
        path = f"M{x1 + 30} {y1} c-6 -22 46 -22 40 0"
    elif x2 > x1:
        bend = (x2 - x1 - WIDTH) / 2
        high = -16 if x2 - x1 > WIDTH + GAP_X and y1 == y2 else 0  # past the states between them
        path = f"M{x1 + WIDTH} {middle1 + high / 2} C{x1 + WIDTH + bend} {middle1 + high * 2} "
        path += f"{x2 - bend} {middle2 + high * 2} {x2} {middle2 + high / 2}"
    elif x2 == x1:
        side = x1 + WIDTH
        path = f"M{side} {middle1} C{side + 30} {middle1} {side + 30} {middle2} {side} {middle2 + 3}"
    else:
        path = f"M{x1 + WIDTH / 2 - 14} {y1 + HEIGHT} C{x1 + WIDTH / 2 - 14} {y1 + HEIGHT + 26} "
        path += f"{x2 + WIDTH / 2 + 14} {y2 + HEIGHT + 26} {x2 + WIDTH / 2 + 14} {y2 + HEIGHT}"
    return Markup('<path class="{}" d="{}" marker-end="url(#head-{})"><title>{}</title></path>').format(
        edge.state, path, machine, edge.title
    )
