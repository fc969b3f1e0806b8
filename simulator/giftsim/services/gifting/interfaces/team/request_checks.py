"""Check requests of the team interface: bodies, the URLs in them, and the records named in paths.

Every error of a body is reported by its field, in a message that never repeats a value (A8.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from giftsim.engine.gateway.body_schema import Violation, dotted
from giftsim.engine.gateway.call import Call
from giftsim.engine.webhooks.endpoint import check_target
from giftsim.engine.webhooks.url_rules import TO_LOCALHOST, InvalidUrl, Rule
from giftsim.services.gifting.domain.team.team_errors import FieldError, ValidationFailed

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


FIELD = "url"


def url_errors(call: Call) -> Iterator[FieldError]:
    """Check the text of the member `url`, then the addresses that its host resolves to in this world."""
    try:
        check_target(call.state, call.body[FIELD])
    except InvalidUrl as error:
        yield _error(error.rule)


def webhook_url_errors(call: Call) -> Iterator[FieldError]:
    """Check like `url_errors`; the message also says how to deliver to localhost, where that helps (G27)."""
    try:
        check_target(call.state, call.body[FIELD])
    except InvalidUrl as error:
        yield _error(error.rule, f". {TO_LOCALHOST}" if error.rule.local else "")


def _error(rule: Rule, hint: str = "") -> FieldError:
    return FieldError(FIELD, f"must be a public https URL: {rule.text}{hint}")


# Called with the call and the id in its path. Returns the caller's record, or raises NotFound.
Finder = Callable[[Call, str], Any]
