"""The error of an invalid fixture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from giftsim.engine.problem import Problem


class InvalidFixture(Problem, status=400, code="invalid_world"):
    """The fixture is not valid; the message says where."""


@contextmanager
def in_fixture(place: str) -> Iterator[None]:
    """Turn what goes wrong inside into an InvalidFixture that names the place, such as `orders[2]`."""
    try:
        yield
    except InvalidFixture:
        raise
    except (Problem, ValueError) as error:
        raise InvalidFixture(f"the fixture's {place}: {error}") from None
