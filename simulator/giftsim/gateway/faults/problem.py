"""Problems with faults."""

from __future__ import annotations

from giftsim.problem import Problem


class InvalidFault(Problem):
    """The fault is malformed, or could never act."""

    status = 400
    code = "invalid_fault"


class FaultNotFound(Problem):
    """The world has no fault with this id."""

    status = 404
    code = "fault_not_found"
