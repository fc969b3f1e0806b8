"""The sources of something: statements of the documents and decisions, with how sure each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from giftsim.claims.decision import load_decisions
from giftsim.claims.entry import claim_entries
from giftsim.gateway.sources import OWN


def source_views(ids: Sequence[str]) -> list[dict[str, str]]:
    """The sources with these ids. What no document and no decision says is giftsim's own."""
    return [{"id": each, "basis": bases().get(each, OWN)} for each in ids]


@cache
def bases() -> Mapping[str, str]:
    """How sure each claim and each decision is, by id. The files are read when this is first called."""
    claims = {entry.id: entry.basis for entry in claim_entries()}
    return {**claims, **{decision.id: decision.basis for decision in load_decisions().values()}}
