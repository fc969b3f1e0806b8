"""Recovery: a house as its journal file says it was, and whatever was under way sent once more (G5)."""

from __future__ import annotations

from giftsim.event_log.events import Born, Called, Carried, Checkpoint, Deleted, Forked, Parked, Undone, Word
from giftsim.event_log.journal_file import Header, JournalFile, Unreadable
from giftsim.gateway.wsgi_app import Front
from giftsim.kernel.problem import Problem
from giftsim.kernel.serializer import Damaged
from giftsim.replay.apply import DoesNotFit, Replay
from giftsim.replay.plan import Line, Past
from giftsim.replay.undo import go_back
from giftsim.webhooks.attempt import in_flight
from giftsim.webhooks.dispatch import carry_again
from giftsim.worlds.advance import dispatch
from giftsim.worlds.checkpoint import put
from giftsim.worlds.registry import Registry


def recover(front: Front, journal_file: JournalFile, header: Header) -> bool:
    """Bring a house without worlds to where the file ends, and write on from there; whether the file held anything.

    Downtime does not count: every world stands at its last recorded instant and runs on from it. Unreadable where the
    file was begun by other options or another version, or does not fit.
    """
    begun, lines = journal_file.read()
    if begun is None:
        journal_file.begin(header)
        front.registry.write_to(journal_file)
        return False
    _compare(journal_file, begun, header)
    with Replay(front) as replay:
        _replay(front, replay, journal_file, list(lines))
    front.registry.write_to(journal_file)
    return True


def _replay(front: Front, replay: Replay, journal_file: JournalFile, lines: list[Line]) -> None:
    past, parks = Past(lines), _parking(lines)
    entered = past.entered()
    for world_id, word in lines:
        if isinstance(word, Born | Forked):
            front.registry.knew(world_id)
    for at in range(len(lines) + 1):
        try:
            for world_id, kept in entered.get(at, ()):
                put(front.registry, world_id, kept)
            if at < len(lines) and past.needs(at):
                _apply(front, replay, *lines[at], parks=at in parks)
        except (DoesNotFit, Problem, KeyError, Damaged) as error:
            raise Unreadable(
                f"{journal_file.path}:{at + 2}: it does not follow from what is before it: {error}"
            ) from None


def carry_on(registry: Registry) -> None:
    """Send what was under way when the process ended, with the same event ids."""
    for world in list(registry.worlds.values()):
        with world.lock:
            if in_flight(world.state):
                world.tell_time()
                world.event_log.add(Carried())
                with world.state.transaction():
                    carry_again(world.state)
        dispatch(world)


def _compare(journal_file: JournalFile, begun: Header, header: Header) -> None:
    for name in ("version", "seed", "fixture", "options"):
        was, now = getattr(begun, name), getattr(header, name)
        if was != now:
            raise Unreadable(
                f"{journal_file.path}:1: it was begun with {name} {was}, and this is {now}; "
                "start as then, or with a new file"
            )


def _apply(front: Front, replay: Replay, world_id: str, word: Word, *, parks: bool) -> None:
    registry = front.registry
    match word:
        case Born(config, print_, ttl_s):
            if print_ != registry.print_of(config.fixture):
                raise DoesNotFit(f"the fixture {config.fixture} of world {world_id} is not what it was")
            registry.make(config, world_id, ttl_s=ttl_s)
        case Forked(of):
            registry.fork(registry.worlds[of], world_id)
        case Deleted():
            registry.delete(registry.worlds[world_id])
        case Undone(n):
            go_back(front, registry.worlds[world_id], n)
        case Checkpoint():
            return
        case _:
            replay.apply(registry.worlds[world_id], word, parks=parks)


def _parking(lines: list[Line]) -> set[int]:
    """Which lines are calls that give their world back: the world's next line says so."""
    last: dict[str, int] = {}
    parks: set[int] = set()
    for i, (world_id, word) in enumerate(lines):
        before = last.get(world_id)
        if isinstance(word, Parked) and before is not None and isinstance(lines[before][1], Called):
            parks.add(before)
        last[world_id] = i
    return parks
