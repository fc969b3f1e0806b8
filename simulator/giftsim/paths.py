"""URL paths that several packages need."""

from __future__ import annotations

# The base path of the control API, as in its contract (control/contract.yaml).
CONTROL = "/_sim/v1"
