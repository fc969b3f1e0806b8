"""Validate bodies: report every error by its field, in messages that never repeat a value (A8.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from giftsim.domain.team.problem import FieldError, ValidationFailed
from giftsim.gateway.body_schema import Violation, dotted
from giftsim.gateway.call import Call

BodyCheck = Callable[[Call], Iterable[FieldError]]
ROWS = "people"


def make_body_validator(checks: Mapping[str, BodyCheck]) -> Callable[[Call, Sequence[Violation]], None]:
    """The function that validates bodies. An operation's own check runs only on a body that fits its schema."""

    def validate_body(call: Call, violations: Sequence[Violation]) -> None:
        errors = list(dict.fromkeys(_field_error(violation) for violation in violations))
        check = checks.get(call.operation.id)
        if not errors and check is not None:
            errors = list(check(call))
        if errors:
            raise ValidationFailed(errors)

    return validate_body


def _field_error(violation: Violation) -> FieldError:
    """The violation as an error of a field. Errors within `people` name the index of the row (A8.2)."""
    path = violation.path
    if len(path) > 1 and path[0] == ROWS and isinstance(path[1], int):
        return FieldError(dotted(path[2:]), violation.safe_message, path[1])
    return FieldError(dotted(path), violation.safe_message)
