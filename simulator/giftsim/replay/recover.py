"""Recovery: bring a registry to where its journal file ends, and send again what was in flight (G5)."""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.event_log.events import (
    CallAbandoned,
    CallSuspended,
    Checkpoint,
    CheckpointsComplete,
    ClientCall,
    EventsUndone,
    JournalRecord,
    WorldCreated,
    WorldDeleted,
    WorldForked,
)
from giftsim.event_log.journal_contents import Contents, Header, Unreadable
from giftsim.event_log.journal_file import JournalFile
from giftsim.gateway.wsgi_app import WsgiApp
from giftsim.kernel.garbage_collection import without_garbage_collection
from giftsim.kernel.serializer import Damaged
from giftsim.kernel.state import Definitions
from giftsim.problem import Problem
from giftsim.replay.apply import Replayer, ReplayMismatch
from giftsim.replay.plan import Line, ReplayPlan
from giftsim.replay.undo import truncate
from giftsim.worlds import checkpoint
from giftsim.worlds.changes import Changes

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
    with without_garbage_collection(), Replayer(app) as replayer:
        selection = _Selection(contents)
        _replay(app, definitions, replayer, selection)
        suspended = [(world, n) for world in app.registry.worlds.values() for n in sorted(world.suspended_calls)]
    journal_file.go_on(contents)
    journal_file.lines = len(selection.lines)
    app.registry.write_to(journal_file)
    for world in app.registry.worlds.values():
        world.changes = Changes(world.state)  # those of the former process have other numbers
    for world, n in suspended:
        world.add_event(CallAbandoned(call=n))
    return True


class _Selection:
    """The lines of a journal file that a start needs, and where they begin: those since all worlds had checkpoints.

    If something was undone that a checkpoint has, the lines since earlier checkpoints are needed, or all.
    """

    def __init__(self, contents: Contents) -> None:
        self.contents = contents
        self.names: dict[str, None] = {}
        self.ids = 0
        for completion in contents.completions():
            self._select(completion)
            if self.plan.is_complete:
                return
        self._select(None)

    def _select(self, completion: CheckpointsComplete | None) -> None:
        contents = self.contents
        start = completion.since if completion else contents.content.find(b"\n") + 1
        earlier = [(name, at) for name, at in completion.worlds.items() if at < start] if completion else []
        found: list[tuple[int, Line]] = [(at, (name, contents.checkpoint_at(at))) for name, at in earlier]
        found += contents.records_from(start)
        self.starts, self.lines = [at for at, _ in found], [line for _, line in found]
        self.names = dict.fromkeys(completion.worlds) if completion else {}
        self.ids = completion.ids if completion else 0
        self.plan = ReplayPlan(self.lines)


def _replay(app: WsgiApp, definitions: Definitions, replayer: Replayer, selection: _Selection) -> None:
    contents, plan, lines, registry = selection.contents, selection.plan, selection.lines, app.registry
    suspending, checkpoints = _suspending_calls(lines), plan.checkpoints_by_line()
    places = {id(record): at for at, (_, record) in zip(selection.starts, lines, strict=True)}
    registry.ids.generated, names = selection.ids, selection.names
    for world_id, record in lines:
        if isinstance(record, WorldCreated | WorldForked):
            registry.ids.reserve(world_id)
            names.pop(world_id, None)
            names[world_id] = None
    for at in range(len(lines) + 1):
        try:
            for world_id, kept in checkpoints.get(at, ()):
                checkpoint.restore(registry, definitions, contents, world_id, kept, places[id(kept)])
            if at < len(lines) and plan.needs(at):
                _apply(app, replayer, *lines[at], suspends=at in suspending)
        except (ReplayMismatch, Problem, KeyError, Damaged) as error:
            number = contents.line_number(selection.starts[min(at, len(lines) - 1)]) + (at == len(lines))
            message = f"{contents.path}:{number}: this line does not follow from the lines before it: {error}"
            raise Unreadable(message) from None
    registry.worlds = {name: registry.worlds[name] for name in names if name in registry.worlds}


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
        case Checkpoint() | CheckpointsComplete():
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
