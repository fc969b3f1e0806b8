"""Collect the errors of several parts of a body, so that one response names them all (A8.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from giftsim.domain.team.problem import FieldError, ValidationFailed

T = TypeVar("T")


def collect_errors(parts: Iterable[Callable[[], T]]) -> list[T]:
    """The results of the parts, in their order. One ValidationFailed with the errors of all parts."""
    results: list[T] = []
    errors: list[FieldError] = []
    for part in parts:
        try:
            results.append(part())
        except ValidationFailed as error:
            errors += [FieldError(**detail) for detail in cast("list[dict[str, Any]]", error.details["details"])]
    if errors:
        raise ValidationFailed(errors)
    return results
