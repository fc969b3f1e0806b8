"""The inputs of a world, told as the steps of a scenario."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from giftsim.control.credentials import credentials, table_name
from giftsim.domain.access.api_key import KEYS
from giftsim.event_log import events as word
from giftsim.event_log.log import Part, Seen
from giftsim.fixture_loader import FOLDERS, read_fixture
from giftsim.kernel.fingerprint import fingerprint
from giftsim.kernel.instants import SECOND, format_instant
from giftsim.kernel.problem import Problem
from giftsim.kernel.state import State
from giftsim.recording.call_steps import Names, call_step, outcome
from giftsim.recording.control_steps import control_step, plain
from giftsim.recording.receivers import Placement, Placements
from giftsim.recording.timeline import Passage
from giftsim.recording.variables import Slots
from giftsim.recording.yaml_writer import written
from giftsim.scenario.schema import is_step
from giftsim.worlds.world import World

Step = dict[str, Any]
_PING = re.compile(r"/webhooks/[^/]+/test", re.ASCII)


class Truncated(Problem):
    """The beginning of what was done to the world is gone."""

    status = 409
    code = "journal_truncated"


def record(world: World, state: State, forward: Mapping[str, str]) -> str:
    """The world as a scenario that gives the same bytes; Truncated where its beginning was dropped.

    `forward` maps hosts to where they were forwarded from the world's first moment on.
    """
    if world.event_log.dropped:
        first = world.event_log.dropped + 1
        raise Truncated(
            f"the first {first - 1} inputs of world {world.id} were dropped to make room; entry {first} is the first"
            " kept: record sooner, or in a fresh world"
        )
    story = Story(world, state, forward)
    story.tell()
    why = f"A recording of world {world.id}: {story.calls} calls, each with the answer that must come again."
    return written(_head(world), story.finished(), why)


class Story:
    """What is told so far: `now_ms` is where the world of the scenario stands, `passage` the time that passes then."""

    def __init__(self, world: World, state: State, forward: Mapping[str, str]) -> None:
        self.world, self.state = world, state
        self.steps: list[Step | Placement] = []
        self.calls = 0
        self.now_ms = world.config.now_ms
        self.passage = Passage()
        self._saved_ms: dict[str, int] = {}
        self._placements = Placements(forward)
        self._views: dict[str, tuple[Slots, Names]] = {}
        self._awaited: dict[int, tuple[str, word.Called, Seen | None, Slots]] = {}
        told = list(world.event_log.all())
        back = {entry.call for _, entry in told if isinstance(entry, word.Resumed)}
        self._aside = {entry.call for _, entry in told if isinstance(entry, word.Parked)} & back

    def tell(self) -> None:
        """Tell all of it."""
        self.steps += self._placements.begin()
        for part, entry in self.world.event_log.all():
            teller = _TELLERS.get(type(entry))
            if teller is not None:
                teller(self, part, entry)
        self._pass(self.state.now_ms)
        self.steps.append({"expect": {"fingerprint": fingerprint(self.state)}})

    def finished(self) -> list[Step]:
        """The steps, once all is known of what came back to their receivers."""
        return [
            step.step() if isinstance(step, Placement) else step
            for step in self.steps
            if not isinstance(step, Placement) or step.is_needed
        ]

    def called(self, part: Part, came: word.Called) -> None:
        """A call of a client, or of a guest."""
        slots, names = self._view(part)
        seen, self.calls = part.seen.get(came.n), self.calls + 1
        step = call_step(came, seen, names, slots)
        if self._within(came, step | outcome(came, seen, slots)):
            return
        self._pass(came.at_ms)
        if came.n in self._aside and not _PING.search(came.path):
            name = f"call-{self.calls}"
            self._awaited[came.n] = (name, came, seen, slots)
            self.steps.append(step | {"background": name})
        else:
            self.steps.append(step | outcome(came, seen, slots))

    def resumed(self, _part: Part, back: word.Resumed) -> None:
        """A call that had stood aside goes on; what is waited for is its answer."""
        if back.call in self._awaited:
            self._pass(back.at_ms)
            name, came, seen, slots = self._awaited.pop(back.call)
            self.steps.append({"await": name} | outcome(came, seen, slots))

    def controlled(self, part: Part, came: word.Controlled) -> None:
        """A control call; one that was refused changed nothing."""
        if came.n in part.seen:
            return
        step = control_step(came, self._view(part)[0], is_step)
        if not came.path.startswith("/receivers") and self._within(came, step):
            return
        self._pass(came.at_ms)
        receiver = _receiver(came, step)
        if receiver is None:
            self.steps.append(step)
        elif came.method == "PUT":
            placed = self._placements.put(*receiver)
            self.steps.append(placed if placed.is_away else step)
        else:
            self._placements.remove(receiver[0])
            self.steps.append(step)

    def ran(self, _part: Part, entry: word.Ran) -> None:
        """Time went on; where it stopped at the bound of events, it must stop there again."""
        if entry.events:
            self._pass(self.now_ms)
            bounded = {"to": instant(entry.to_ms), "max_events": entry.events}
            self.steps.append(plain("POST", "/clock/advance", bounded) | {"expect": {"status": 409}})
            self.now_ms = entry.to_ms
        elif entry.fired or entry.to_ms > self.now_ms or self.passage.due_ms is not None:
            self.passage.go_on(entry.to_ms)

    def landed(self, _part: Part, entry: word.Landed) -> None:
        """A forwarded attempt is back; where others called while it stood, it stands again."""
        placed = self._placements.of(entry)
        if self.passage.stands and placed is not None and placed.can_hold and not placed.holds:
            self.steps.append(self._placements.hold(placed))
        elif self.passage.stands and placed is not None and not placed.holds:
            self._outside(self.passage.taken_out())
        self.passage.stands = False
        self._placements.land(entry)

    def saved(self, _part: Part, entry: word.SnapshotTaken) -> None:
        """A state is kept."""
        self._pass(self.now_ms)
        self._saved_ms[entry.name] = self.now_ms
        self._placements.save(entry.name)
        self._add({"snapshot": entry.name}, plain("POST", "/snapshots", {"name": entry.name}))

    def forgot(self, _part: Part, entry: word.Forgot) -> None:
        """A kept state is deleted."""
        self.steps.append(plain("DELETE", f"/snapshots/{entry.name}"))

    def restored(self, _part: Part, entry: word.Restored) -> None:
        """A kept state is put in place again."""
        self.now_ms, self.passage = self._saved_ms.get(entry.name, self.now_ms), Passage()
        self._add({"restore": entry.name}, plain("POST", f"/snapshots/{entry.name}/restore"))
        self.steps += self._placements.restore(entry.name)

    def reset(self, _part: Part, _entry: word.Reset) -> None:
        """The world is as it was created."""
        self.now_ms, self.passage = self.world.config.now_ms, Passage()
        self.steps.append(plain("POST", "/reset"))
        self.steps += self._placements.begin(again=True)

    def _add(self, nice: Step, other: Step) -> None:
        self.steps.append(nice if is_step(nice) else other)

    def _pass(self, at_ms: int) -> None:
        """Let time pass up to an instant, and all of it that is due."""
        due_ms, inside = self.passage.due_ms, self.passage.entries()
        to_ms = max(at_ms, due_ms or at_ms)
        if due_ms is not None or to_ms > self.now_ms:
            self.steps.append({"advance": {"to": instant(to_ms)}} | ({"on_delivery": inside} if inside else {}))
            self.now_ms, self.passage = max(self.now_ms, to_ms), Passage()
            self.steps += self._placements.let_go()

    def _within(self, came: word.Called | word.Controlled, step: Step) -> bool:
        """Take a step in the midst of the delivery at which an advance stood, if it did."""
        if came.during is None or self.passage.due_ms is None:
            return False
        before_ms = self.passage.begin_at(came.during)
        if before_ms is not None:
            due_ms, self.passage.due_ms = self.passage.due_ms, before_ms
            self._pass(before_ms)
            self.passage.go_on(due_ms)
            self.passage.begin_at(came.during)
        self.passage.add(came.during, step)
        return True

    def _outside(self, steps: list[Step]) -> None:
        """Take steps behind the advance after all: their delivery cannot stand."""
        self._pass(self.now_ms)
        self.steps += steps

    def _view(self, part: Part) -> tuple[Slots, Names]:
        """What is written as a variable, and what the credentials are called, in the world that a part belongs to."""
        if part.world_id not in self._views:
            slots = Slots(part.world_id, self.world.registry.origin)
            self._views[part.world_id] = (slots, _names(self.state, part.world_id))
        return self._views[part.world_id]


_TELLERS: Mapping[type[word.AnyInput], Callable[[Story, Part, Any], None]] = {
    word.Called: Story.called,
    word.Controlled: Story.controlled,
    word.Resumed: Story.resumed,
    word.Ran: Story.ran,
    word.Landed: Story.landed,
    word.SnapshotTaken: Story.saved,
    word.Forgot: Story.forgot,
    word.Restored: Story.restored,
    word.Reset: Story.reset,
}


def instant(at_ms: int) -> str:
    """An instant to the millisecond, where it is not a whole second."""
    text, rest = format_instant(at_ms), at_ms % SECOND
    return f"{text[:-1]}.{rest:03}Z" if rest else text


def _head(world: World) -> dict[str, Any]:
    config = world.config
    fixture = config.fixture
    if isinstance(fixture, str) and not any((folder / f"{fixture}.yaml").is_file() for folder in FOLDERS):
        fixture = read_fixture(fixture)
    head = {
        "scenario": f"A recording of world {world.id}", "seed": config.seed, "now": instant(config.now_ms),
        "fixture": fixture,
    }  # fmt: skip
    return head | ({"settings": config.settings} if config.settings else {})


def _names(state: State, world_id: str) -> Names:
    """Which credential an Authorization header is; of two keys of one name neither is called by it."""
    times = Counter(table_name(key) for key in state[KEYS])
    found = credentials(state, world_id)
    return {found[name]["headers"]["Authorization"]: name for name in found if times[name] < 2}


def _receiver(came: word.Controlled, step: Step) -> tuple[str, Any] | None:
    """The host and the entry that a control call is about."""
    room, _, host = came.path.removeprefix("/").partition("/")
    if room != "receivers":
        return None
    entry = step.get("body") or {
        name: value for name, value in step.get("receiver", {}).items() if name not in ("host", "optional")
    }
    return host, entry
