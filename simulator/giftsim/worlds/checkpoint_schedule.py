"""When checkpoints are written. What writes them is loaded by the first process with a journal file that is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from giftsim.worlds.runtime import Runtime

if TYPE_CHECKING:
    from giftsim.worlds.registry import Registry


def is_due(runtime: Runtime) -> bool:
    """Whether to write checkpoints now."""
    file = runtime.journal_file
    return file is not None and file.lines >= runtime.checkpoint_at and not runtime.writes_checkpoints


def write_in_background(registry: Registry) -> None:
    """Write checkpoints of all worlds that have changed, unless that is being done."""
    from giftsim.worlds.checkpoint import write_all

    runtime, file = registry.runtime, registry.runtime.journal_file
    if file is not None and runtime.begin_checkpoints():
        runtime.run_in_background(lambda: write_all(registry, file, file.size))
