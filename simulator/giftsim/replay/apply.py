"""Applying inputs again: the same calls, timers and outcomes in the same order make the same world (G3, G4).

Nobody is dialled and no time passes but what the inputs say. A call that gave its world back for a while (a held one, a
partner's ping) runs in a thread of its own, which stands where the call stood until an input says that it goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from giftsim.event_log import events as word
from giftsim.event_log.events import AnyInput
from giftsim.gateway.call import ASSISTANT
from giftsim.gateway.in_process_client import InProcessClient
from giftsim.gateway.wsgi_app import Front
from giftsim.webhooks.dispatch import carry_again, land
from giftsim.webhooks.outgoing import Outcome
from giftsim.worlds.held_calls import TooManyParked
from giftsim.worlds.world import World

CONTROL = "/_sim/v1"


class DoesNotFit(Exception):
    """An input does not belong to the state it was applied to: it was written by another version, or damaged."""


class Abandoned(BaseException):
    """The call never went on: what it was part of ended before."""


class Aside:
    """A call that runs beside the inputs: `stops` is set when it stands or is done, `goes` when it may go on."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.stops, self.goes = threading.Event(), threading.Event()
        self.abandoned = False
        self._work = work
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, name="replay", daemon=True)

    def _run(self) -> None:
        try:
            self._work()
        except Abandoned:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that applies the inputs
            self._error = error
        finally:
            self.stops.set()

    def abandon(self) -> None:
        """End the call, if it still stands."""
        self.abandoned = True
        self.goes.set()
        self.thread.join()

    def until_it_stops(self) -> None:
        """Wait until the call stands or is done; what it raised is raised here."""
        self.stops.wait()
        if self._error is not None:
            raise self._error


class Replay:
    """Applies inputs to the worlds of a front's house, which must be reached by nobody else meanwhile."""

    def __init__(self, front: Front) -> None:
        self._house = front.registry
        self._client = InProcessClient(front)
        self._aside: dict[tuple[str, int], Aside] = {}

    def __enter__(self) -> Replay:
        self._house.replaying = self._stand
        return self

    def __exit__(self, *_: object) -> None:
        for aside in self._aside.values():
            aside.abandon()
        for world in self._house.worlds.values():
            world.parked.clear()
            world.anchor()
        self._house.replaying = None

    def apply(self, world: World, entry: AnyInput, *, parks: bool) -> None:
        """Apply one input; `parks` says that it is a call which gives the world back. DoesNotFit."""
        if isinstance(entry, word.Parked):
            return  # the call itself has said this, where it stands
        if world.event_log.next_n != entry.n:
            raise DoesNotFit(f"input {entry.n} of world {world.id} comes where {world.event_log.next_n} is due")
        if isinstance(entry, word.Called) and parks:
            self._begin(world, entry)
        else:
            _APPLY[type(entry)](self, world, entry)
        with world.lock:
            world.state.outbox.clear()

    def called(self, world: World, entry: word.Called) -> None:
        """A call, on the path of all calls."""
        _pass_to(world, entry.at_ms)
        path, mark, query = entry.path.partition("?")
        extra = {ASSISTANT: entry.assistant} if entry.assistant is not None else {}
        self._call(entry.method, quote(path, safe="/%") + mark + query, entry.body, dict(entry.headers), extra)

    def controlled(self, world: World, entry: word.Controlled) -> None:
        """A control call on the world."""
        _pass_to(world, entry.at_ms)
        self._call(entry.method, f"{CONTROL}/worlds/{world.id}{quote(entry.path)}", entry.body, {})

    def resumed(self, world: World, entry: word.Resumed) -> None:
        """Let a call go on that stood aside."""
        aside = self._aside.get((world.id, entry.call))
        if aside is None:
            raise DoesNotFit(f"input {entry.n} of world {world.id} resumes call {entry.call}, which does not stand")
        _pass_to(world, entry.at_ms)
        world.event_log.add(entry)
        aside.stops.clear()
        aside.goes.set()
        aside.until_it_stops()

    def _begin(self, world: World, entry: word.Called) -> None:
        if before := self._aside.get((world.id, entry.n)):
            before.abandon()  # it was taken back, and this one has its number
        aside = self._aside[world.id, entry.n] = Aside(lambda: self.called(world, entry))
        aside.thread.start()
        aside.until_it_stops()

    def _stand(self, world: World, call: int) -> None:
        """What a call does that gives its world back; it holds the gate."""
        aside = self._aside.get((world.id, call))
        if aside is None:
            raise TooManyParked(f"call {call} of world {world.id} was not parked, for want of room or of time")
        world.event_log.add(word.Parked(call=call))
        world.state.outbox.clear()
        aside.goes.clear()
        world.lock.release()
        aside.stops.set()
        aside.goes.wait()
        world.lock.acquire()
        if aside.abandoned:
            raise Abandoned

    def _call(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str],
        extra: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        try:
            self._client.call(method, path, body=body, headers=headers, environ=extra)
        except ConnectionError:
            return  # it was dropped then, too


def _pass_to(world: World, at_ms: int) -> None:
    """Time that passed without anything happening."""
    world.state.now_ms = max(world.state.now_ms, at_ms)


def _ran(_: Replay, world: World, entry: word.Ran) -> None:
    with world.lock:
        for _turn in range(entry.fired):
            timer = world.state.timers.peek()
            if timer is None:
                raise DoesNotFit(f"input {entry.n} of world {world.id} fires a timer, and none is there")
            world.state.fire(timer)
        _pass_to(world, entry.to_ms)
        world.event_log.add(entry)


def _landed(_: Replay, world: World, entry: word.Landed) -> None:
    outcome = Outcome(entry.outcome, entry.status, entry.signed_s, entry.took_s)
    with world.lock:
        world.event_log.add(entry)
        try:
            with world.state.transaction():
                land(world.state, entry.attempt, outcome)
        except (ValueError, LookupError) as error:
            raise DoesNotFit(f"input {entry.n} of world {world.id}: {error}") from None


def _paced(_: Replay, world: World, entry: word.Paced) -> None:
    with world.lock:
        _pass_to(world, entry.at_ms)
        world.pace(entry.rate)


def _carried(_: Replay, world: World, entry: word.Carried) -> None:
    with world.lock:
        world.event_log.add(entry)
        with world.state.transaction():
            carry_again(world.state)


_APPLY: Mapping[type[AnyInput], Callable[[Replay, World, Any], object]] = {
    word.Called: Replay.called,
    word.Controlled: Replay.controlled,
    word.Resumed: Replay.resumed,
    word.Ran: _ran,
    word.Landed: _landed,
    word.Paced: _paced,
    word.Carried: _carried,
    word.SnapshotTaken: lambda _, world, entry: world.registry.save(world, entry.name),
    word.Forgot: lambda _, world, entry: world.registry.forget(world, entry.name),
    word.Restored: lambda _, world, entry: world.registry.restore(world, entry.name),
    word.Reset: lambda _, world, _entry: world.registry.reset(world),
}


def parking(entries: list[AnyInput]) -> frozenset[int]:
    """The numbers of the calls among the inputs that give their world back."""
    return frozenset(entry.call for entry in entries if isinstance(entry, word.Parked))
