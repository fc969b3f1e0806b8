"""What happens to the machine: kills, stops, power failures, a disk that is full or fails, and shortages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random  # noqa: TID251 - the seed decides
from typing import TYPE_CHECKING, Final

from giftsim.engine.log.journal_contents import Unreadable, verify_whole_lines
from tests.simulation.exchange import Violation
from tests.simulation.machine import JOURNAL

if TYPE_CHECKING:
    from tests.simulation.run import Run

LONGEST_TROUBLE_S = 2.0
STEP_S = 0.01
FIRST_BYTES = 3_000  # left on a disk that becomes full soon


def kill(run: Run, _random: Random) -> None:
    """End the process as SIGKILL does."""
    run.deaths += 1
    run.machine.kill()


def stop(run: Run, _random: Random) -> None:
    """End the process as SIGTERM does."""
    run.deaths += 1
    run.machine.stop()


def power(run: Run, random: Random) -> None:
    """Stop the process, and let the power fail then: what was not synced may be gone, in part or all."""
    machine, process = run.machine, run.machine.process
    stop(run, random)
    while process is not None and process is machine.process:
        run.scheduler.sleep(STEP_S)
    if process is machine.processes[-1] and process.has_closed and not machine.disk.failed_syncs:
        machine.lose_power(random)


def full_disk(run: Run, random: Random) -> None:
    """Leave no room on the disk for a while."""
    run.machine.disk.trouble.room = random.choice((0, int(random.random() * FIRST_BYTES)))
    _last(run, random)
    run.machine.disk.trouble.room = None


def stuck_disk(run: Run, random: Random) -> None:
    """Leave no room, and let nothing be taken back."""
    run.machine.disk.trouble.fails_to_truncate = True
    full_disk(run, random)
    run.machine.disk.trouble.fails_to_truncate = False


def no_sync(run: Run, random: Random) -> None:
    """Let the disk fail to keep what was written."""
    run.machine.disk.trouble.fails_to_sync = True
    _last(run, random)
    run.machine.disk.trouble.fails_to_sync = False


def no_threads(run: Run, random: Random) -> None:
    """Let no thread be started for a while."""
    run.machine.lacks_threads = True
    _last(run, random)
    run.machine.lacks_threads = False


def no_descriptors(run: Run, random: Random) -> None:
    """Let almost no descriptor be opened for a while."""
    machine, process = run.machine, run.machine.process
    if process is None:
        return
    run.deaths += 1
    descriptors = machine.network.descriptors_of(process.owner)
    machine.network.limit(process.owner, len(descriptors.open) + random.choice((0, 1, 3)))
    run.shortages += 1
    _last(run, random)
    run.shortages -= 1
    machine.network.limit(process.owner, machine.most_descriptors)
    run.deaths += 1


def bit_flip(run: Run, random: Random) -> None:
    """Kill the process, and flip a bit of its file: it is not started with that, and the file stays as it is."""
    machine = run.machine
    run.deaths += 1
    machine.kill()
    content = machine.disk.files.get(str(JOURNAL))
    if run.is_kept_down or content is None:
        return
    end, _ = verify_whole_lines(content, content.size())
    if not end:
        return
    run.is_kept_down = True
    at, bit = int(random.random() * end), 1 << int(random.random() * 8)
    content.data[at] ^= bit
    before = bytes(content.data)
    machine.start()
    process = machine.processes[-1]
    while process.refusal is None and not process.is_ready:
        run.scheduler.sleep(STEP_S)
        if process.has_ended and process.refusal is None:  # something else has killed it
            machine.start()
            process = machine.processes[-1]
    if not isinstance(process.refusal, Unreadable | OSError | RuntimeError):
        raise Violation(f"a start took a file with a flipped bit at byte {at} of {end}", "bit flip")
    if bytes(content.data) != before:
        raise Violation("a start that was refused changed the file", "bit flip")
    content.data[at] ^= bit
    run.is_kept_down = False


def _last(run: Run, random: Random) -> None:
    run.scheduler.sleep(random.random() * LONGEST_TROUBLE_S)


TROUBLES: Final[Mapping[str, Callable[[Run, Random], None]]] = {
    "kill": kill,
    "stop": stop,
    "power": power,
    "full_disk": full_disk,
    "stuck_disk": stuck_disk,
    "no_sync": no_sync,
    "no_threads": no_threads,
    "no_descriptors": no_descriptors,
    "bit_flip": bit_flip,
}
