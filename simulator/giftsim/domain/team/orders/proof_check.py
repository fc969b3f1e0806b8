"""Proofs are checked again before every payment: of orders, gifts and campaign batches (T-5.23, G55)."""

from __future__ import annotations

from collections.abc import Callable

from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.domain.team.billing.problem import ProofNotSigned
from giftsim.kernel.signals import KeyedSignal, Signal
from giftsim.kernel.state import State

# The name of an item in a fulfilment of a tenant (its owner) that lacks a signed proof, or None. The items of the
# record in a slot of a type have proofs of their own; any other counts a signed proof of its product.
UNSIGNED: Signal[Callable[[State, str, str, int, Fulfilment], str | None]] = Signal("unsigned", lambda *_: None)
# Whether the proofs of a record (a slot) can still change; keyed by the type of the record.
PROOFS_OPEN: KeyedSignal[Callable[[State, int], bool]] = KeyedSignal("proofs_open")


def check_proofs(state: State, owner: str, resource_type: str, slot: int, fulfilment: Fulfilment) -> None:
    """Raise ProofNotSigned if an item with custom artwork has no signed proof of its present version."""
    name = state.handler(UNSIGNED)(state, owner, resource_type, slot, fulfilment)
    if name is not None:
        raise ProofNotSigned(f"the item {name} needs a signed proof of its present version; nothing is paid")
