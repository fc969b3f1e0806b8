"""The problems that any operation of the team interface may raise (A2.1, A8.6). Messages never echo a value.

Problem
├── NotFound 404 not_found
├── ValidationFailed 422 validation_failed, with `details` of all errors
└── InvalidState 409 invalid_state
    └── RevisionConflict 409 revision_conflict
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from giftsim.engine.problem import MAX_LISTED, InvalidState, Problem, more_errors


class NotFound(Problem, status=404, code="not_found"):
    """The caller's team and mode have no such record."""


class RevisionConflict(InvalidState, code="revision_conflict"):
    """The revision in the request is not the current one."""


class FieldError(msgspec.Struct, frozen=True, gc=False):
    """One error of a body: `field` is a path such as `recipients[0].email`, `index` a row of `people`."""

    field: str
    message: str
    index: int | None = None


class ValidationFailed(Problem, status=422, code="validation_failed"):
    """A well-formed body breaks rules; the `details` of the response list all errors, or the first of very many."""

    def __init__(self, errors: Iterable[FieldError]) -> None:
        errors = list(errors)
        first, more = errors[0], len(errors) - 1
        row = "" if first.index is None else f"row {first.index}: "
        see = "see details" if more < MAX_LISTED else f"the first {MAX_LISTED} in details"
        rest = f" (and {more_errors(len(errors), 1)}, {see})" if more else ""
        details = [
            {**({} if error.index is None else {"index": error.index}), "field": error.field, "message": error.message}
            for error in errors
        ]
        super().__init__(f"{row}{first.field}: {first.message}{rest}", details=details)


def validation_error(field: str, message: str, index: int | None = None) -> ValidationFailed:
    """A ValidationFailed with one error, to be raised: `raise invalid("items[0]", "is not sold")`."""
    return ValidationFailed([FieldError(field, message, index)])
