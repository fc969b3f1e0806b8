"""Recovery: a house as its journal file says it was, and whatever was under way sent once more (G5)."""

from __future__ import annotations

from simulator.gateway.app import Front
from simulator.gateway.replay import DoesNotFit, Replay
from simulator.gateway.undo import go_back
from simulator.kernel.archive import Damaged
from simulator.kernel.problem import Problem
from simulator.webhooks.attempt import in_flight
from simulator.webhooks.dispatch import carry_again
from simulator.worlds.checkpoint import put
from simulator.worlds.drive import dispatch
from simulator.worlds.house import House
from simulator.worlds.input import Born, Called, Carried, Checkpoint, Deleted, Forked, Parked, Undone, Word
from simulator.worlds.ledger import Header, Ledger, Unreadable
from simulator.worlds.past import Line, Past


def recover(front: Front, ledger: Ledger, header: Header) -> bool:
    """Bring a house without worlds to where the file ends, and write on from there; whether the file held anything.

    Downtime does not count: every world stands at its last recorded instant and runs on from it. Unreadable where the
    file was begun by other options or another version, or does not fit.
    """
    begun, lines = ledger.read()
    if begun is None:
        ledger.begin(header)
        front.house.write_to(ledger)
        return False
    _compare(ledger, begun, header)
    with Replay(front) as replay:
        _replay(front, replay, ledger, list(lines))
    front.house.write_to(ledger)
    return True


def _replay(front: Front, replay: Replay, ledger: Ledger, lines: list[Line]) -> None:
    past, parks = Past(lines), _parking(lines)
    entered = past.entered()
    for world_id, word in lines:
        if isinstance(word, Born | Forked):
            front.house.knew(world_id)
    for at in range(len(lines) + 1):
        try:
            for world_id, kept in entered.get(at, ()):
                put(front.house, world_id, kept)
            if at < len(lines) and past.needs(at):
                _apply(front, replay, *lines[at], parks=at in parks)
        except (DoesNotFit, Problem, KeyError, Damaged) as error:
            raise Unreadable(f"{ledger.path}:{at + 2}: it does not follow from what is before it: {error}") from None


def carry_on(house: House) -> None:
    """Send what was under way when the process ended, with the same event ids."""
    for world in list(house.worlds.values()):
        with world.gate:
            if in_flight(world.state):
                world.tell_time()
                world.inputs.add(Carried())
                with world.state.transaction():
                    carry_again(world.state)
        dispatch(world)


def _compare(ledger: Ledger, begun: Header, header: Header) -> None:
    for name in ("version", "seed", "fixture", "options"):
        was, now = getattr(begun, name), getattr(header, name)
        if was != now:
            raise Unreadable(
                f"{ledger.path}:1: it was begun with {name} {was}, and this is {now}; start as then, or with a new file"
            )


def _apply(front: Front, replay: Replay, world_id: str, word: Word, *, parks: bool) -> None:
    house = front.house
    match word:
        case Born(birth, print_, ttl_s):
            if print_ != house.print_of(birth.fixture):
                raise DoesNotFit(f"the fixture {birth.fixture} of world {world_id} is not what it was")
            house.make(birth, world_id, ttl_s=ttl_s)
        case Forked(of):
            house.fork(house.worlds[of], world_id)
        case Deleted():
            house.delete(house.worlds[world_id])
        case Undone(n):
            go_back(front, house.worlds[world_id], n)
        case Checkpoint():
            return
        case _:
            replay.apply(house.worlds[world_id], word, parks=parks)


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
