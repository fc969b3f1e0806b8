"""The contracts of the product, each compiled once for all tests of a process."""

from __future__ import annotations

from functools import cache

from giftsim.build import CONTRACTS
from giftsim.gateway.contract import Contract


@cache
def contract(interface: str) -> Contract:
    """The contract of an interface, such as `partner`. Nobody may change its document."""
    return Contract.load(CONTRACTS[interface])
