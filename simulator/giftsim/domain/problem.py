"""The error of an invalid fixture."""

from __future__ import annotations

from giftsim.problem import Problem


class InvalidFixture(Problem):
    """The fixture is not valid; the message says where."""

    status = 400
    code = "invalid_world"
