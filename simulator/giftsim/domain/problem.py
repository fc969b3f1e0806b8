"""What can be wrong with a starting world."""

from __future__ import annotations

from giftsim.problem import Problem


class InvalidFixture(Problem):
    """The fixture does not make a world; the message says where."""

    status = 400
    code = "invalid_world"
