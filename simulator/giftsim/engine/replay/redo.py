"""Redo: bring back what the last undo took away, exactly, unless something new has happened since (G410).

Nothing is applied again: the undo has kept the world as it was. After a restart there is nothing to redo, because the
process that kept it has ended.
"""

from __future__ import annotations

from giftsim.engine.log.inputs import InputsRedone
from giftsim.engine.replay.undo import Undone, settle_calls, writes_since
from giftsim.engine.worlds.runtime import CHANGES_PER_LINE
from giftsim.engine.worlds.taken_away import Stretch
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_errors import NothingToRedo


def redo(world: World) -> Undone:
    """Bring back what the last undo took away: the client writes in it, newest first, and the instant it goes on to.

    Callers of the world wait meanwhile. NothingToRedo.
    """
    with world.settled():
        world.clock.log_time()
        stretch = world.taken_away.last(world.event_log)
        if stretch is None:
            raise NothingToRedo(
                f"nothing was undone in world {world.id}, or something new has happened since: then it cannot come back"
            )
        _bring_back(world, stretch)
        world.taken_away.drop_last(world.event_log)
        settle_calls(world)
        redone = Undone(list(writes_since(world.event_log, stretch.n)), world.state.now_ms)
    world.deliveries.send_in_background()
    return redone


def _bring_back(world: World, stretch: Stretch) -> None:
    """Put a stretch in place of what has happened since it was undone. NotWritten, with nothing changed."""
    world.before_loss()
    undone, kept = world.event_log, stretch.log
    if kept.write is not None:
        events = stretch.events()
        kept.write(world.id, InputsRedone(stretch.n, events))
        world.runtime.changes += len(events) * CHANGES_PER_LINE
    world.event_log = kept
    stretch.calls.before_drop = world.calls.log.before_drop
    world.calls.log, world.snapshots = stretch.calls, stretch.snapshots
    busy_keys = world.calls.busy_keys.copy()
    world.replace_state(stretch.state)
    world.calls.busy_keys.update(busy_keys)
    taken, last_n = stretch.changes, kept.next_n - 1
    shift = world.changes.bring_back(world.state, last_n, taken, stretch.told_n, "what was undone is back")
    kept.go_on_after(undone, stretch.n, taken.after_n, shift)
