"""The decisions that a run touched, from what it met."""

from __future__ import annotations

from giftsim.build import CONTRACTS, MACHINES, make_definitions
from giftsim.workbench.assumptions.assumptions_report import Touched
from giftsim.workbench.coverage.coverage_report import read_items
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.coverage.sources_met import sources_met


def touched_decisions(met: Met) -> list[str]:
    """The decisions behind what a run met, in their order, without those about giftsim itself."""
    sources = sources_met(met, read_items(CONTRACTS, MACHINES))
    touched = Touched(met.settings, sources, bool(met.operations), bool(met.events))
    return touched.decisions(make_definitions().settings)
