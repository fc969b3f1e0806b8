"""Changes of a world, as JSON and as server-sent events."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.gateway.call import Call, Response, Stream
from giftsim.engine.gateway.faults.table import FAULTS
from giftsim.engine.gateway.own_kinds import ATTEMPT, EVENT, timer_ref
from giftsim.engine.gateway.problem import InvalidParameter
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.engine.worlds import changes, system_clock
from giftsim.engine.worlds.advance import subject_label
from giftsim.engine.worlds.changes import DROPPED, REWOUND, Change
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import WorldGone


class Described(NamedTuple):
    """What the feed says of a change: its subject, its summary, and other members that its kind has."""

    subject: Ref | None
    summary: str
    members: Mapping[str, Any] = MappingProxyType({})


NOT_KEPT = "it is not kept any more"


def change_view(world: World, state: State, change: Change) -> dict[str, Any]:
    """A change. Its subject is described as it is now."""
    try:
        found = _described(world, state, change)
    except LookupError:  # a bounded list of the state dropped it
        found = Described(None, NOT_KEPT)
    view = {"n": change.n, "at": format_instant(change.at_ms), "kind": change.kind, "subject": found.subject}
    return {**view, "summary": found.summary, **found.members}


def _described(world: World, state: State, change: Change) -> Described:
    describe = _DESCRIBE.get(change.kind)
    if describe is not None:
        return describe(world, state, change.about)
    service = service_of(state)
    for output in service.outputs:
        if output.name == change.kind:
            row = state[output.kind.table].get(change.about)
            return Described(output.kind.ref(state, row), output.words(row))
    used = next(page for page in service.pages if page.name == change.kind)
    return Described(*used.words(state, change.about))


def server_sent(view: Mapping[str, Any]) -> bytes:
    """A change as a server-sent event."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (view["n"], view["kind"].encode(), msgspec.json.encode(view))


def _call(world: World, state: State, seq: int) -> Described:
    entry = world.calls.log.entry(seq)
    status = "no response" if entry.status is None else entry.status
    summary = f"{entry.method} {service_of(state).secret_table.redact(entry.path)}: {status}"
    return Described(Ref("call", seq), summary, {"status": entry.status})


def _event(_world: World, state: State, n: int) -> Described:
    event = state[EVENT.table].get(n)
    return Described(EVENT.ref(state, event), f"{event.kind}: {EVENT.label_of(state, n)}")


def _delivery(_world: World, state: State, n: int) -> Described:
    attempt = state[ATTEMPT.table].get(n)
    url = state[ENDPOINT].get(attempt.endpoint).url
    status = "" if attempt.status is None else f" {attempt.status}"
    outcome = "under way" if attempt.outcome is None else f"{attempt.outcome}{status}"
    words = f"{attempt.kind}, attempt {attempt.number} to {url}: {outcome}"
    ended = {"outcome": attempt.outcome, "status": attempt.status}
    return Described(ATTEMPT.ref(state, attempt), service_of(state).secret_table.redact(words), ended)


def _fault(_world: World, state: State, name: str) -> Described:
    is_listed = state[FAULTS].find("id", name) is not None
    return Described(Ref("fault", name) if is_listed else None, f"{name} acted")


def _hold(_world: World, state: State, name: str) -> Described:
    return Described(_fault(_world, state, name).subject, f"{name} holds a call")


def _timer(_world: World, state: State, timer: Timer) -> Described:
    return Described(timer_ref(state, timer), f"{timer.kind}: {subject_label(state, timer)}, {timer.because}")


def _snapshot(_world: World, _state: State, about: tuple[str, str]) -> Described:
    name, what = about
    return Described(Ref("snapshot", name), f"the snapshot {name} was {what}")


def _rewound(_world: World, _state: State, about: tuple[int, str]) -> Described:
    """`to` is the number to which the world went back."""
    return Described(None, about[1], {"to": about[0]})


def _in_words(_world: World, _state: State, about: str) -> Described:
    return Described(None, about)


_DESCRIBE: Final[Mapping[str, Callable[[World, State, Any], Described]]] = {
    changes.CALL: _call,
    changes.CONTROL: _in_words,
    changes.EVENT_KIND: _event,
    changes.DELIVERY: _delivery,
    changes.FAULT: _fault,
    changes.HOLD: _hold,
    changes.TIMER: _timer,
    changes.CLOCK: _in_words,
    changes.SNAPSHOT: _snapshot,
    changes.REWOUND: _rewound,
    changes.DROPPED: _in_words,
}


EVENT_STREAM = "text/event-stream"
AT_ONCE = 200  # changes that are described with the lock held
PAUSE_S = 0.05  # between two reads of a stream, so that many streams leave time for other calls
PROBE_S = 1.0  # between two checks whether the client of a quiet stream is still there
KEEP_ALIVE_S = 15.0
BEGIN = b"retry: 1000\n\n"
KEEP_ALIVE = b": nothing new\n\n"
HEADERS: Final[Mapping[str, str]] = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Found(NamedTuple):
    """Changes as JSON, the cursor after them, and the number of the last one that was dropped."""

    changes: list[dict[str, Any]]
    cursor: int
    dropped: int


def list_changes(call: Call) -> Response:
    """List the changes after a number, and wait for one if there is none. Stream them to clients that accept events.

    A client in this process always gets the list: it would read a stream to the end, and a stream does not end.
    """
    after = _cursor(call)
    if EVENT_STREAM in (call.header("Accept") or "") and not call.environ.get("giftsim.in_process"):
        stream: Stream = ChangeStream(call.world, after) if call.method != "HEAD" else iter(())
        return Response(200, headers=dict(HEADERS), content_type=EVENT_STREAM, stream=stream)
    found = changes_after(call.world, after, call.query["limit"])
    if not found.changes and call.query["wait"]:
        with watching(call.world):
            wait(call.world, found.cursor, call.query["wait"], call.is_client_gone)
        found = changes_after(call.world, found.cursor, call.query["limit"])
    return Response(200, {"changes": found.changes, "next": found.cursor, "dropped": found.dropped})


def changes_after(world: World, after: int | None, limit: int) -> Found:
    """The changes after a number, or from the oldest one that is kept. WorldGone."""
    with world.locked() as state:
        log = world.changes
        start = log.dropped_n if after is None else after
        told = [] if after is None else list(_missed(world, after))
        if after is not None and after > log.last_n:
            start = 0
        newer = islice(log.after(start), limit)
        found = [change_view(world, state, change) for change in (*told, *newer)]
        return Found(found, found[-1]["n"] if found else start, log.dropped_n)


def _missed(world: World, after: int) -> Iterator[Change]:
    """Changes to send first: that the world was made again, or that changes the client has not seen were dropped."""
    log, now_ms = world.changes, world.state.now_ms
    if after > log.last_n:
        yield Change(0, now_ms, 0, REWOUND, (0, f"the world was made again: it has had {log.last_n} changes"))
        after = 0
    if after < log.dropped_n:
        yield Change(log.dropped_n, now_ms, 0, DROPPED, f"the changes up to {log.dropped_n} were dropped")


@contextmanager
def watching(world: World) -> Iterator[None]:
    """Count as one more waiter for changes. TooManyWatchers."""
    waiters = world.runtime.waiters
    waiters.watch(world.changes.added)
    try:
        yield
    finally:
        waiters.unwatch(world.changes.added)


def wait(world: World, after: int, limit_s: float, is_client_gone: Callable[[], bool] = lambda: False) -> None:
    """Wait for a change after a number, for the end of the world, or until the client is seen to be gone.

    The thread is lent to the server meanwhile.
    """
    monotonic = world.runtime.system.monotonic
    until_s = monotonic() + limit_s
    with world.runtime.lend_thread():
        while not (world.changes.last_n > after or has_ended(world) or is_client_gone()):
            left_s = until_s - monotonic()
            if left_s <= 0:
                return
            world.changes.wait(after, min(left_s, PROBE_S), lambda: has_ended(world))


def pause(world: World) -> None:
    """Let some time pass without waking for changes: each wake would slow down other calls."""
    runtime = world.runtime
    with runtime.lend_thread():
        system_clock.sleep(PAUSE_S, runtime.waiters.changed, lambda: has_ended(world))


def has_ended(world: World) -> bool:
    """Whether the world or the simulator is gone."""
    return world.deleted or world.runtime.closing


class ChangeStream:
    """Server-sent events of the changes after a number, until the world or its client is gone.

    It sometimes yields nothing (`b""`), and the server then checks whether the client is still there.
    """

    def __init__(self, world: World, after: int | None) -> None:
        self._place = watching(world)
        self._place.__enter__()
        self._is_open = True
        self._chunks = stream(world, after)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._chunks)

    def close(self) -> None:
        """Stop waiting for changes."""
        if self._is_open:
            self._is_open = False
            self._chunks.close()
            self._place.__exit__(None, None, None)


def stream(world: World, after: int | None) -> Generator[bytes]:
    """The events, as bytes."""
    yield BEGIN
    monotonic = world.runtime.system.monotonic
    cursor, sent_s = after, monotonic()
    while not has_ended(world):
        try:
            found = changes_after(world, cursor, AT_ONCE)
        except WorldGone:
            return
        cursor = found.cursor
        if found.changes:
            yield b"".join(map(server_sent, found.changes))
            sent_s = monotonic()
            pause(world)
            continue
        wait(world, cursor, PROBE_S)
        is_quiet = monotonic() - sent_s > KEEP_ALIVE_S
        if is_quiet:
            sent_s = monotonic()
        yield KEEP_ALIVE if is_quiet else b""


def _cursor(call: Call) -> int | None:
    """The number after which to start; None for the oldest change that is kept. A reconnect sends it as a header."""
    text = call.header("Last-Event-ID")
    if text is not None:
        if not (text.isascii() and text.isdecimal()) or len(text) > 18:
            raise InvalidParameter(f"Last-Event-ID is the number of a change, not {text[:60]!r}")
        return int(text)
    if call.query["from"] == "now":
        if call.query["after"] is not None:
            raise InvalidParameter("from=now starts after the latest change; use from or after, not both")
        return call.world.changes.last_n
    after: int | None = call.query["after"]
    return after
