"""What is wrong with a fault, in an answer."""

from __future__ import annotations

from giftsim.kernel.problem import Problem


class InvalidFault(Problem):
    """A fault that could not act, or does not say how."""

    status = 400
    code = "invalid_fault"


class FaultNotFound(Problem):
    """The world has no fault of this id."""

    status = 404
    code = "fault_not_found"
