"""The state machines of the documentation: a diagram, what each trigger does, and a timetable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from giftsim.build import MACHINES
from giftsim.engine.gateway.documents import Timing, TriggerText
from giftsim.engine.kernel.instants import format_duration
from giftsim.engine.kernel.state_machine import Machine
from giftsim.engine.webhooks.delivery import LADDER_MS
from giftsim.services.known import make_definitions
from giftsim.services.statements.machine_texts import load_texts
from tools.docgen.markdown import written

PORT, GAP, PADDING, MARGIN = 20, 26, 12, 16
LANE, CHARACTER = 14, 7
INK, TIMED_INK, BOX, TEXT = "#57606a", "#9a6700", "#ddf4ff", "#1f2328"
FOLDERS = (Path("docs", "reference", "machines"), Path("simulator", "giftsim", "console", "static", "machines"))
STYLE = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"


@dataclass
class Line:
    """One or more transitions between two states, by position; `start` and `end` are the heights of its ports."""

    source: int
    target: int
    label: str
    timed: bool
    start: float = 0
    end: float = 0
    lane: int = 0

    @property
    def leads_down(self) -> bool:
        """Whether it is on the right side. A line from a state to itself is, too."""
        return self.target >= self.source


@dataclass
class Drawing:
    """The states of a machine in their order, the top and bottom of each box, and the lines."""

    machine: Machine[Any]
    states: Sequence[str]
    lines: Sequence[Line]
    boxes: list[tuple[float, float]] = field(default_factory=list)

    @property
    def box_width(self) -> float:
        """Wide enough for the longest name and the mark of a beginning."""
        return max(len(state) for state in self.states) * (CHARACTER + 1) + 40

    def side(self, *, down: bool) -> list[Line]:
        """The lines on one side."""
        return [line for line in self.lines if line.leads_down is down]

    def room(self, *, down: bool) -> float:
        """The width that a side takes: its labels, then its lanes."""
        lines = self.side(down=down)
        if not lines:
            return 0
        return self.labels(down=down) + (max(line.lane for line in lines) + 1) * LANE

    def labels(self, *, down: bool) -> float:
        """The width of the labels of a side."""
        return max((len(line.label) for line in self.side(down=down)), default=0) * CHARACTER + 18


def drawings(root: Path) -> dict[Path, str]:
    """The drawing of every machine, by its files: one for the documentation, one for the console."""
    drawn = {f"{machine.name}.svg": draw(machine) for machine in MACHINES}
    return {root / folder / name: svg for folder in FOLDERS for name, svg in drawn.items()}


def draw(machine: Machine[Any]) -> str:
    """The SVG of a machine."""
    drawing = _laid_out(machine)
    left = MARGIN + drawing.room(down=False)
    width = left + drawing.box_width + drawing.room(down=True) + MARGIN
    height = drawing.boxes[-1][1] + MARGIN
    parts = [
        _head(machine, width, height),
        *(_box(drawing, i, left) for i in range(len(drawing.states))),
        *(part for line in drawing.lines for part in _line(drawing, line, left)),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _laid_out(machine: Machine[Any]) -> Drawing:
    states = [*(each for each in machine.states if each not in machine.final), *machine.final]
    labels: dict[tuple[int, int, bool], list[str]] = {}
    for row in machine.rows:
        place = (states.index(row.state), states.index(row.target), row.after is not None)
        labels.setdefault(place, []).append(row.trigger)
    lines = [Line(start, end, ", ".join(names), timed) for (start, end, timed), names in labels.items()]
    drawing = Drawing(machine, states, lines)
    _place_ports(drawing)
    for down in (True, False):
        _choose_lanes(drawing.side(down=down))
    return drawing


def _place_ports(drawing: Drawing) -> None:
    """Give each line its two ports, and each box the height that its ports need."""
    top: float = MARGIN
    for i in range(len(drawing.states)):
        most = 1
        for down in (True, False):
            ports = _ports(drawing.side(down=down), i, down=down)
            most = max(most, len(ports))
            for k, (line, leaves) in enumerate(ports):
                height = top + PADDING + PORT * (k + 0.5)
                line.start, line.end = (height, line.end) if leaves else (line.start, height)
        bottom = top + 2 * PADDING + PORT * most
        drawing.boxes.append((top, bottom))
        top = bottom + GAP


def _ports(lines: Sequence[Line], state: int, *, down: bool) -> list[tuple[Line, bool]]:
    """The ports of a state on one side from top to bottom, each with whether its line leaves there.

    Lines to near states are nearest to the neighbouring box, so that they cross none that goes further.
    """
    arriving = sorted((line for line in lines if line.target == state), key=lambda line: abs(line.source - state))
    leaving = sorted((line for line in lines if line.source == state), key=lambda line: -abs(line.target - state))
    ports = [*((line, False) for line in arriving), *((line, True) for line in leaving)]
    return ports if down else ports[::-1]


def _choose_lanes(lines: Sequence[Line]) -> None:
    """Give each line the innermost lane that is free over its height, the shortest first."""
    taken: list[list[tuple[float, float]]] = []
    for line in sorted(lines, key=lambda line: abs(line.end - line.start)):
        low, high = sorted((line.start, line.end))
        free = (k for k, spans in enumerate(taken) if all(high < first or last < low for first, last in spans))
        line.lane = next(free, len(taken))
        if line.lane == len(taken):
            taken.append([])
        taken[line.lane].append((low, high))


def _head(machine: Machine[Any], width: float, height: float) -> str:
    name = escape(machine.name.replace("_", " "))
    arrows = "".join(
        f'<marker id="{machine.name}-{mark}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'orient="auto"><path class="{mark}-end" d="M0 0 L8 4 L0 8 Z" fill="{ink}"/></marker>'
        for mark, ink in (("by-hand", INK), ("by-itself", TIMED_INK))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="machine" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="{STYLE}" font-size="13">\n'
        f"<title>The states of a {name} and the transitions between them</title>\n<defs>{arrows}</defs>\n"
        f'<rect class="paper" width="{width:g}" height="{height:g}" rx="8" fill="#fff"/>'
    )


def _box(drawing: Drawing, i: int, left: float) -> str:
    """A state: with a dot if a record can begin there, with a double border if it ends there."""
    (top, bottom), state, width = drawing.boxes[i], drawing.states[i], drawing.box_width
    middle = (top + bottom) / 2
    outer = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{bottom - top:g}"'
    parts = [f'<rect {outer} rx="6" fill="{BOX}" stroke="{INK}"/>']
    if state in drawing.machine.final:
        inner = f'x="{left + 3:g}" y="{top + 3:g}" width="{width - 6:g}" height="{bottom - top - 6:g}"'
        parts.append(f'<rect {inner} rx="4" fill="none" stroke="{INK}"/>')
    if state in drawing.machine.initial:
        parts.append(f'<circle cx="{left + 14:g}" cy="{middle:g}" r="5" fill="{TEXT}"/>')
    label = f'x="{left + width / 2 + 4:g}" y="{middle + 5:g}" text-anchor="middle" font-weight="600"'
    parts.append(f'<text {label} fill="{TEXT}">{escape(state)}</text>')
    return f'<g class="state" data-state="{escape(state)}">{"".join(parts)}</g>'


def _line(drawing: Drawing, line: Line, left: float) -> Iterator[str]:
    down = line.leads_down
    side = 1 if down else -1
    edge = left + drawing.box_width if down else left
    lane = edge + side * (drawing.labels(down=down) + line.lane * LANE)
    ink, mark = (TIMED_INK, "by-itself") if line.timed else (INK, "by-hand")
    dashes = ' stroke-dasharray="5 3"' if line.timed else ""
    path = f"M{edge:g} {line.start:g} H{lane:g} V{line.end:g} H{edge + side * 2:g}"
    ends = f'd="{path}" fill="none" stroke="{ink}"{dashes} marker-end="url(#{drawing.machine.name}-{mark})"'
    yield f'<path class="{mark}" {ends}/>'
    anchor = "start" if down else "end"
    place = f'x="{edge + side * 8:g}" y="{line.start - 4:g}" text-anchor="{anchor}" font-size="12"'
    yield f'<text class="{mark}" {place} fill="{ink}">{escape(line.label)}</text>'


def machines() -> str:
    """Every machine: what it is, its diagram, its triggers, and which of them fall due by themselves."""
    return "\n\n".join(part for machine in MACHINES for part in _machine(machine))


def timers() -> str:
    """What falls due by itself beside the rows of machines."""
    return "\n".join(f"- `{name}`: {text.does} *When:* {_when(text)}" for name, text in load_texts().timers.items())


def _machine(machine: Machine[Any]) -> Iterator[str]:
    text = load_texts().machines[machine.name]
    yield f"## {machine.name}"
    yield text.about
    yield f"![The states of a {machine.name.replace('_', ' ')}](machines/{machine.name}.svg)"
    yield "\n".join(_trigger(machine, name, trigger) for name, trigger in text.triggers.items())


def _trigger(machine: Machine[Any], name: str, trigger: TriggerText) -> str:
    """What a trigger does, and when it falls due by itself; some states have instants of their own."""
    line = f"- `{name}` `{_moves(machine, name)}`: {trigger.does}"
    if not trigger.after:
        return line
    others = "".join(f" In `{state}`: {_when(timing)}" for state, timing in trigger.in_state.items())
    return f"{line} *By itself* {_when(trigger)}{others}"


def _moves(machine: Machine[Any], trigger: str) -> str:
    """The states that a trigger leaves and those that it leads to: `paused,active→stopped`."""
    targets: dict[str, list[str]] = {}
    for row in machine.rows:
        if row.trigger == trigger:
            targets.setdefault(row.target, []).append(row.state)
    return "` `".join(f"{','.join(states)}→{target}" for target, states in targets.items())


def _when(timing: Timing) -> str:
    """When something falls due, as a sentence, with the settings that say so and their defaults."""
    known = make_definitions().settings
    named = ", ".join(f"`{setting}` {written(known[setting].default)}" for setting in timing.settings)
    ladder = ", ".join(format_duration(gap) for gap in LADDER_MS)
    return f"{timing.after.replace('{ladder}', ladder)}{f' ({named})' if named else ''}."
