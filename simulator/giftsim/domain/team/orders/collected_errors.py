"""Several parts of a body judged together, so that a refusal names everything that is wrong (A8.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from giftsim.domain.team.problem import FieldError, ValidationFailed

T = TypeVar("T")


def collect_errors(parts: Iterable[Callable[[], T]]) -> list[T]:
    """What the parts give, in their order; one ValidationFailed with all that they refuse."""
    found: list[T] = []
    wrong: list[FieldError] = []
    for part in parts:
        try:
            found.append(part())
        except ValidationFailed as refusal:
            wrong += [FieldError(**detail) for detail in cast("list[dict[str, Any]]", refusal.details["details"])]
    if wrong:
        raise ValidationFailed(wrong)
    return found
