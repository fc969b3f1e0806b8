"""URL paths that several packages need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# The base path of the control API, as in its contract (control/contract.yaml).
CONTROL = "/_sim/v1"

# Those of the simulated interfaces, as in their contracts, in the order in which they are listed.
SIMULATED: Final[Mapping[str, str]] = {"team": "/api/teams/v1", "partner": "/api/external", "museum": "/v1.1"}
