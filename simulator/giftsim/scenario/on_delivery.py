"""What happens in the midst of a delivery: an advance stands at a receiver that holds, and the story goes on there.

The advance runs in a thread; the player takes what stands, in the order of the attempts, takes the steps of the first
entry that means it, and answers. Time stands meanwhile, and nothing depends on how fast any of it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from giftsim.paths import CONTROL
from giftsim.scenario.background_call import Background
from giftsim.scenario.draft import Around, Draft
from giftsim.scenario.matching import shown
from giftsim.scenario.names import check_holes
from giftsim.scenario.run import A_MOMENT_S, Done, Run
from giftsim.scenario.step import NOTHING, Advance, Entry, Step
from giftsim.scenario.variables import UNKNOWN
from giftsim.scenario.world_client import Refused, Sandbox, content, is_success
from giftsim.scenario.yaml_source import Source, Trail

NAME: Final = "delivery"
STANDING: Final = ("advance", "snapshot", "restore", "undo", "fork")
MATCHED: Final = ("type", "event", "attempt", "host")

Steps = Callable[[Source, Trail, Around, Mapping[str, Any]], Iterator[Step]]


def entries(draft: Draft, names: Mapping[str, Any], start_ms: int, steps: Steps) -> Iterator[Entry]:
    """The entries of an advance; `steps` reads those of a list. InvalidScenario for what cannot be there."""
    source, trail = draft.source, (*draft.trail, "on_delivery")
    for index, told in enumerate(source.at(trail)):
        place = (*trail, index)
        wanted = {name: told[name] for name in MATCHED if name in told}
        check_holes(source, place, {**wanted, "answer": told.get("answer")}, names, start_ms)
        for number, step in enumerate(told.get("steps", ())):
            _check_kind(source, (*place, "steps", number), step)
        found = steps(source, (*place, "steps"), draft.around, {NAME: UNKNOWN}) if "steps" in told else ()
        inside = [msgspec.structs.replace(step, world=step.world or draft.data.get("in")) for step in found]
        yield Entry(matched=wanted, answer=told.get("answer", NOTHING), steps=tuple(inside))


def advanced(run: Run, step: Advance, goal: Mapping[str, Any]) -> Done:
    """Time passes, and what stands on the way is met."""
    watch = Watch(run, step)
    watch.meet_all(wait=False)
    sandbox = run.sandbox
    advance = Background(step, sandbox, lambda: sandbox.control("POST", "/clock/advance", goal))
    while not advance.has_answered(0):
        if not watch.meet_all(wait=True):
            advance.has_answered(A_MOMENT_S)
    told: Any = advance.answer()
    sandbox.now = told["to"]
    return Done(f"to {sandbox.now}", tuple(watch.missed()))


def settle(sandbox: Sandbox) -> None:
    """Whatever still stands in a world is answered as its receiver would by itself."""
    for held in _held(sandbox, wait=False):
        _answer(sandbox, held, {})


class Watch:
    """What an advance has met so far."""

    def __init__(self, run: Run, step: Advance) -> None:
        self.run, self.step, self.sandbox = run, step, run.sandbox
        self.met: set[int] = set()
        self.stood: list[str] = []
        self.failed = False

    def meet_all(self, *, wait: bool) -> bool:
        """Answer what stands now, or soon; whether anything did."""
        found = _held(self.sandbox, wait=wait)
        for held in found:
            self._meet(held)
        return bool(found)

    def missed(self) -> Iterator[str]:
        """The entries that nothing happened to; or that a step within one has failed, which may be why."""
        if self.failed:
            yield "a step within it failed"
            return
        for index, entry in enumerate(self.step.entries):
            if index not in self.met:
                wanted = shown(self.run.fill(entry.matched)) if entry.matched else "any attempt"
                stood = ", ".join(self.stood) or "none"
                yield f"on_delivery[{index}]: expected {wanted} at a receiver of mode hold, actual {stood}"

    def _meet(self, held: Mapping[str, Any]) -> None:
        self.stood.append(f"{held['type']} attempt {held['attempt']}")
        for index, entry in enumerate(self.step.entries):
            if not self.failed and _means(self.run.fill(entry.matched), held):
                self.met.add(index)
                self._enter(entry, held)
                return
        _answer(self.sandbox, held, {})

    def _enter(self, entry: Entry, held: Mapping[str, Any]) -> None:
        self.sandbox.now = held["at"]
        self.run.saved[NAME] = _delivery(held)
        try:
            for step in entry.steps:
                self.failed = not self.run.take(step, skip=self.failed) or self.failed
            self.run.variables[NAME] = self.run.saved[NAME]
            answer = self.run.fill(entry.answer)
        finally:
            del self.run.saved[NAME]
        _answer(self.sandbox, held, answer)


def _held(sandbox: Sandbox, *, wait: bool) -> list[Mapping[str, Any]]:
    query = "?wait=true&limit=1000" if wait else "?limit=1000"
    found: list[Mapping[str, Any]] = sandbox.control("GET", f"/deliveries/held{query}")["held"]
    return found


def _answer(sandbox: Sandbox, held: Mapping[str, Any], reaction: Mapping[str, Any]) -> None:
    """Answer an attempt; a step may have done so before, by another receiver in its place."""
    path = sandbox.path(f"/deliveries/{held['seq']}/answer")
    answer = sandbox.call("POST", CONTROL + path, reaction, {})
    if not is_success(answer.status) and "not_held" not in str(content(answer)):
        raise Refused(f"POST {CONTROL}{path} answered {answer.status} {shown(content(answer))}")


def _means(wanted: Mapping[str, Any], held: Mapping[str, Any]) -> bool:
    found = {**_delivery(held), "event": held["event_id"]}
    return all(found[name] == value for name, value in wanted.items())


def _delivery(held: Mapping[str, Any]) -> Mapping[str, Any]:
    """What `${delivery...}` stands for."""
    request = held["request"]
    told = {name: held[name] for name in ("seq", "at", "url", "event_id", "type", "attempt")}
    body = msgspec.json.decode(request["body"])
    return {
        **told, "host": urlsplit(held["url"]).hostname, "headers": request["headers"], "body": body,
        "text": request["body"],
    }  # fmt: skip


def _check_kind(source: Source, trail: Trail, step: Mapping[str, Any]) -> None:
    for kind in STANDING:
        if kind in step:
            told = f'"{kind}" cannot stand here: while an attempt stands, so does the clock, and the world stays one'
            raise source.refuse((*trail, kind), told, name=True)
