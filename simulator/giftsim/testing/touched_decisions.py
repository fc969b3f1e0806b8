"""The decisions that a run touched, from what it met."""

from __future__ import annotations

from giftsim.engine.gateway.simulated_service import Service
from giftsim.services.known import make_definitions
from giftsim.workbench.assumptions.assumptions_report import Touched
from giftsim.workbench.coverage.items import items_of
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.coverage.sources_met import sources_met


def touched_decisions(met: Met, service: Service) -> list[str]:
    """The decisions behind what a run met of a service, in their order, without those about giftsim itself."""
    sources = sources_met(met, items_of(service))
    touched = Touched(met.settings, sources, bool(met.operations), bool(met.events))
    return touched.decisions(make_definitions(service=service).settings)
