"""Plays scenario files in several processes at a time. Each has its own simulator and its share of the files."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from giftsim.cli.play import PlayedFile, PlayOptions, play_files

if TYPE_CHECKING:
    from giftsim.workbench.coverage.met import Met


class JobEnded(Exception):
    """A process ended before it had played its files."""


def play_in_jobs(
    files: Sequence[str], options: PlayOptions, jobs: int, add_coverage: Callable[[Met], object] | None
) -> Iterator[PlayedFile]:
    """Play files in at most so many processes, and yield the results in the order of the files. JobEnded."""
    jobs = min(jobs, len(files))
    if jobs == 1:
        yield from play_files(files, options, add_coverage)
        return
    # A forked process has loaded everything; elsewhere, threads of system libraries may hold locks that it would need.
    context: Any = get_context("fork") if sys.platform == "linux" else get_context("spawn")
    receivers, processes = list[Connection](), []
    try:
        for n in range(jobs):
            receiver, sender = context.Pipe(duplex=False)
            arguments = (files[n::jobs], options, sender, add_coverage is not None)
            process = context.Process(target=_play_share, args=arguments, daemon=True)
            process.start()
            sender.close()  # so that the pipe ends with this process, and the next does not inherit it
            receivers.append(receiver)
            processes.append(process)
        for n in range(len(files)):
            yield receivers[n % jobs].recv()
        if add_coverage is not None:
            for receiver in receivers:
                add_coverage(receiver.recv())
    except EOFError:
        raise JobEnded("a process ended before it had played its files") from None
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _play_share(files: Sequence[str], options: PlayOptions, sender: Connection, with_coverage: bool) -> None:
    """Play files and send the results. Ctrl-C is for the process that has the jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for played in play_files(files, options, sender.send if with_coverage else None):
        sender.send(played)
