"""Errors that a caller is answered with: an HTTP status, a documented code and a message.

Problem                        status, code, message, details
├── InvalidState               409 invalid_state: the thing is in a state that does not allow what was tried
├── InvalidSetting             400 invalid_setting: a setting got a name or value that it cannot take
└── (every interface and noun adds its own below Problem)

Any other exception is a bug: it is logged, and the caller gets a 500 without a trace.
"""

from __future__ import annotations

from typing import ClassVar

from giftsim.kernel import errors


class Problem(Exception):
    """An error that a caller reads. Raised inside a transaction, it rolls everything back.

    `details` are extra members of the response (for example `errors` or `team_order_id`).
    """

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class InvalidState(Problem, errors.InvalidTransition):
    """The thing is in a state that does not allow what was tried."""

    status = 409
    code = "invalid_state"


class InvalidSetting(Problem, errors.InvalidSetting):
    """A setting has no such name, or cannot take the value."""

    status = 400
    code = "invalid_setting"


ERRORS = errors.ErrorTypes(invalid_transition=InvalidState, invalid_setting=InvalidSetting)
