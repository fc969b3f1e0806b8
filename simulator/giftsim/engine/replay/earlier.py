"""Events that were dropped from memory by a restart, read again from the journal file when an undo needs them (G77)."""

from __future__ import annotations

from collections.abc import Callable

from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.kernel.state import Definitions
from giftsim.engine.log.journal_contents import Unreadable
from giftsim.engine.log.journal_file import JournalFile
from giftsim.engine.replay.apply import Replayer
from giftsim.engine.replay.recover import Selection, replay_lines
from giftsim.engine.worlds.world import World


def reach_back(app: WsgiApp, world: World, is_enough: Callable[[], bool]) -> None:
    """Let the event log of a world reach further back, to one checkpoint after another, until it `is_enough`.

    The log ends where memory or the journal file does. `is_enough` is called with the lock. WorldGone.
    """
    while True:
        with world.locked() as state:
            checkpoint, definitions = world.event_log.earlier, state.definitions
            file = world.runtime.journal_file
            if checkpoint is None or file is None or is_enough():
                return
        try:
            with world.runtime.lend_thread():
                earlier = _world_before(app, definitions, file, *checkpoint)
        except Unreadable as error:  # the fixture has changed since the start, say
            world.runtime.log_bug(f"for the events before the last start of world {world.id}", error)
            earlier = None
        with world.locked():
            if world.event_log.earlier != checkpoint:
                continue  # another call was faster
            if earlier is None:
                world.event_log.forget_earlier()
            else:
                if checkpoint[0] == world.id:  # a fork has no snapshots of its parent
                    world.snapshots.bring_back(earlier.snapshots, world.event_log.dropped + 1)
                world.event_log.prepend(earlier.event_log)


def _world_before(app: WsgiApp, definitions: Definitions, file: JournalFile, world_id: str, at: int) -> World:
    """A private copy of a world, from one checkpoint to the next, in the line at byte `at`.

    Unreadable.
    """
    scratch = app.with_registry(app.registry.copy_empty())
    with Replayer(scratch) as replayer:
        replay_lines(scratch, definitions, replayer, Selection(file.read_until(at), only=world_id))
        world = scratch.registry.worlds[world_id]
        world.keep_undo_log()
    return world
