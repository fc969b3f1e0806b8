"""Errors that become HTTP responses: a status, a documented code and a message.

Problem                        status, code, message, details
├── InvalidState               409 invalid_state: the state of a record does not allow the operation
├── InvalidSetting             400 invalid_setting: unknown setting, or a value that it cannot have
├── InvalidFixture             400 invalid_world: the fixture is not valid
└── (every interface and domain module adds subclasses of its own)

Any other exception is a bug: it is logged, and the caller gets a 500 without a traceback.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from giftsim.engine.kernel import errors
from giftsim.engine.kernel.url_passwords import hide_url_passwords

# How many errors one response lists. More would not help its reader, and a body can have thousands (G85).
MAX_LISTED = 20


# How many errors of one body are counted. Every row of the largest import that a contract allows can have two.
MAX_COUNTED = 10_000


def join_messages(messages: Sequence[str]) -> str:
    """Messages as one: the first of them, and how many more there are."""
    listed, found = messages[:MAX_LISTED], len(messages)
    return "; ".join([*listed, *([f"and {more_errors(found, len(listed))}"] if found > len(listed) else [])])


def more_errors(found: int, listed: int) -> str:
    """How many more errors were found than are listed, such as `3 more`."""
    return f"{'at least ' if found >= MAX_COUNTED else ''}{found - listed:,} more"


class Problem(Exception):
    """An error in the response to a caller. Raised inside a transaction, it rolls the transaction back.

    A subclass names its status and its code, as in `class OrderFrozen(Problem, status=409, code="order_frozen")`, and
    inherits what it does not name. The argument `code` replaces the code of the class. `details` are extra members of
    the response, such as `errors` or `order_id`. The message may quote what the caller sent; user names and
    passwords in URLs are taken out of it.
    """

    status: ClassVar[int] = 500
    code: str = "internal_error"

    def __init_subclass__(cls, *, status: int | None = None, code: str | None = None) -> None:
        super().__init_subclass__()
        if status is not None:
            cls.status = status
        if code is not None:
            cls.code = code

    def __init__(self, message: str, *, code: str | None = None, **details: object) -> None:
        self.message = hide_url_passwords(message)
        super().__init__(self.message)
        if code is not None:
            self.code = code
        self.details = details


class InvalidState(Problem, errors.InvalidTransition, status=409, code="invalid_state"):
    """The state of a record does not allow the operation."""


class InvalidSetting(Problem, errors.InvalidSetting, status=400, code="invalid_setting"):
    """There is no setting with the name, or it cannot have the value."""


ERRORS = errors.ErrorTypes(invalid_transition=InvalidState, invalid_setting=InvalidSetting)


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
