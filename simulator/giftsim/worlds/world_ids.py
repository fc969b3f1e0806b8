"""The ids of worlds: what they look like, and which one a world gets that comes without one.

Several processes can share an address behind a proxy, which finds the process of a world by the root of its id: the
part before the first `--`. So a process with a prefix gives its worlds ids that begin with it, and a fork has the root
of its parent (G136).
"""

from __future__ import annotations

import re
from collections.abc import Container

from giftsim.worlds.problem import InvalidWorld

MARK = "--"  # between the root of an id and the rest
LONGEST = 40
_ID = re.compile(rf"[a-z0-9-]{{1,{LONGEST}}}", re.ASCII)
_PREFIX = re.compile(r"(?=.{1,20}\Z)[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_GENERATED = re.compile(r"(?:.*--)?w([1-9][0-9]{0,8})", re.ASCII)


class WorldIds:
    """Gives ids to the worlds of one process.

    `generated` is how many it has given; with a `prefix` other processes share the address.
    """

    def __init__(self, prefix: str | None = None) -> None:
        self.prefix = prefix
        self.generated = 0

    def next_id(self, taken: Container[str], parent: str | None = None) -> str:
        """The id of a new world, or of a fork of the world `parent`, that comes without one. InvalidWorld."""
        head = f"{root_of(parent or self.prefix)}{MARK}" if self.prefix else ""
        self.generated += 1
        while (name := f"{head}w{self.generated}") in taken:
            self.generated += 1
        if len(name) > LONGEST:
            raise InvalidWorld(f"the fork of {parent} would be {name}, longer than {LONGEST}: fork a shorter id")
        return name

    def reserve(self, world_id: str) -> None:
        """Never give this id to a new world that comes without one (a world of the journal file had it)."""
        if generated := _GENERATED.fullmatch(world_id):
            self.generated = max(self.generated, int(generated[1]))

    def check_fork(self, world_id: str, parent: str) -> None:
        """Raise InvalidWorld for an id by which a proxy would look for the fork in another process."""
        if self.prefix and root_of(world_id) != root_of(parent):
            raise InvalidWorld(
                f"several processes share this address, and a fork is in that of its parent: its id begins with "
                f"{root_of(parent)}{MARK}, like {root_of(parent)}{MARK}{world_id[:10]}; without an id it gets one"
            )


def check_id(world_id: str) -> None:
    """Raise InvalidWorld for a text that is no id of a world."""
    if not _ID.fullmatch(world_id):
        raise InvalidWorld(f"a world's id is 1 to {LONGEST} of a-z, 0-9 and '-', not {world_id[:60]!r}")


def root_of(world_id: str) -> str:
    """The part of an id that all forks of a world share."""
    return world_id.partition(MARK)[0]


def is_prefix(text: str) -> bool:
    """Whether ids can begin with this text and MARK, and have it as their root."""
    return _PREFIX.fullmatch(text) is not None
