"""The tree of documented refusals: a problem is an answer, any other exception is a bug.

Problem                        status, code, message, details
├── InvalidTransition          409 invalid_state: a machine has no row for what was tried
└── (every interface and noun adds its own below it)
"""

from __future__ import annotations

from typing import ClassVar


class Problem(Exception):
    """A refusal that a caller reads: raised inside a transaction it rolls everything back.

    `details` are extra members of the answer (for example `errors` or `team_order_id`).
    """

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class InvalidTransition(Problem):
    """What was tried does not fit the state that the thing is in."""

    status = 409
    code = "invalid_state"
