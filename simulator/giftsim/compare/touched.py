"""What the sources of a difference say: statements of the service's documents, and decisions with how sure they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from giftsim.claims.claim import load_claims
from giftsim.claims.decision import DOCUMENTED, load_decisions


class Touched(NamedTuple):
    """A statement or a decision that a difference touches; the basis says how sure it is."""

    id: str
    basis: str
    text: str


def touched(sources: Iterable[str]) -> list[Touched]:
    """The statements and decisions with these ids; what is documented comes first."""
    return [_touched(source) for source in sources]


def _touched(source: str) -> Touched:
    claims, decisions = load_claims(), load_decisions()
    if source in claims:
        return Touched(source, DOCUMENTED, claims[source].claim)
    if source in decisions:
        return Touched(source, decisions[source].basis, decisions[source].text)
    return Touched(source, "unknown", "")
