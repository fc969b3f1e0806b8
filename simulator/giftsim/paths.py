"""Paths that several packages need."""

from __future__ import annotations

# The test-control API, as the contract in giftsim/control has it.
CONTROL = "/_sim/v1"
