"""The workers of a Dask scheduler, on any number of machines, as an engine of explore."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import giftsim
from giftsim.workbench.explore.engine import Engine, EngineFailed
from giftsim.workbench.explore.workplace import Equipment, close_workplaces, run_at_a_workplace

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10.0
WORKERS_S = 30.0


@contextmanager
def cluster(address: str, equipment: Equipment) -> Iterator[Engine]:
    """The engine of a Dask scheduler, which runs a plan again if its worker ends. EngineFailed."""
    from distributed import Client, KilledWorker

    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise EngineFailed(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        try:
            slots = _slots(client, address)
            yield Engine(partial(client.get_executor, pure=False), partial(run_at_a_workplace, equipment), slots)
        except KilledWorker as error:
            raise EngineFailed(f"a plan ended each worker that ran it: {error}") from None
        client.run(close_workplaces, equipment, on_error="ignore")


def _slots(client: Client, address: str) -> int:
    """How many plans the workers run at once, once there is a worker."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_S)
    except TimeoutError:
        raise EngineFailed(f"the Dask scheduler at {address} has no workers") from None
    for worker, found in client.run(version, on_error="return").items():
        if found != giftsim.__version__:
            raise EngineFailed(f"the worker {worker} needs giftsim {giftsim.__version__} and has this: {found}")
    return sum(client.nthreads().values())


def version() -> str:
    """The version of giftsim where this runs."""
    return giftsim.__version__
