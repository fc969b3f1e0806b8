"""What any operation of the team interface may refuse (A2.1, A8.6). Messages name rules and never echo a value.

Problem
├── NotFound 404 not_found
├── ValidationFailed 422 validation_failed, with `details` of all that is wrong
└── InvalidState 409 invalid_state
    └── RevisionConflict 409 revision_conflict
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from giftsim.problem import InvalidState, Problem


class NotFound(Problem):
    """Nothing of this kind has this id in the caller's team and mode."""

    status = 404
    code = "not_found"


class RevisionConflict(InvalidState):
    """The revision named is not the present one."""

    code = "revision_conflict"


class FieldError(msgspec.Struct, frozen=True, gc=False):
    """One thing wrong with a body: `field` as people write it (`recipients[0].email`), `index` a row of `people`."""

    field: str
    message: str
    index: int | None = None


class ValidationFailed(Problem):
    """A well-formed body that breaks rules; the answer's `details` name them all."""

    status = 422
    code = "validation_failed"

    def __init__(self, wrong: Iterable[FieldError]) -> None:
        found = list(wrong)
        first, more = found[0], len(found) - 1
        row = "" if first.index is None else f"row {first.index}: "
        rest = f" (and {more} more, see details)" if more else ""
        details = [
            {**({} if each.index is None else {"index": each.index}), "field": each.field, "message": each.message}
            for each in found
        ]
        super().__init__(f"{row}{first.field}: {first.message}{rest}", details=details)


def invalid(field: str, message: str, index: int | None = None) -> ValidationFailed:
    """The refusal of a body for one thing, to be raised: `raise invalid("items[0]", "is not sold")`."""
    return ValidationFailed([FieldError(field, message, index)])
