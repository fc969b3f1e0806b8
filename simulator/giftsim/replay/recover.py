"""Recovery: bring a registry to where its journal file ends, and send again what was in flight (G5)."""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.event_log.events import (
    CallAbandoned,
    CallSuspended,
    Checkpoint,
    ClientCall,
    EventsUndone,
    JournalRecord,
    WorldCreated,
    WorldDeleted,
    WorldForked,
)
from giftsim.event_log.journal_contents import Header, Unreadable
from giftsim.event_log.journal_file import JournalFile
from giftsim.gateway.wsgi_app import WsgiApp
from giftsim.kernel.serializer import Damaged
from giftsim.kernel.state import Definitions
from giftsim.problem import Problem
from giftsim.replay.apply import Replayer, ReplayMismatch
from giftsim.replay.plan import Line, ReplayPlan
from giftsim.replay.undo import truncate
from giftsim.worlds import checkpoint
from giftsim.worlds.registry import Registry
from giftsim.worlds.sending import resend_unsent, send_in_background

FORWARD, FORWARD_ALLOW = OPTIONS = ("forward", "forward-allow")


def recover(app: WsgiApp, definitions: Definitions, journal_file: JournalFile, header: Header) -> bool:
    """Bring an empty registry to where the file ends, and append to the file from then on.

    Returns False for an empty file, which gets the header. Downtime does not count: every world continues at its last
    recorded instant. Unreadable when the file was written with other options or by another version, or does not fit.
    """
    contents = journal_file.read()
    if contents.header is None:
        journal_file.begin(header)
        app.registry.write_to(journal_file)
        return False
    _compare(journal_file, contents.header, header)
    with Replayer(app) as replayer:
        _replay(app, definitions, replayer, journal_file, list(contents.records()))
        suspended = [(world, n) for world in app.registry.worlds.values() for n in sorted(world.suspended_calls)]
    journal_file.go_on(contents)
    app.registry.write_to(journal_file)
    for world, n in suspended:
        world.add_event(CallAbandoned(call=n))
    return True


def resend_in_flight(registry: Registry) -> None:
    """Send again, with the same event ids, the deliveries that were in flight when the former process ended.

    Call it before clients and timers send others; those that this process has sent are left alone in any case.
    """
    for world in list(registry.worlds.values()):
        with world.lock:
            resend_unsent(world)
        send_in_background(world)


def _replay(
    app: WsgiApp, definitions: Definitions, replayer: Replayer, journal_file: JournalFile, lines: list[Line]
) -> None:
    plan, suspending = ReplayPlan(lines), _suspending_calls(lines)
    checkpoints = plan.checkpoints_by_line()
    for world_id, record in lines:
        if isinstance(record, WorldCreated | WorldForked):
            app.registry.reserve_id(world_id)
    for at in range(len(lines) + 1):
        try:
            for world_id, kept in checkpoints.get(at, ()):
                checkpoint.restore(app.registry, definitions, world_id, kept)
            if at < len(lines) and plan.needs(at):
                _apply(app, replayer, *lines[at], suspends=at in suspending)
        except (ReplayMismatch, Problem, KeyError, Damaged) as error:
            message = f"{journal_file.path}:{at + 2}: this line does not follow from the lines before it: {error}"
            raise Unreadable(message) from None


def _compare(journal_file: JournalFile, written: Header, header: Header) -> None:
    for (name, then), (_, now) in zip(_options(written), _options(header), strict=True):
        if then != now:
            raise Unreadable(
                f"{journal_file.path}:1: this file was started with {name} {then}, and this start has {now}; "
                "start with the same options and version, or with a new file"
            )


def _options(header: Header) -> Iterator[tuple[str, object]]:
    """What must be the same in every start with a file, by name."""
    yield from (("version", header.version), ("seed", header.seed), ("fixture", header.fixture))
    yield from ((f"--{name}", ", ".join(header.options.get(name, [])) or "none") for name in OPTIONS)


def _apply(app: WsgiApp, replayer: Replayer, world_id: str, record: JournalRecord, *, suspends: bool) -> None:
    registry = app.registry
    match record:
        case WorldCreated(config, print_, ttl_s):
            if print_ != registry.hash_fixture(config.fixture):
                raise ReplayMismatch(f"the fixture {config.fixture} of world {world_id} has changed")
            registry.create(config, world_id, ttl_s=ttl_s)
        case WorldForked(of):
            registry.fork(registry.worlds[of], world_id)
        case WorldDeleted():
            registry.delete(registry.worlds[world_id])
        case EventsUndone(n):
            truncate(app, registry.worlds[world_id], n)
        case Checkpoint():
            return
        case _:
            replayer.apply(registry.worlds[world_id], record, suspends=suspends)


def _suspending_calls(lines: list[Line]) -> set[int]:
    """The lines with calls that release their world's lock: the next line of the same world says so."""
    last: dict[str, int] = {}
    suspending: set[int] = set()
    for i, (world_id, record) in enumerate(lines):
        before = last.get(world_id)
        if isinstance(record, CallSuspended) and before is not None and isinstance(lines[before][1], ClientCall):
            suspending.add(before)
        last[world_id] = i
    return suspending
