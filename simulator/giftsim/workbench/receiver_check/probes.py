"""The table of all probes, in the order in which they run."""

from __future__ import annotations

from giftsim.engine.kernel.texts import suggest_name
from giftsim.workbench.receiver_check.delivery_probes import DELIVERY_PROBES, GATES
from giftsim.workbench.receiver_check.probe import Probe
from giftsim.workbench.receiver_check.signature_probes import SIGNATURE_PROBES

PROBES: tuple[Probe, ...] = (*GATES, *SIGNATURE_PROBES, *DELIVERY_PROBES)
BY_NAME = {probe.name: probe for probe in PROBES}


def choose_probes(names: tuple[str, ...]) -> tuple[Probe, ...]:
    """The probes of these names, all if there are none; ValueError names the nearest one."""
    for name in names:
        if name not in BY_NAME:
            raise ValueError(f"there is no probe {name[:60]!r}; {suggest_name(name, list(BY_NAME))}")
    return tuple(probe for probe in PROBES if not names or probe.name in names)
